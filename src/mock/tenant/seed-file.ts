import { truthOf } from '../../contract/conditions.ts';
import { ToolError } from '../../errors.ts';
import { readChecked } from '../../files/checked-file.ts';
import { didYouMean } from '../../suggest.ts';
import { type Entities, idOf, pluralOf } from '../state/entities.ts';
import type { Fault } from '../state/entities-file.ts';
import { namedBy, recordsIn, type Seed, type SeedRecord } from './seed.ts';

/**
 * Reads a seed from YAML or JSON. Its form follows from the kinds; that of the package's own contract is published, too.
 * @throws ToolError `config` with file, line and column; `file-missing`, `file-unreadable`.
 */
export async function readSeed(file: string, entities: Entities, isOwn: boolean): Promise<Seed> {
  const { value, placeOf } = await readChecked<Seed>(file, isOwn ? 'seed' : null);
  const fault = faultOf([...recordsIn(value, entities.file)], entities);
  if (fault) throw new ToolError('config', fault.message, { place: await placeOf(fault.pointer), hint: fault.hint });
  return value;
}

function faultOf(records: readonly SeedRecord[], entities: Entities): Fault | undefined {
  const byId = new Map<string, SeedRecord>();
  for (const record of records) {
    const key = `${record.name}/${record.value[idOf(record.kind)]}`;
    const fault = faultOfOne(record, entities, byId.has(key));
    if (fault) return fault;
    byId.set(key, record);
  }
  for (const record of records) {
    const [own, { value, pointer }] = [namedBy(record), record];
    // what both name must be the same: the user of a card is one of its client
    const lost = own.find(({ of, id }) => {
      const named = byId.get(`${of}/${id}`);
      return (
        !named ||
        namedBy(named).some((one) => own.some(({ field }) => field === one.field) && value[one.field] !== one.id)
      );
    });
    if (lost)
      return {
        pointer: `${pointer}/${lost.field}`,
        message: `There is no ${lost.of} ${JSON.stringify(lost.id)} here.`,
      };
  }
  return undefined;
}

/** Its id is its own, it says what it needs and knows, and no field stands against its condition. */
function faultOfOne(
  { name, kind, value, members, pointer }: SeedRecord,
  { file, kinds }: Entities,
  isThere: boolean,
): Fault | undefined {
  const id = idOf(kind);
  const lacking = [id, ...(kind.needs ?? [])].find((field) => !members.includes(field));
  if (lacking !== undefined) return { pointer, message: `It must say its ${lacking}.` };
  if (isThere)
    return { pointer: `${pointer}/${id}`, message: `The ${id} ${JSON.stringify(value[id])} is there already.` };
  const known = [
    id,
    ...Object.keys(kind.fields),
    ...Object.entries(file.kinds).map(([child, its]) => pluralOf(child, its)),
  ];
  const unknown = members.find((field) => !known.includes(field));
  if (unknown !== undefined)
    return {
      pointer: `${pointer}/${unknown}`,
      message: `A ${name} has no ${unknown}.`,
      hint: didYouMean(unknown, known).trim(),
    };
  const misplaced = Object.entries(kinds[name]?.conditions ?? {}).find(
    ([field, condition]) =>
      members.includes(field) && truthOf(file.conditions?.[condition], { record: value }) === false,
  );
  return misplaced && { pointer: `${pointer}/${misplaced[0]}`, message: 'It does not belong here.' };
}
