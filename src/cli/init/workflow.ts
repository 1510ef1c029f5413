import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CredentialVariables } from '../../config/environment.ts';
import { VARIABLES } from '../../config/environment.ts';
import { readTextFile, unlessMissing } from '../../files/read.ts';
import { packageRoot } from '../../package-root.ts';

export const PLATFORMS = ['github', 'gitlab', 'none'] as const;
export type Platform = (typeof PLATFORMS)[number];

/** File names relative to the working folder, each with its text. */
export type Texts = Readonly<Record<string, string>>;

const GITHUB = '.github/workflows/banking-api-nightly.yml';
const GITLAB = '.gitlab/banking-api.yml';
const GITLAB_ROOT = '.gitlab-ci.yml';

/** The platform of the repository in this folder. */
export async function platformOf(cwd: string): Promise<Platform> {
  const exists = (name: string): boolean => existsSync(join(cwd, name));
  const remotes = await readFile(join(cwd, '.git/config'), 'utf8').catch(() => '');
  if (exists(GITLAB_ROOT) || /gitlab/i.test(remotes)) return 'gitlab';
  return exists('.github') || /github/i.test(remotes) ? 'github' : 'none';
}

/** The workflow of a platform, from the templates of the package. */
export async function workflowFor(
  platform: Platform,
  cwd: string,
  { baseUrl, variables }: { readonly baseUrl: string; readonly variables: CredentialVariables },
): Promise<{ readonly texts: Texts; readonly steps: readonly string[] }> {
  const { username, password } = variables;
  const template = async (name: string): Promise<string> => {
    const text = await readTextFile(join(packageRoot, 'ci', name));
    // the first comment lists what a person must set up by hand
    return text
      .replace(/^(?:#.*\n)+/, `# Written by banking-api init. It needs the secrets ${username} and ${password}.\n`)
      .replaceAll(VARIABLES.username, username)
      .replaceAll(VARIABLES.password, password)
      .replace(`\${{ vars.${VARIABLES.baseUrl} }}`, JSON.stringify(baseUrl));
  };
  const secrets = `Add ${username} and ${password} to the secrets of the repository.`;
  if (platform === 'none') return { texts: {}, steps: ['To verify again: npx banking-api verify'] };
  const lock = await unlessMissing(readTextFile(join(cwd, 'package-lock.json')), '');
  const locked = lock.includes('"node_modules/banking-api-contract"')
    ? 'Commit package.json and package-lock.json. The workflow installs what they name.'
    : 'Run npm install --save-dev banking-api-contract, and commit package-lock.json: it pins what the workflow installs.';
  if (platform === 'github') return { texts: { [GITHUB]: await template('nightly.yml') }, steps: [secrets, locked] };
  const root = await unlessMissing(readTextFile(join(cwd, GITLAB_ROOT)), undefined);
  const include = `include: [{ local: ${GITLAB} }]`;
  const isIncluded = root?.includes(GITLAB) ?? true;
  return {
    texts: { [GITLAB]: await template('gitlab.yml'), ...(root === undefined && { [GITLAB_ROOT]: `${include}\n` }) },
    steps: [
      ...(isIncluded ? [] : [`Add to ${GITLAB_ROOT}: ${include}`]),
      `Add ${username} and ${password} to the CI/CD variables, masked. Schedule a nightly pipeline.`,
      locked,
    ],
  };
}
