import type { Kind } from '../../../generated/mock/entities.ts';
import { truthOf } from '../../contract/conditions.ts';
import { type Entities, idOf, pluralOf, referencesOf } from '../state/entities.ts';
import type { Value } from '../state/records.ts';
import { type InitialRecords, tenantsWord } from './initial-records.ts';
import type { Seed } from './seed.ts';

type Records = Readonly<Record<string, readonly Value[]>>;

/** Records by kind in the form of a seed: each below its parent. Other parts of the seed are unchanged. */
export function seedOf(records: Records, seed: Seed, entities: Entities): Seed {
  const { kinds } = entities.file;
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
            mine.map((record) => ({ ...ownOf(name, kind, record, entities), ...under(name, record[idOf(kind)]) })),
          ],
        ];
      }),
    );
  const plurals = new Set(rows.map(({ name, kind }) => pluralOf(name, kind)));
  const rest = Object.entries(seed).filter(([part]) => !plurals.has(part) && part !== '$schema');
  return { ...under(undefined, undefined), ...Object.fromEntries(rest) };
}

/** A record's members without its parent's id. Null for a missing member that would otherwise be generated. */
function ownOf(name: string, kind: Kind, record: Value, { file, kinds }: Entities): Value {
  const [parent] = referencesOf(kind);
  const conditions = kinds[name]?.conditions ?? {};
  return Object.fromEntries(
    [idOf(kind), ...Object.keys(kind.fields)].flatMap((field): [string, unknown][] => {
      if (field === parent?.field) return [];
      if (record[field] !== undefined) return [[field, record[field]]];
      const condition = conditions[field];
      const isMadeUp =
        kind.fields[field] !== null &&
        (condition === undefined || truthOf(file.conditions?.[condition], { record }) !== false);
      return isMadeUp ? [[field, null]] : [];
    }),
  );
}

/** One entry per tenant that the seed lists or that has changes, plus the start records of all other tenants. */
export async function seedOfAll(
  { tenants, common }: InitialRecords,
  changed: readonly string[],
  { file, tenant }: Entities,
  saved: (tenant: string) => Promise<Seed>,
): Promise<Seed> {
  const entries: Seed[] = [];
  for (const id of new Set([...tenants, ...changed])) {
    const one = await saved(id);
    // parts besides the records mostly equal the common ones
    const own = Object.entries(one).filter(([part, value]) => value !== common[part]);
    entries.push({ [tenant ?? '']: id, ...Object.fromEntries(own) });
  }
  return entries.length === 0 ? common : { ...common, [tenantsWord(file)]: entries };
}
