import type { Tenants } from '../../generated/mock/control.ts';
import { read } from '../control.ts';

type Value = Readonly<Record<string, unknown>>;

/** Ids of records that the mock has now, for the wanted names of parameters and members. A record gives what it names of the others. */
export async function existingIds(names: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const { parameter, tenants, kinds } = await read<Tenants>('/tenants');
  const tenant = tenants[0]?.id ?? '';
  const ids: Record<string, string> = parameter === null ? {} : { [parameter]: tenant };
  const query = parameter === null ? '' : `?${new URLSearchParams({ [parameter]: tenant })}`;
  // the last names the most special record
  for (const name of names.toReversed()) {
    const kind = kinds.find(({ id }) => id === name);
    if (kind === undefined || ids[name] !== undefined) continue;
    const path = `/state/${encodeURIComponent(kind.plural)}${query}`;
    const [record = {}] = (await read<{ readonly records: readonly Value[] }>(path)).records;
    for (const other of names) if (typeof record[other] === 'string') ids[other] ??= record[other];
  }
  return ids;
}
