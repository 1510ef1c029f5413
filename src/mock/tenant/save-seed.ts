import type { EntitiesFile, Kind } from '../../../generated/mock/entities.ts';
import { idOf, pluralOf, referencesOf } from '../state/entities.ts';
import type { Value } from '../state/records.ts';
import type { Seed } from './seed.ts';

type Records = Readonly<Record<string, readonly Value[]>>;

/** Records by kind as a seed has them: each under what it belongs to, and what else the seed holds as it is there. */
export function seedOf(records: Records, seed: Seed, { kinds }: EntitiesFile): Seed {
  const rows = Object.entries(kinds).map(([name, kind]) => ({ name, kind, parent: referencesOf(kind)[0] }));
  const under = (of: string | undefined, id: unknown): Value =>
    Object.fromEntries(
      rows.flatMap(({ name, kind, parent }) => {
        if (parent?.of !== of) return [];
        const mine = (records[name] ?? []).filter((record) => parent === undefined || record[parent.field] === id);
        if (mine.length === 0) return [];
        return [
          [
            pluralOf(name, kind),
            mine.map((record) => ({ ...ownOf(kind, record), ...under(name, record[idOf(kind)]) })),
          ],
        ];
      }),
    );
  const plurals = new Set(rows.map(({ name, kind }) => pluralOf(name, kind)));
  const rest = Object.entries(seed).filter(([part]) => !plurals.has(part) && part !== '$schema');
  return { ...under(undefined, undefined), ...Object.fromEntries(rest) };
}

/** The members of a record, without what follows from where it stands. */
function ownOf(kind: Kind, record: Value): Value {
  const [parent] = referencesOf(kind);
  return Object.fromEntries(
    [idOf(kind), ...Object.keys(kind.fields)].flatMap((field) =>
      field === parent?.field || record[field] === undefined ? [] : [[field, record[field]]],
    ),
  );
}
