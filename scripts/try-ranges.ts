/**
 * Tries the packed package with the lowest and with the newest version of each of its dependencies: `npm run ranges`.
 * Needs a built `dist/` and the npm registry.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../src/package-root.ts';
import { pack } from './pack.ts';

const { name, dependencies } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {
  readonly name: string;
  readonly dependencies: Readonly<Record<string, string>>;
};

/** What a user would notice first if a version did not fit: the command, a validator, the client, and the mock with a token. */
const PROGRAM = `
import { createTokenProvider, startMock, withToken } from '${name}';
import { Card } from '${name}/validators';
if (!Card.is({}) || Card.is({ token: 1 })) throw new Error('the validators do not judge');
const mock = await startMock();
const provider = createTokenProvider({ baseUrl: mock.url, ...mock.credentials });
const answer = await withToken(fetch, provider)(mock.url + '/wallet/api/customers/cust-1001/cards/card-4001');
if (answer.status !== 200) throw new Error('the mock answered ' + answer.status);
await mock.close();
`;

async function run(folder: string, args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`node ${args.join(' ')} ended with ${code}`);
}

const work = mkdtempSync(join(tmpdir(), 'ranges-'));
try {
  const { filename } = pack(work);
  const lowest = Object.fromEntries(Object.entries(dependencies).map(([key, range]) => [key, range.replace('^', '')]));
  for (const [which, overrides] of Object.entries({ lowest, newest: {} })) {
    const folder = join(work, which);
    mkdirSync(folder);
    const manifest = { private: true, type: 'module', dependencies: { [name]: `file:../${filename}` }, overrides };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
    writeFileSync(join(folder, 'program.mjs'), PROGRAM);
    execFileSync('npm', ['install', '--omit=optional', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'ignore' });
    const installed = Object.keys(dependencies).map((key) => {
      const file = join(folder, 'node_modules', key, 'package.json');
      return `${key} ${(JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version}`;
    });
    await run(folder, ['program.mjs']);
    const command = join('node_modules', name, 'bin', 'banking-api.js');
    await run(folder, [command, 'spec']);
    await run(folder, [
      command,
      'diff',
      join(packageRoot, 'dist/openapi.json'),
      join(packageRoot, 'dist/openapi.yaml'),
    ]);
    console.log(`${which}: ${installed.join(', ')}`);
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
