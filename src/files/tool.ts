import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../package-root.ts';

/** As in `package.json`. */
export type Repository = string | { readonly url?: string };

const manifest = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {
  name: string;
  version: string;
  repository?: Repository;
};

export const tool: { readonly name: string; readonly version: string } = {
  name: manifest.name,
  version: manifest.version,
};

/** `OWNER/NAME` of a repository on GitHub; null for any other text. */
export function repositoryOf(stated: Repository = ''): string | null {
  const url = typeof stated === 'string' ? stated : (stated.url ?? '');
  return /^(?:github:|(?:.*[/@])?github\.com[/:])?([\w.-]+\/[\w.-]+?)(?:\.git)?$/.exec(url)?.[1] ?? null;
}

const repository = repositoryOf(manifest.repository);

export const bugsUrl: string | null = repository && `https://github.com/${repository}/issues`;
