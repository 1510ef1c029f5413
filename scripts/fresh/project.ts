import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { packageRoot } from '../../src/package-root.ts';

/** A user's project. Its only link to this clone is the packed tarball. */
export type Project = ReturnType<typeof freshProject>;

export interface How {
  readonly node?: string | undefined;
  readonly code?: number;
  readonly env?: Readonly<Record<string, string>>;
}

type Ranges = Readonly<Record<string, string>>;

export const { engines, dependencies, peerDependencies } = JSON.parse(
  readFileSync(join(packageRoot, 'package.json'), 'utf8'),
) as { readonly engines: { readonly node: string }; readonly dependencies: Ranges; readonly peerDependencies: Ranges };

/** The oldest supported Node. */
export const FLOOR: string = `${engines.node.replace('>=', '')}.0`;

export const COMMAND = 'node_modules/banking-api-contract/bin/banking-api.js';

/** An environment with a given `node`, without variables of the current npm run. */
function environment(node: string, more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(npm_|BANKING_API_|NODE_OPTIONS$)/i.test(name));
  return { ...Object.fromEntries(own), PATH: [dirname(node), process.env.PATH].join(delimiter), ...more };
}

/** Returns the output, or throws it if the exit code differs. */
export function run(folder: string, program: string, args: readonly string[], how: How = {}): string {
  const { node = process.execPath, code = 0, env } = how;
  const options = { cwd: folder, env: environment(node, env), encoding: 'utf8', timeout: 300_000 } as const;
  const { status, stdout, stderr, error } = spawnSync(program, args, options);
  if (status === code) return `${stdout}${stderr}`;
  const line = [program, ...args].join(' ');
  throw new Error(`${line}\n  in ${folder} ended with ${status ?? error}, not ${code}:\n${stdout}${stderr}`);
}

/** An empty project with packages from a plain `npm install`, on the system's Node. */
export function freshProject(folder: string, packages: readonly string[], overrides: object = {}) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module', overrides }));
  run(folder, 'npm', ['install', '--no-audit', '--no-fund', ...packages]);
  const copy = (name: string, from = join(import.meta.dirname, 'programs')): void =>
    copyFileSync(join(from, name), join(folder, name));
  return {
    folder,
    copy,
    /** Runs `node ARGS…`. */
    run: (args: readonly string[], how: How = {}): string => run(folder, how.node ?? process.execPath, args, how),
    /** Runs one of `programs/`, which throws if a user's expectation fails. */
    program(name: string, how: How = {}): string {
      copy(name);
      return run(folder, how.node ?? process.execPath, [name], how);
    },
  };
}

export function nodeFromNpm(folder: string, version: string): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, allowScripts: { node: true } }));
  run(folder, 'npm', ['install', '--no-audit', '--no-fund', `node@${version}`]);
  return join(folder, 'node_modules/node/bin/node');
}
