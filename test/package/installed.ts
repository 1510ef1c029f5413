import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { keepReachableDeclarations } from '../../scripts/declarations.ts';
import { pack } from '../../scripts/pack.ts';
import { packageRoot } from '../../src/package-root.ts';

/** An empty project with the packed tarball and its dependencies in node_modules, without the optional peers. */
export interface Project {
  readonly folder: string;
  /** Paths in the tarball. */
  readonly files: readonly string[];
  readonly manifest: Manifest;
}

export interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly scripts: Readonly<Record<string, string>>;
}

/** Packs the build without running scripts, and lays it out like `npm install`, with the declarations of a release. */
export async function installPacked(): Promise<Project> {
  // pnpm's folders of packages have such names
  const folder = await mkdtemp(join(tmpdir(), 'installed@file+..+(a)!-'));
  const packed = pack(folder);
  const target = join(folder, 'node_modules/banking-api-contract');
  await mkdir(target, { recursive: true });
  execFileSync('tar', ['-xzf', join(folder, packed.filename), '-C', target, '--strip-components=1']);
  keepReachableDeclarations(target);
  const manifest = JSON.parse(await readFile(join(target, 'package.json'), 'utf8')) as Manifest;
  for (const name of Object.keys(manifest.dependencies)) await linkFromClone(folder, name);
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'empty', private: true, type: 'module' }));
  return { folder, files: packed.files.map(({ path }) => path), manifest };
}

export async function linkFromClone(folder: string, name: string): Promise<void> {
  const link = join(folder, 'node_modules', name);
  await mkdir(dirname(link), { recursive: true });
  await symlink(join(packageRoot, 'node_modules', name), link);
}

const RECORDER = `import { registerHooks } from 'node:module';
const loaded = [];
registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context); } });
process.on('exit', () => process.stdout.write('\\nLOADED ' + JSON.stringify(loaded)));
`;

/** Runs a program in the project; resolves to its last printed line and the URLs of all loaded modules. */
export async function runIn(
  folder: string,
  program: string,
): Promise<{ readonly printed: string; readonly loaded: readonly string[] }> {
  await writeFile(join(folder, 'recorder.mjs'), RECORDER);
  await writeFile(join(folder, 'program.mjs'), program);
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--import', './recorder.mjs', 'program.mjs'], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  const [printed = '', loaded = '[]'] = stdout.split('\nLOADED ');
  return { printed, loaded: JSON.parse(loaded) as string[] };
}
