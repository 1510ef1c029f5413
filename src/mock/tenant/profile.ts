import { basename, extname, join } from 'node:path';
import type { EntitiesFile } from '../../../generated/mock/entities.ts';
import { readChecked } from '../../contract/checked-file.ts';
import type { Contract } from '../../contract/contract.ts';
import type { ContractFolder } from '../../contract/folder.ts';
import { ToolError } from '../../errors.ts';
import { PROFILE } from '../../files/read.ts';
import { isObject } from '../../schema/json.ts';
import { didYouMean } from '../../text/suggest.ts';
import type { Defect } from '../state/entities-file.ts';
import { namedFile } from './named-file.ts';

/** The kind of tenant that the mock plays. More members come from the contract's `mocks/profiles/default.yaml`. */
export interface Profile {
  readonly name: string;
  readonly description: string;
  /** Seconds. */
  readonly tokenLifetime: number;
  /** operationIds of the deprecated forms that still work; the rest are withdrawn. Null: all deprecated forms work. */
  readonly deprecatedForms: readonly string[] | null;
  readonly [member: string]: unknown;
}

type Members = Readonly<Record<string, unknown>>;
type Profiles = Pick<ContractFolder, 'profiles' | 'published'>;
type Words = NonNullable<EntitiesFile['words']>;

/** Merges a profile over another. Missing members, also of an object, come from the base. */
export function profileOver(base: Profile, over: Members): Profile {
  const merged = Object.entries(over).map(([name, value]) => {
    const was = base[name];
    return [name, isObject(was) && isObject(value) ? { ...was, ...value } : value];
  });
  return { ...base, ...(Object.fromEntries(merged) as Partial<Profile>) };
}

/**
 * Reads a profile by name or file. It may have only members of the default profile, of the same types.
 * @param words Allowed values of a member.
 * @throws ToolError `usage` for an unknown name, `config` with its place, `file-missing`, `file-unreadable`.
 */
export async function readProfile(
  nameOrFile: string,
  usual: Profile,
  folder: Profiles,
  words: Words = {},
): Promise<Profile> {
  const file = await namedFile('profile', nameOrFile, folder.profiles);
  const members = await readMembers(file, folder, (read) => faultOf(read, usual, words));
  return { ...profileOver(usual, members), name: basename(file, extname(file)) };
}

/** The members of every profile, with the values used if the contract's default profile omits them. */
export function defaultsOf({ token }: Contract): Profile {
  return { name: 'default', description: '', tokenLifetime: token?.lifetime ?? 3600, deprecatedForms: null };
}

/** The default profile of a folder defines the members and their types. */
export async function readDefaultProfile(folder: Profiles, engine: Profile): Promise<Profile> {
  const members = await readMembers(join(folder.profiles, 'default.yaml'), folder, (read) =>
    faultOf(Object.fromEntries(Object.entries(read).filter(([name]) => name in engine)), engine, {}),
  );
  return { ...engine, ...members, name: 'default', deprecatedForms: null };
}

async function readMembers(
  file: string,
  { published }: Profiles,
  judge: (members: Members) => Defect | undefined,
): Promise<Members> {
  const { value, placeOf } = await readChecked<Members>(file, published ? 'profile' : null, PROFILE);
  const { $schema: _, ...members } = value;
  const fault = judge(members);
  if (fault) throw new ToolError('config', fault.message, { place: await placeOf(fault.pointer) });
  return members;
}

/** The first fault: a member that the default profile lacks, or a value of another type. */
function faultOf(members: unknown, usual: unknown, words: Words, pointer = ''): Defect | undefined {
  if (!isObject(usual))
    return typeOf(members) === typeOf(usual) ? undefined : { pointer, message: `It must be ${typeOf(usual)}.` };
  if (!isObject(members)) return { pointer, message: 'It must be object.' };
  for (const [name, value] of Object.entries(members)) {
    const at = `${pointer}/${name}`;
    const known = Object.keys(usual).filter((one) => one !== 'name' || pointer !== '');
    if (!known.includes(name))
      return { pointer: at, message: `The default profile has no ${name}.${didYouMean(name, known)}` };
    if (words[name] && !words[name].includes(String(value)))
      return { pointer: at, message: `It must be one of ${words[name].join(', ')}.` };
    const fault = faultOf(value, usual[name], words, at);
    if (fault) return fault;
  }
  return undefined;
}

/** Null counts as a list: it stands for a missing list. */
function typeOf(value: unknown): string {
  return Array.isArray(value) || value === null ? 'array' : typeof value;
}
