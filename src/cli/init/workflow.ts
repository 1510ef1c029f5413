import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { readTextFile, unlessMissing } from '../../files/read.ts';
import { variablesOf } from '../../model/variables.ts';
import { packageRoot } from '../../package-root.ts';

export const PLATFORMS = ['github', 'gitlab', 'none'] as const;
export type Platform = (typeof PLATFORMS)[number];

/** File names relative to the working folder, each with its text. */
export type Texts = Readonly<Record<string, string>>;

const GITHUB = '.github/workflows/banking-api-nightly.yml';
const GITLAB = '.gitlab/banking-api.yml';
const GITLAB_ROOT = '.gitlab-ci.yml';

const USUAL = variablesOf();
const USUAL_NAME = new RegExp(Object.values(USUAL).join('|'), 'g');

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
  { target, variables, credentials, token }: Config,
): Promise<{ readonly texts: Texts; readonly steps: readonly string[] }> {
  const names = credentials === null && token ? variables.token : `${variables.username} and ${variables.password}`;
  const keys = Object.keys(USUAL) as (keyof typeof USUAL)[];
  const inUse = new Map<string, string>(keys.map((key) => [USUAL[key], variables[key]]));
  const template = async (name: string): Promise<string> => {
    const text = await readTextFile(join(packageRoot, 'ci', name));
    // the first comment lists what a person must set up by hand
    return text
      .replace(/^(?:#.*\n)+/, `# Written by banking-api init. Secrets: ${names}.\n`)
      .replace(`\${{ vars.${USUAL.baseUrl} }}`, JSON.stringify(target))
      .replace(USUAL_NAME, (name) => inUse.get(name) ?? name);
  };
  const secrets = `Add ${names} to the secrets of the repository.`;
  if (platform === 'none') return { texts: {}, steps: ['To verify again: npx banking-api verify'] };
  const lock = await unlessMissing(readTextFile(join(cwd, 'package-lock.json')), '');
  const locked = lock.includes('"node_modules/banking-api-contract"')
    ? 'Commit package.json and package-lock.json. The workflow installs what they name.'
    : 'No package-lock.json here has banking-api-contract. Add the package with npm install --save-dev, and commit the file: it pins what the workflow installs.';
  if (platform === 'github') return { texts: { [GITHUB]: await template('nightly.yml') }, steps: [secrets, locked] };
  const root = await unlessMissing(readTextFile(join(cwd, GITLAB_ROOT)), undefined);
  const include = `include: [{ local: ${GITLAB} }]`;
  const isIncluded = root?.includes(GITLAB) ?? true;
  return {
    texts: { [GITLAB]: await template('gitlab.yml'), ...(root === undefined && { [GITLAB_ROOT]: `${include}\n` }) },
    steps: [
      ...(isIncluded ? [] : [`Add to ${GITLAB_ROOT}: ${include}`]),
      `Add ${names} to the CI/CD variables, masked. Schedule a nightly pipeline.`,
      locked,
    ],
  };
}
