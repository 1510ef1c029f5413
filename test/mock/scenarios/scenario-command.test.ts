import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../../src/package-root.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { send } from '../support/client.ts';

const CARD = '/wallet/api/customers/cust-1001/cards/card-4001';
const folder = await temporaryFolder();

/** Runs the command until `work` is done or it ends by itself. */
async function run(
  flags: readonly string[],
  work: (port: number) => Promise<void>,
): Promise<{ code: unknown; stderr: string }> {
  const main = join(packageRoot, 'src/cli/main.ts');
  const child = spawn(process.execPath, [main, 'mock', '--port', '0', '--any-token', ...flags], { cwd: folder });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk;
  });
  const code = new Promise((resolve) => child.on('close', resolve));
  const port = await new Promise<number | undefined>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => resolve(Number(/:(\d+)/.exec(String(chunk))?.[1])));
    child.on('close', () => resolve(undefined));
  });
  if (port !== undefined) await work(port);
  child.kill('SIGTERM');
  return { code: await code, stderr };
}

test('--scenario takes names, lists and files; the control token is printed at the start', async () => {
  writeFileSync(join(folder, 'own.yaml'), 'name: own\nrules:\n  - change: [{ drop: alias }]\n');
  const { code, stderr } = await run(
    ['--scenario', 'drift-renamed,drift-retyped', '--scenario', 'own.yaml'],
    async (port) => {
      const reply = await send({ port }, { path: CARD, headers: { authorization: 'Bearer x' } });
      expect(reply.headers['x-mock-scenario']).toBe('drift-renamed, drift-retyped, own');
    },
  );
  expect(code).toBe(0);
  expect(stderr).toMatch(/x-mock-control-token: [\w-]{32}/);
});

test('--scenario with a mistake is exit 2 with its place', async () => {
  writeFileSync(join(folder, 'wrong.yaml'), 'name: wrong\nrules:\n  - delai: 5\n');
  const wrong = await run(['--scenario', 'wrong.yaml'], async () => {});
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toMatch(/wrong\.yaml:3:5.*Did you mean delay/s);
  const unknown = await run(['--scenario', 'token-expried'], async () => {});
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('Did you mean token-expired?')]);
});

test('--allow-webhook lets one register a host', async () => {
  const register = (port: number): Promise<{ status: number }> =>
    send(
      { port },
      {
        method: 'POST',
        path: '/__mock/webhooks',
        body: '{"url":"https://hooks.example/x","automatic":false}',
        headers: { 'content-type': 'application/json' },
      },
    );
  await run([], async (port) => expect((await register(port)).status).toBe(422));
  await run(['--allow-webhook', 'hooks.example'], async (port) => expect((await register(port)).status).toBe(201));
});
