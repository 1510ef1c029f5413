import type { EntitiesFile, Kind } from '../../../generated/mock/entities.ts';
import { truthOf } from '../../contract/conditions.ts';
import { ToolError } from '../../errors.ts';
import { isObject } from '../../schema/json.ts';
import type { Plan } from '../compile/plan.ts';
import { type Entities, idOf, pluralOf } from '../state/entities.ts';
import { type Asked, type CompiledKind, compileKinds, split } from '../state/kinds.ts';
import { type Made, makeMany } from '../state/many.ts';
import { Draft, type StartRecords, TenantRecords, type Value } from '../state/records.ts';
import { RefusedChange } from '../state/refusals.ts';
import { compileTransitions } from '../state/transitions.ts';
import type { Parts } from './parts.ts';
import { idsInBodies, idsOnPaths } from './path-ids.ts';
import type { Profile } from './profile.ts';
import { countIn, idsIn, type MockRoles, type Seed } from './seed.ts';

/** The time at which single seed records are generated: a constant, so that they are the same at every start. */
const THEN = Date.parse('2025-01-01T00:00:00Z');
const DAY = 86_400_000;

export type InitialRecords = ReturnType<typeof createInitialRecords>;

interface Makers {
  /** Seed of the generated values. */
  readonly number: number;
  /** The start of the mock, by its clock. The records of one day are the same. */
  readonly now: number;
  readonly profile: Profile;
}

/** The start records of each tenant. They are created on first use, so that a thousand tenants start as fast as one. */
export function createInitialRecords(given: Seed, parts: Parts, { number, now, profile }: Makers) {
  const { file, tenant: parameter } = parts.entities;
  const { [tenantsWord(file)]: list, ...beside } = given;
  const common = resolved(beside, parts);
  const others = Object.fromEntries(Object.entries(common).filter(([part]) => !pluralsOf(file).has(part)));
  const entries = Array.isArray(list) ? (list as readonly Value[]) : [];
  const own = new Map(entries.map(({ [parameter ?? '']: id, ...entry }) => [String(id), entry]));
  const make = makerOf(parts, number);
  const today = Math.floor(now / DAY) * DAY;
  const seeds = new Map<string, Seed>();
  const bases = new Map<string | undefined, StartRecords>();
  const seedOf = (tenant: string): Seed => {
    const entry = own.get(tenant);
    if (!entry) return common;
    const seed = seeds.get(tenant) ?? { ...others, ...resolved(entry, parts) };
    seeds.set(tenant, seed);
    return seed;
  };
  const base = (tenant: string): StartRecords => {
    // all unlisted tenants share the same records
    const listed = own.has(tenant) ? tenant : undefined;
    const known = bases.get(listed);
    if (known) return known;
    const made = make(seedOf(tenant), {
      tenant: listed === undefined ? '#seed' : `/${listed}#seed`,
      now: today,
      profile,
    });
    bases.set(listed, made);
    return made;
  };
  // a fault in a seed from the options is reported at the start
  if (given !== parts.seed) base('');
  /** Ids of the common records that belong together, by path parameter. */
  const ids = (): Readonly<Record<string, string>> => idsIn(new TenantRecords(() => base('')), file);
  return { base, seed: seedOf, common, ids, tenants: [...own.keys()] };
}

export function rolesOf(entities: Entities, plan: Pick<Plan, 'operations'>, starts: InitialRecords): MockRoles {
  const { file, kinds } = entities;
  const { base } = starts;
  const parameters = starts.ids();
  const { parameters: _, ...groups } = file.roles ?? {};
  const failing: Record<string, Record<string, string>> = {};
  for (const [name, kind] of Object.entries(file.kinds))
    for (const condition of Object.values(kinds[name]?.conditions ?? {}))
      for (const [id, record] of base('')[name] ?? [])
        if (truthOf(file.conditions?.[condition], { record }) === false)
          failing[condition] = { [idOf(kind)]: id, ...failing[condition] };
  const records = new TenantRecords(() => base(''));
  const paths = idsOnPaths(plan, entities, records, parameters);
  const bodies = idsInBodies(entities, records, parameters);
  return { parameters, paths, bodies, ids: Object.assign({}, ...Object.values(groups)), failing };
}

export function tenantsWord({ tenants = 'tenants' }: EntitiesFile): string {
  return tenants;
}

export function pluralsOf({ kinds }: EntitiesFile): ReadonlyMap<string, string> {
  return new Map(Object.entries(kinds).map(([name, kind]) => [pluralOf(name, kind), name]));
}

/** Merges a seed with `extends` over the contract's seed. Records are matched by id; new records are added. */
function resolved({ extends: extended, ...seed }: Seed, { seed: usual, entities: { file } }: Parts): Seed {
  return extended === undefined ? seed : merged(usual, seed, file);
}

