import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { POSIX } from '../../support/needs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { send } from '../support/client.ts';
import { mockCommand } from '../support/command.ts';
import { control } from '../support/control.ts';

const CARD = '/wallet/api/customers/cust-1001/cards/card-4001';
const folder = await temporaryFolder();
const start = (...flags: string[]) => mockCommand(folder, '--any-token', ...flags);

test('--scenario accepts names, lists and files, and the start prints the control token', POSIX, async () => {
  writeFileSync(join(folder, 'own.yaml'), 'name: own\nrules:\n  - change: [{ drop: alias }]\n');
  const mock = await start('--scenario', 'drift-renamed,drift-retyped', '--scenario', 'own.yaml');
  const reply = await send(mock, { path: CARD, headers: { authorization: 'Bearer x' } });
  expect(reply.headers['x-mock-scenario']).toBe('drift-renamed, drift-retyped, own');
  mock.child.kill('SIGTERM');
  expect(await mock.ended).toBe(0);
  expect(mock.stderr()).toMatch(/x-mock-control-token: [\w-]{32}/);
});

test('--scenario with a mistake exits with 2 and its place', async () => {
  writeFileSync(join(folder, 'wrong.yaml'), 'name: wrong\nrules:\n  - delai: 5\n');
  const wrong = await start('--scenario', 'wrong.yaml');
  expect([await wrong.ended, wrong.stderr()]).toEqual([
    2,
    expect.stringMatching(/wrong\.yaml:3:5.*Did you mean delay/s),
  ]);
  const unknown = await start('--scenario', 'token-expried');
  expect([await unknown.ended, unknown.stderr()]).toEqual([2, expect.stringContaining('Did you mean token-expired?')]);
});

test('--allow-webhook allows the host of a webhook', async () => {
  const webhook = { url: 'https://hooks.example/x', automatic: false };
  expect((await control(await start(), 'POST', '/webhooks', webhook)).status).toBe(422);
  const allowing = await start('--allow-webhook', 'hooks.example');
  expect((await control(allowing, 'POST', '/webhooks', webhook)).status).toBe(201);
});
