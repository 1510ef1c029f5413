import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/package-root.ts';

/** A project that depends on us, with the part of the tree that leads to the package that reports installs. */
let folder: string;

async function place(name: string, manifest: object): Promise<void> {
  await mkdir(join(folder, 'node_modules', name), { recursive: true });
  await writeFile(
    join(folder, 'node_modules', name, 'package.json'),
    JSON.stringify({ name, version: '1.0.0', ...manifest }),
  );
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scarf-'));
  await cp(join(packageRoot, 'node_modules/@scarf/scarf'), join(folder, 'node_modules/@scarf/scarf'), {
    recursive: true,
  });
  const { version } = JSON.parse(await readFile(join(folder, 'node_modules/@scarf/scarf/package.json'), 'utf8'));
  await place('engine', { dependencies: { '@scarf/scarf': version } });
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'consumer', version: '1.0.0', dependencies: { 'banking-api-contract': '*' } }),
  );
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** What its install script would do, up to the point where it would send: it looks at the tree and says so. */
async function verdict(settings: unknown): Promise<string> {
  await place('banking-api-contract', {
    dependencies: { engine: '1.0.0' },
    ...(settings ? { scarfSettings: settings } : {}),
  });
  const { stdout } = spawnSync(
    process.execPath,
    [
      '--eval',
      `require('./node_modules/@scarf/scarf/report.js').getDependencyInfo().then(() => console.log('would report'), (error) => console.log(error.message))`,
    ],
    { cwd: folder, encoding: 'utf8', env: { ...process.env, INIT_CWD: folder, SCARF_LOCAL_PORT: '9' } },
  );
  return stdout.trim();
}

describe('installing the package', () => {
  it('C2: our scarfSettings switch the reporting of installs off in the projects of our users too', {
    retry: 2,
  }, async () => {
    const { scarfSettings } = JSON.parse(await readFile(join(packageRoot, 'package.json'), 'utf8'));
    expect(await verdict(scarfSettings)).toContain('disabled via a package.json in the dependency chain');
  });

  it('would report without that setting', { retry: 2 }, async () => {
    expect(await verdict(undefined)).toBe('would report');
  });
});