function merged(under: Value, over: Value, file: EntitiesFile): Value {
  const plurals = pluralsOf(file);
  const result: Record<string, unknown> = { ...under };
  for (const [part, value] of Object.entries(over)) {
    const kind = file.kinds[plurals.get(part) ?? ''];
    const before = under[part];
    if (kind && Array.isArray(before) && Array.isArray(value))
      result[part] = mergedRecords(before, value, idOf(kind), file);
    else if (isObject(before) && isObject(value)) result[part] = { ...before, ...value };
    else result[part] = value;
  }
  return result;
}

function mergedRecords(
  under: readonly Value[],
  over: readonly Value[],
  id: string,
  file: EntitiesFile,
): readonly Value[] {
  const ids = new Map(under.map((record, index) => [record[id], index]));
  const result = [...under];
  for (const record of over) {
    const at = record[id] === undefined ? undefined : ids.get(record[id]);
    if (at === undefined) result.push(record);
    else result[at] = merged(under[at] ?? {}, record, file);
  }
  return result;
}

/**
 * The given records, or one of each kind, for a folder without a seed. Kinds that cannot be generated are left out.
 * @param given by the key of the kind in a seed
 */
export function firstRecords({ entities, hooks, profile }: Omit<Parts, 'seed'>, given: Seed = {}): Seed {
  const { file } = entities;
  const make = makerOf({ entities, hooks }, 1);
  let seed: Seed = {};
  for (const [plural, name] of pluralsOf(file)) {
    try {
      const made = make({ ...seed, [plural]: given[plural] ?? [{}] }, { tenant: '#seed', now: THEN, profile });
      seed = { ...seed, [plural]: [...(made[name]?.values() ?? [])] };
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
    }
  }
  return seed;
}

type Make = (seed: Seed, start: Pick<Asked, 'tenant' | 'now' | 'profile'>) => StartRecords;

/** Makes the records of a seed. Missing members are generated as for a request; null omits a member. */
function makerOf({ entities, hooks }: Pick<Parts, 'entities' | 'hooks'>, number: number): Make {
  const { file } = entities;
  const kinds = compileKinds(entities, hooks, number);
  const transitions = compileTransitions(file, kinds, hooks);
  const plurals = [...pluralsOf(file)];
  return (seed, start) => {
    // a kind or a member may be called `constructor`
    const draft = new Draft(new TenantRecords(() => Object.create(null)));
    /** @param parents ids of the records around, by kind */
    const walk = (value: Value, parents: Value, around: Asked): void => {
      for (const [plural, name] of plurals) {
        const kind = kinds.get(name);
        const list = value[plural];
        if (!kind || !Array.isArray(list)) continue;
        for (const one of list as readonly Value[]) {
          const { count, ...single } = one;
          const isMany = countIn(file.kinds[name] as Kind, one) !== undefined;
          const asked = isMany ? { ...around, now: start.now } : around;
          const make = (then: Asked) => makeOne(draft, kind, isMany ? single : one, parents, then, isMany);
          const { made, refused } = isMany
            ? makeMany(draft, { kind, transitions, asked, count: Number(count) }, make)
            : onlyOne(make(asked));
          if (refused) throw unmade(name, refused, made.length);
          for (const record of made) walk(one, { ...parents, [name]: record[kind.id] }, asked);
        }
      }
    };
    walk(seed, {}, { ...start, parameters: {}, query: '', body: undefined, now: THEN });
    return startOf(draft, file);
  };

  function makeOne(
    draft: Draft,
    kind: CompiledKind,
    one: Value,
    parents: Value,
    asked: Asked,
    isMany: boolean,
  ): Value | RefusedChange {
    const { sent: said, absent } = split(one);
    for (const [part] of plurals) delete said[part];
    const around = kind.references.filter(({ of }) => parents[of] !== undefined);
    const above = Object.fromEntries(around.map(({ field, of }) => [field, parents[of]]));
    const sent = Object.assign(Object.create(null), above, said) as Value;
    const ids = kind.chosen(draft, asked, sent, isMany);
    const making = kind.begin(draft, asked, sent, ids instanceof RefusedChange ? above : ids);
    return kind.make(draft, making, absent, isMany);
  }
}

function onlyOne(record: Value | RefusedChange): Made {
  return record instanceof RefusedChange ? { made: [], refused: record } : { made: [record] };
}

function unmade(name: string, { detail }: RefusedChange, before: number): ToolError {
  const after = before === 0 ? '' : ` after ${before} others of its entry`;
  return new ToolError('config', `The seed has a ${name} that cannot be made up${after}: ${detail}.`);
}

function startOf(draft: Draft, file: EntitiesFile): StartRecords {
  const base: Record<string, Map<string, Value>> = {};
  for (const name of Object.keys(file.kinds)) base[name] = new Map();
  for (const { kind, id, value } of draft.changes) {
    if (!value) continue;
    base[kind]?.set(id, Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)));
  }
  return base;
}
