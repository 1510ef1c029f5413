import { basename, extname, join } from 'node:path';
import type { EntitiesFile } from '../../../generated/mock/entities.ts';
import type { Contract } from '../../contract/contract.ts';
import type { ContractFolder } from '../../contract/folder.ts';
import { ToolError } from '../../errors.ts';
import { readChecked } from '../../files/checked-file.ts';
import { yamlFiles } from '../../files/read.ts';
import { didYouMean } from '../../suggest.ts';
import { isObject, type Profile, profileOver } from './profile.ts';

/** Names of the profiles of a folder, sorted. */
export async function profileNames({ profiles }: Pick<ContractFolder, 'profiles'>): Promise<readonly string[]> {
  return [...(await yamlFiles(profiles)).keys()];
}

/** A word is a name; what holds a dot or a slash is a file. */
function isName(nameOrFile: string): boolean {
  return /^[A-Za-z0-9-]+$/.test(nameOrFile);
}

/**
 * Reads a profile: one of the contract by its name, or a file. Its form is that of the default profile.
 * @param words What a member may be, where not every text will do.
 * @throws ToolError `usage` for a name that is not known, `config` with file, line and column, `file-missing`, `file-unreadable`.
 */
export async function readProfile(
  nameOrFile: string,
  usual: Profile,
  folder: Pick<ContractFolder, 'profiles' | 'isOwn'>,
  words: EntitiesFile['words'] = {},
): Promise<Profile> {
  if (isName(nameOrFile)) {
    const known = await profileNames(folder);
    if (!known.includes(nameOrFile)) {
      throw new ToolError('usage', `There is no profile ${nameOrFile}.${didYouMean(nameOrFile, known)}`, {
        hint: `Known: ${known.join(', ')}; or a file, such as ./${nameOrFile}.yaml.`,
      });
    }
  }
  const file = isName(nameOrFile) ? join(folder.profiles, `${nameOrFile}.yaml`) : nameOrFile;
  const { value, placeOf } = await readChecked<Readonly<Record<string, unknown>>>(
    file,
    folder.isOwn ? 'profile' : null,
  );
  const { $schema: _, ...members } = value;
  const fault = faultOf(members, usual, words);
  if (fault) throw new ToolError('config', fault.message, { place: await placeOf(fault.pointer) });
  return { ...profileOver(usual, members), name: basename(file, extname(file)) };
}

/** What every profile says, as it is where the default profile of a contract does not say it. */
export function defaultsOf({ token }: Contract): Profile {
  return { name: 'default', description: '', tokenLifetime: token?.lifetime ?? 3600, deprecatedForms: null };
}

/**
 * Reads the default profile of a folder, which says what members there are and of which type. Where no profile is asked for, all
 * deprecated forms live.
 */
export async function readDefaultProfile(
  folder: Pick<ContractFolder, 'profiles' | 'isOwn'>,
  engine: Profile,
): Promise<Profile> {
  const file = join(folder.profiles, 'default.yaml');
  const { value, placeOf } = await readChecked<Readonly<Record<string, unknown>>>(
    file,
    folder.isOwn ? 'profile' : null,
  );
  const known = Object.fromEntries(Object.entries(value).filter(([name]) => name in engine));
  const fault = faultOf(known, engine, {});
  if (fault) throw new ToolError('config', fault.message, { place: await placeOf(fault.pointer) });
  return { ...engine, ...value, name: 'default', deprecatedForms: null };
}

/** The first member that the default profile does not have, or has of another type. */
function faultOf(
  members: unknown,
  usual: unknown,
  words: NonNullable<EntitiesFile['words']>,
  pointer = '',
): { readonly pointer: string; readonly message: string } | undefined {
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

/** Lists and null are one: the list that is not given. */
function typeOf(value: unknown): string {
  return Array.isArray(value) || value === null ? 'array' : typeof value;
}
