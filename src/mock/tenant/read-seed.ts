import { readPlaced, schemaProblems } from '../../contract/checked-file.ts';
import type { ContractFolder } from '../../contract/folder.ts';
import { ToolError } from '../../errors.ts';
import { SEED } from '../../files/read.ts';
import { joinPointer } from '../../text/pointer.ts';
import { didYouMean } from '../../text/suggest.ts';
import { type Entities, idOf, noSuchField } from '../state/entities.ts';
import type { Defect } from '../state/entities-file.ts';
import { compileKinds } from '../state/kinds.ts';
import { MOST_AT_ONCE } from '../state/many.ts';
import type { Value } from '../state/records.ts';
import { pluralsOf, tenantsWord } from './initial-records.ts';
import { countIn, recordsIn, type Seed, type SeedRecord } from './seed.ts';

const MOST_TOLD = 1000;

type Published = Pick<ContractFolder, 'published'>;

export const SEED_MODULE: RegExp = /\.[cm]?[jt]s$/i;

/**
 * Reads a seed from YAML, JSON, or the default export of a module (a value or a function).
 * @throws ToolError `config` with all faults, each with file, line and column; `file-missing`, `file-unreadable`.
 */
export async function readSeed(file: string, entities: Entities, folder: Published): Promise<Seed> {
  if (SEED_MODULE.test(file))
    return heldSeed(await moduleValue(file), entities, folder, async (pointer) => ({ file, pointer }));
  const { value, placeOf } = await readPlaced(file, SEED);
  return heldSeed(value, entities, folder, placeOf);
}

export async function heldSeed(
  value: unknown,
  entities: Entities,
  { published }: Published,
  placeOf: (pointer: string, part?: 'key' | 'value') => Promise<NonNullable<ToolError['place']>>,
): Promise<Seed> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ToolError('config', 'A seed must be an object.', { place: await placeOf('') });
  const seed = value as Seed;
  const faults: (Defect & { readonly part?: 'key' })[] = [];
  if (published) faults.push(...(await schemaProblems(seed, 'seed')).slice(0, MOST_TOLD));
  const reported = new Set(faults.map(({ pointer }) => pointer));
  for (const fault of seedFaults(seed, entities)) {
    if (faults.length >= MOST_TOLD) break;
    if (!reported.has(fault.pointer)) faults.push(fault);
    reported.add(fault.pointer);
  }
  if (faults.length === 0) return seed;
  const errors = await Promise.all(
    faults.map(
      async ({ pointer, message, hint, part }) =>
        new ToolError('config', message, { place: await placeOf(pointer, part), hint: hint || undefined }),
    ),
  );
  errors.sort((a, b) => (a.place?.line ?? 0) - (b.place?.line ?? 0) || (a.place?.column ?? 0) - (b.place?.column ?? 0));
  const [first, ...others] = errors;
  throw new ToolError('config', first?.message ?? '', { place: first?.place, hint: first?.hint, others });
}

async function moduleValue(file: string): Promise<unknown> {
  const [{ stat }, { pathToFileURL }] = await Promise.all([import('node:fs/promises'), import('node:url')]);
  let changed: number;
  try {
    changed = (await stat(file)).mtimeMs;
  } catch (cause) {
    throw new ToolError('file-missing', 'There is no such file.', { place: { file }, cause });
  }
  try {
    // the query makes Node load a changed module again
    const { default: given } = (await import(`${pathToFileURL(file).href}?changed=${changed}`)) as {
      default?: unknown;
    };
    const value: unknown = typeof given === 'function' ? await given() : given;
    if (value === undefined) throw new Error('it has no default export that is a seed, or a function that gives one');
    return JSON.parse(JSON.stringify(value)) as unknown;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ToolError('config', `The seed cannot be loaded: ${reason}.`, { place: { file }, cause });
  }
}

function* seedFaults(seed: Seed, entities: Entities): Generator<Defect> {
  const { file, tenant } = entities;
  const word = tenantsWord(file);
  yield* extendsFaults(seed, '');
  yield* recordFaults([...recordsIn(seed, file)], entities, seed.extends !== undefined);
  const list = seed[word];
  if (list === undefined) return;
  if (tenant === null || !Array.isArray(list)) {
    yield { pointer: `/${word}`, message: tenant === null ? 'This API has no tenants.' : 'It must be a list.' };
    return;
  }
  const ids = new Set<unknown>();
  for (const [index, entry] of (list as readonly Value[]).entries()) {
    const at = `/${word}/${index}`;
    const id = entry?.[tenant];
    if (typeof id !== 'string' || id === '') yield { pointer: at, message: `It must say its ${tenant}.` };
    else if (ids.has(id))
      yield { pointer: `${at}/${tenant}`, message: `The ${tenant} ${JSON.stringify(id)} is there already.` };
    ids.add(id);
    if (typeof entry !== 'object' || entry === null) continue;
    yield* extendsFaults(entry, at);
    yield* recordFaults([...recordsIn(entry, file, {}, at)], entities, entry.extends !== undefined);
  }
}

function* extendsFaults(seed: Value, at: string): Generator<Defect> {
  if (seed.extends !== undefined && seed.extends !== 'default')
    yield { pointer: `${at}/extends`, message: 'It must be default: the seed of the contract.' };
}

/** @param isExtended records may refer to records of the contract's seed */
function* recordFaults(records: readonly SeedRecord[], entities: Entities, isExtended: boolean): Generator<Defect> {
  const kinds = compileKinds(entities, {}, 0);
  const byId = new Map<string, Value>();
  for (const record of records) {
    const id = record.value[idOf(record.kind)];
    const key = `${record.name}/${String(id)}`;
    yield* faultsOfOne(record, entities, id !== undefined && byId.has(key));
    if (id !== undefined) byId.set(key, record.value);
  }
  for (const { name, value, members, pointer } of records) {
    const kind = kinds.get(name);
    const faults = [
      ...(kind?.misplaced(members, { record: value }) ?? []),
      ...((!isExtended && kind?.lost(value, (of, id) => byId.get(`${of}/${id}`))) || []),
    ];
    for (const fault of faults) yield { ...fault, pointer: pointer + fault.pointer };
  }
}

/** Faults of one record: a duplicate id, a missing required member, or an unknown member. */
function* faultsOfOne(
  { name, kind, value, members, pointer }: SeedRecord,
  { file }: Entities,
  isThere: boolean,
): Generator<Defect> {
  const id = idOf(kind);
  const count = countIn(kind, value);
  if (count !== undefined && !(Number.isInteger(count) && Number(count) >= 1 && Number(count) <= MOST_AT_ONCE))
    yield { pointer: `${pointer}/count`, message: `It must be a whole number from 1 to ${MOST_AT_ONCE}.` };
  else if (Number(count) > 1 && members.includes(id))
    yield {
      pointer: `${pointer}/${id}`,
      message: `${count} records cannot share the ${id} ${JSON.stringify(value[id])}.`,
    };
  for (const field of kind.needs ?? [])
    if (!members.includes(field)) yield { pointer, message: `It must say its ${field}.` };
  if (isThere)
    yield { pointer: `${pointer}/${id}`, message: `The ${id} ${JSON.stringify(value[id])} is there already.` };
  const known = [id, ...Object.keys(kind.fields), ...pluralsOf(file).keys(), 'count'];
  for (const field of members) {
    if (!known.includes(field))
      yield {
        pointer: joinPointer(pointer, field),
        message: noSuchField(name, field),
        hint: didYouMean(field, known).trim(),
      };
  }
}
