import { type Entities, idOf, referencesOf } from '../state/entities.ts';
import { recordsOf, type Seed } from './seed.ts';

/** Ids that belong together, by path parameter: those of the roles if the seed has them, else of the first records. */
export function idsIn({ file }: Entities, seed: Seed): Record<string, string> {
  const ids: Record<string, string> = { ...file.roles?.parameters };
  const base = recordsOf(seed, file);
  for (const [name, kind] of Object.entries(file.kinds)) {
    const id = idOf(kind);
    const records = base[name] ?? new Map();
    if (records.has(ids[id] ?? '')) continue;
    const belongs = (record: Readonly<Record<string, unknown>>): boolean =>
      referencesOf(kind).every(({ field }) => record[field] === undefined || record[field] === ids[field]);
    const [first] = records.values();
    const chosen = [...records.values()].find(belongs) ?? first;
    if (chosen) ids[id] = String(chosen[id]);
    else delete ids[id];
  }
  return ids;
}
