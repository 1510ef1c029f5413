import { join } from 'node:path';
import { ToolError } from '../../errors.ts';
import { yamlFiles } from '../../files/read.ts';
import { didYouMean } from '../../text/suggest.ts';

/** True for letters, digits and hyphens: the name of a file in the contract folder. Anything else is a file. */
export function isName(nameOrFile: string): boolean {
  return /^[A-Za-z0-9-]+$/.test(nameOrFile);
}

/**
 * The file that a name or a path refers to.
 * @param what the kind of file, for the error
 * @param others further names, with their files
 * @throws ToolError `usage` for an unknown name
 */
export async function namedFile(
  what: 'profile' | 'seed',
  nameOrFile: string,
  folder: string,
  others: Readonly<Record<string, string>> = {},
): Promise<string> {
  if (!isName(nameOrFile)) return nameOrFile;
  const known = [...new Set([...Object.keys(others), ...(await yamlFiles(folder)).keys()])];
  if (known.includes(nameOrFile)) return others[nameOrFile] ?? join(folder, `${nameOrFile}.yaml`);
  throw new ToolError('usage', `There is no ${what} ${nameOrFile}.${didYouMean(nameOrFile, known)}`, {
    hint: `Known: ${known.join(', ')}; or a file, for example ./${nameOrFile}.yaml.`,
  });
}
