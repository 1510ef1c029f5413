/** Lock file for pipelines with this repository's versions: pactum, vitest, and the package's dependencies. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startable } from '../../src/files/startable.ts';
import type { Made } from '../../src/generate/files.ts';
import { packageRoot } from '../../src/package-root.ts';

export async function engines(): Promise<Made> {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'));
  const { pactum, vitest } = devDependencies;
  const manifest = { name: 'engines', private: true, dependencies: { ...dependencies, pactum, vitest } };
  const work = await mkdtemp(join(tmpdir(), 'engines-'));
  try {
    writeFileSync(join(work, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    copyFileSync(join(packageRoot, 'package-lock.json'), join(work, 'package-lock.json'));
    // npm removes unneeded packages offline, without a registry
    const words = ['install', '--package-lock-only', '--ignore-scripts', '--offline', '--no-audit', '--no-fund'];
    const { file, args, shell } = startable('npm', words);
    execFileSync(file, args, { shell, cwd: work, stdio: ['ignore', 'ignore', 'inherit'] });
    const read = (file: string) => readFileSync(join(work, file), 'utf8');
    const files = { 'package.json': read('package.json'), 'package-lock.json': read('package-lock.json') };
    return { folder: 'generated/engines', files, whole: true };
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
