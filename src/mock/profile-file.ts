import { readdir } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { ToolError } from '../errors.ts';
import { readChecked } from '../files/checked-file.ts';
import { packageRoot } from '../package-root.ts';
import { didYouMean } from '../suggest.ts';
import { DEFAULT_PROFILE, type Profile } from './profile.ts';

const FOLDER = join(packageRoot, 'mocks', 'profiles');

type ProfileFile = Partial<Omit<Profile, 'name' | 'paymentProvider'>> & {
  readonly $schema?: string;
  readonly paymentProvider?: { readonly external: boolean; readonly name?: string };
};

/** Names of the package's own profiles, sorted. */
export async function profileNames(): Promise<readonly string[]> {
  const files = await readdir(FOLDER);
  return files
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => file.slice(0, -'.yaml'.length))
    .sort();
}

/** The file of a profile: of the package where it is a name, else the file itself. */
export function profileFile(nameOrFile: string): string {
  return isName(nameOrFile) ? join(FOLDER, `${nameOrFile}.yaml`) : nameOrFile;
}

/** A word is a name; what holds a dot or a slash is a file. */
function isName(nameOrFile: string): boolean {
  return /^[A-Za-z0-9-]+$/.test(nameOrFile);
}

/**
 * Reads a profile (`schemas/profile.schema.json`): one of the package by its name, or a file.
 * @throws ToolError `usage` for a name that is not known, `config` with file, line and column, `file-missing`, `file-unreadable`.
 */
export async function readProfile(nameOrFile: string): Promise<Profile> {
  const file = profileFile(nameOrFile);
  if (isName(nameOrFile)) {
    const known = await profileNames();
    if (!known.includes(nameOrFile)) {
      throw new ToolError('usage', `There is no profile ${nameOrFile}.${didYouMean(nameOrFile, known)}`, {
        hint: `Known: ${known.join(', ')}; or a file, such as ./${nameOrFile}.yaml.`,
      });
    }
  }
  const { value } = await readChecked<ProfileFile>(file, 'profile');
  const { $schema: _, paymentProvider = DEFAULT_PROFILE.paymentProvider, ...rest } = value;
  const { external, name = external ? DEFAULT_PROFILE.paymentProvider.name : 'main-banking-provider' } =
    paymentProvider;
  const profile = { ...DEFAULT_PROFILE, ...rest, paymentProvider: { external, name } };
  return { ...profile, name: basename(file, extname(file)) };
}
