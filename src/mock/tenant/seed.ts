import type { EntitiesFile, Kind } from '../../../generated/mock/entities.ts';
import { idOf, pluralOf, referencesOf } from '../state/entities.ts';
import type { TenantRecords, Value } from '../state/records.ts';

/** The start data of every tenant (`mocks/seed.yaml`): records by plural of the kind, and data of operations. */
export type Seed = Value;

export interface SeedRecord {
  readonly name: string;
  readonly kind: Kind;
  /** Its own members, the ids of the records above it, and constants for its missing fields. */
  readonly value: Value;
  readonly members: readonly string[];
  readonly pointer: string;
}

/** The records of a seed. A record is listed under the plural of its kind, at the top or below its parent. */
export function* recordsIn(seed: Seed, file: EntitiesFile, above: Value = {}, pointer = ''): Generator<SeedRecord> {
  for (const [name, kind] of Object.entries(file.kinds)) {
    const plural = pluralOf(name, kind);
    const list = seed[plural];
    for (const [index, one] of (Array.isArray(list) ? (list as readonly Value[]) : []).entries()) {
      const at = `${pointer}/${plural}/${index}`;
      const value = { ...constantsOf(kind), ...above, ...one };
      yield { name, kind, value, members: membersOf(kind, one), pointer: at };
      yield* recordsIn(one, file, { ...above, [idOf(kind)]: one[idOf(kind)] }, at);
    }
  }
}

/** How many records an entry of a seed stands for; undefined for a single record. */
export function countIn(kind: Kind, { count }: Value): unknown {
  return Object.hasOwn(kind.fields, 'count') ? undefined : count;
}

function membersOf(kind: Kind, one: Value): readonly string[] {
  const isCounted = countIn(kind, one) !== undefined;
  return Object.keys(one).filter((member) => one[member] !== null && !(isCounted && member === 'count'));
}

function constantsOf({ fields }: Kind): Value {
  const isConstant = (form: unknown): boolean =>
    form !== null && typeof form !== 'object' && !String(form).includes('{');
  return Object.fromEntries(Object.entries(fields).filter(([, form]) => isConstant(form)));
}

/** The seed with other ids for records that have a role. `seedIds`: the new id by path parameter. */
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

/** Ids that belong together, by path parameter: the roles' ids, or the first records' if those do not exist. */
export function idsIn(records: Pick<TenantRecords, 'get' | 'first'>, file: EntitiesFile): Record<string, string> {
  const ids: Record<string, string> = { ...file.roles?.parameters };
  for (const [name, kind] of Object.entries(file.kinds)) {
    const id = idOf(kind);
    if (records.get(name, ids[id] ?? '')) continue;
    const belongs = (record: Value): boolean =>
      referencesOf(kind).every(({ field }) => record[field] === undefined || record[field] === ids[field]);
    const chosen = records.first(name, belongs) ?? records.first(name, () => true);
    if (chosen) ids[id] = String(chosen[id]);
    else delete ids[id];
  }
  return ids;
}

/** Default values for calling a mock's operations. All of them are assumed. */
export interface MockRoles {
  readonly parameters: Readonly<Record<string, string>>;
  /** Ids of one record and its parents for the path of each operation, by operationId. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Members of the body that name a record, by operationId, for operations whose path does not name it. */
  readonly bodies: Readonly<Record<string, unknown>>;
  readonly ids: Readonly<Record<string, string>>;
  /** Per condition, a seed record that fails it: the record's id by path parameter. */
  readonly failing: Readonly<Record<string, Readonly<Record<string, string>>>>;
}
