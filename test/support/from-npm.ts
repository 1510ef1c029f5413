import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startable } from '../../src/files/startable.ts';

export interface FromNpm {
  /** A folder with the packages in its `node_modules`; empty if they are not available. */
  readonly folder: string;
  /** The title suffix of a skipped test; empty if all packages are available. */
  readonly missing: string;
}

/**
 * Programs and their dependencies that weigh more than this repository. `given` names a folder that already contains
 * them. If there is neither a folder nor a registry, tests are skipped with a message.
 */
export function installed(packages: readonly string[], given: string | undefined): Promise<FromNpm> {
  return gather(packages, given, (npm) => {
    npm('install', '--ignore-scripts', '--no-audit', '--no-fund', ...packages);
  });
}

/** Packages that a browser loads directly: without dependencies, because their bundles contain them. */
export function unpacked(packages: readonly string[], given: string | undefined): Promise<FromNpm> {
  return gather(packages, given, (npm, folder) => {
    for (const wanted of packages) {
      const target = join(folder, 'node_modules', wanted.slice(0, wanted.lastIndexOf('@')));
      mkdirSync(target, { recursive: true });
      const archive = npm('pack', '--silent', wanted).trim().split('\n').at(-1) ?? '';
      execFileSync('tar', ['-xzf', join(folder, archive), '-C', target, '--strip-components=1']);
    }
  });
}

type Npm = (...args: string[]) => string;

async function gather(
  packages: readonly string[],
  given: string | undefined,
  fill: (npm: Npm, folder: string) => void,
): Promise<FromNpm> {
  if (given) return { folder: given, missing: '' };
  const folder = await mkdtemp(join(tmpdir(), 'from-npm-'));
  await writeFile(join(folder, 'package.json'), '{"private":true}');
  const npm: Npm = (...words) => {
    const { file, args, shell } = startable('npm', words);
    const stdio = ['ignore', 'pipe', 'ignore'] as const;
    return execFileSync(file, args, { shell, cwd: folder, encoding: 'utf8', stdio: [...stdio], timeout: 480_000 });
  };
  try {
    npm('ping', '--fetch-timeout=15000', '--fetch-retries=0');
    fill(npm, folder);
    return { folder, missing: '' };
  } catch {
    return { folder: '', missing: ` [not to be had from npm: ${packages.join(', ')}]` };
  }
}
