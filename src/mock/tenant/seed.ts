import type { EntitiesFile, Kind } from '../../../generated/mock/entities.ts';
import { truthOf } from '../../contract/conditions.ts';
import { ToolError } from '../../errors.ts';
import { didYouMean } from '../../suggest.ts';
import { type Entities, idOf, pluralOf, referencesOf } from '../state/entities.ts';
import type { Fault } from '../state/entities-file.ts';
import type { Base, Value } from '../state/records.ts';

/** What every tenant of the mock starts with (`mocks/seed.yaml`): records by the plural of their kind, and what operations show of it. */
export type Seed = Value;

/** A record as it stands in a seed. */
interface SeedRecord {
  readonly name: string;
  readonly kind: Kind;
  /** Its own members, the ids of the records under which it stands, and the constants of the fields that it leaves out. */
  readonly value: Value;
  /** Names of its own members. */
  readonly members: readonly string[];
  readonly pointer: string;
}

/** The records of a seed: each stands under the plural of its kind, at the top or under a record that it belongs to. */
function* recordsIn(seed: Seed, file: EntitiesFile, above: Value = {}, pointer = ''): Generator<SeedRecord> {
  for (const [name, kind] of Object.entries(file.kinds)) {
    const plural = pluralOf(name, kind);
    const list = seed[plural];
    for (const [index, one] of (Array.isArray(list) ? (list as readonly Value[]) : []).entries()) {
      const at = `${pointer}/${plural}/${index}`;
      const value = { ...constantsOf(kind), ...above, ...one };
      yield { name, kind, value, members: Object.keys(one), pointer: at };
      yield* recordsIn(one, file, { ...above, [idOf(kind)]: one[idOf(kind)] }, at);
    }
  }
}

/** The records of a seed by kind and id, their members in the order of their kind. */
export function recordsOf(seed: Seed, file: EntitiesFile): Base {
  const base = Object.fromEntries(Object.keys(file.kinds).map((name) => [name, new Map<string, Value>()]));
  for (const { name, kind, value } of recordsIn(seed, file)) {
    const id = idOf(kind);
    const fields = Object.keys(kind.fields).map((field) => [field, value[field]] as const);
    const record = Object.fromEntries([[id, value[id]] as const, ...fields].filter(([, one]) => one !== undefined));
    base[name]?.set(String(value[id]), record);
  }
  return base;
}

function constantsOf({ fields }: Kind): Value {
  const isConstant = (form: unknown): boolean =>
    form !== null && typeof form !== 'object' && !String(form).includes('{');
  return Object.fromEntries(Object.entries(fields).filter(([, form]) => isConstant(form)));
}

/**
 * The same seed in which the records that play a role go by other ids, wherever these are named.
 * @param seedIds The new id by the name of its path parameter.
 */
export function renamed(seed: Seed, { kinds, roles }: EntitiesFile, seedIds: Readonly<Record<string, string>>): Seed {
  const ids = new Map(
    Object.values(kinds).flatMap((kind) => {
      const [was, is] = [roles?.parameters?.[idOf(kind)], seedIds[idOf(kind)]];
      return was === undefined || is === undefined || was === is ? [] : [[was, is] as const];
    }),
  );
  const walk = (node: unknown): unknown => {
    if (typeof node === 'string') return ids.get(node) ?? node;
    if (Array.isArray(node)) return node.map(walk);
    if (typeof node !== 'object' || node === null) return node;
    return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, walk(value)]));
  };
  return ids.size === 0 ? seed : (walk(seed) as Seed);
}

/** What a mock knows by itself to try its operations with. All of it is assumed. */
export interface MockRoles {
  /** A value for every path parameter. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Ids of the seed that play a role, by its name. */
  readonly ids: Readonly<Record<string, string>>;
  /** Per condition a record of the seed that does not fulfil it, by the path parameter that names it. */
  readonly failing: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export function rolesOf({ file, kinds }: Entities, seed: Seed): MockRoles {
  const { parameters = {}, ...groups } = file.roles ?? {};
  const failing: Record<string, Record<string, string>> = {};
  for (const { name, kind, value } of recordsIn(seed, file)) {
    for (const condition of Object.values(kinds[name]?.conditions ?? {})) {
      const id = idOf(kind);
      const fails = truthOf(file.conditions?.[condition], { record: value }) === false;
      if (fails) failing[condition] = { [id]: String(value[id]), ...failing[condition] };
    }
  }
  return { parameters, ids: Object.assign({}, ...Object.values(groups)), failing };
}

/**
 * Reads a seed from YAML or JSON. Its form follows from the kinds; that of the package's own contract is published, too.
 * @throws ToolError `config` with file, line and column; `file-missing`, `file-unreadable`.
 */
export async function readSeed(file: string, entities: Entities, isOwn: boolean): Promise<Seed> {
  // here and not above: a start with the seed of the package reads no file
  const { readChecked } = await import('../../files/checked-file.ts');
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

/** The records of other kinds that a record of a seed names itself. */
function namedBy({ kind, value }: SeedRecord): { readonly field: string; readonly of: string; readonly id: string }[] {
  return referencesOf(kind).flatMap(({ field, of }) =>
    value[field] === undefined ? [] : [{ field, of, id: String(value[field]) }],
  );
}
