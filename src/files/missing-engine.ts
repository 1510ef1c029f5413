import { existsSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { ToolError } from '../errors.ts';
import { packageRoot } from '../package-root.ts';

export interface CommandLine {
  readonly program: string;
  readonly args: readonly string[];
}

/** Installation of this package. It decides how another package is added. */
export type Home =
  /** Its own repository: the development dependencies are not installed. */
  | { readonly kind: 'clone' }
  /** The cache of npx; `packages` are the packages of the npx command. */
  | { readonly kind: 'npx'; readonly packages: readonly string[] }
  | { readonly kind: 'global' }
  | { readonly kind: 'project'; readonly folder: string };

/** @param root folder of this package */
export function homeOf(root: string): Home {
  const at = root.split(sep).indexOf('node_modules');
  if (at < 0) return { kind: 'clone' };
  const folder = root.split(sep).slice(0, at).join(sep);
  const manifest = manifestIn(folder);
  if (manifest === undefined) return { kind: 'global' };
  if (manifest._npx === undefined) return { kind: 'project', folder };
  return { kind: 'npx', packages: manifest._npx.packages ?? ['banking-api-contract'] };
}

interface Manifest {
  /** npx records here which packages it installed. */
  readonly _npx?: { readonly packages?: readonly string[] };
}

function manifestIn(folder: string): Manifest | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  } catch {
    return undefined;
  }
}

/** The lock file of each package manager, and its command for adding a development dependency. */
const MANAGERS: readonly (readonly [lock: string, program: string, ...args: string[]])[] = [
  ['pnpm-lock.yaml', 'pnpm', 'add', '--save-dev'],
  ['yarn.lock', 'yarn', 'add', '--dev'],
  ['bun.lock', 'bun', 'add', '--dev'],
  ['bun.lockb', 'bun', 'add', '--dev'],
];

/**
 * The command that installs packages. For npx it repeats the whole command, because its cache cannot be extended.
 * @param command the arguments after `banking-api`
 */
export function lineToAdd(packages: readonly string[], home: Home, command: readonly string[]): CommandLine {
  if (home.kind === 'clone') return { program: 'npm', args: ['ci'] };
  if (home.kind === 'global') return { program: 'npm', args: ['install', '--global', ...packages] };
  if (home.kind === 'npx') {
    const wanted = [...home.packages, ...packages].flatMap((name) => ['-p', name]);
    return { program: 'npx', args: [...wanted, 'banking-api', ...command] };
  }
  const manager = MANAGERS.find(([lock]) => existsSync(join(home.folder, lock)));
  const [, program, ...args] = manager ?? ['', 'npm', 'install', '--save-dev'];
  return { program, args: [...args, ...packages] };
}

export function typed({ program, args }: CommandLine): string {
  const quoted = args.map((arg) => (/^[\w@%+=:,./…-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", `'\\''`)}'`));
  return [program, ...quoted].join(' ');
}

/**
 * The error for an engine that is not installed.
 * @param message the missing engine, and the feature that needs it
 * @param packages packages to add, with a version if only some versions work
 */
export function missingEngine(message: string, packages: readonly string[], cause: unknown): ToolError {
  const hint = `Install the missing packages: ${typed(lineToAdd(packages, homeOf(packageRoot), ['…']))}`;
  return new ToolError('engine-missing', message, { hint, packages, cause });
}
