import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { askToken, basic, bearer, send } from './support/client.ts';
import { mockCommand } from './support/command.ts';

const PATH = '/wallet/api/customers/c/cards/card-4001';
const folder = await temporaryFolder();
const start = (...flags: string[]) => mockCommand(folder, ...flags);

describe('banking-api mock', () => {
  test('M12: the mock says on its first line where it listens, when it accepts; tells the credentials; ends with 0 on SIGINT', async () => {
    const mock = await start();
    expect((await send(mock, { path: PATH, headers: { authorization: await bearer(mock) } })).status).toBe(200);
    mock.child.kill('SIGINT');
    expect([await mock.ended, mock.stdout().trim().split('\n').length]).toEqual([0, 1]);
    expect(mock.stderr()).toContain('sandbox:sandbox-secret');
    expect(mock.stderr()).toContain('/iam/oauth/token');
    expect(mock.stderr().trim().split('\n').at(-1)).toMatch(/exit 0/);
  });

  test.each(['one', 'by-connection'])('--callers %s is told to who judges what it heard', async (whose) => {
    const health = await send(await start('--callers', whose), { path: '/__mock/health' });
    expect(health.json().callers).toBe(whose);
  });

  test('M13: the mock ends within two seconds of SIGTERM, in the middle of a request', async () => {
    const mock = await start();
    const socket = connect(mock.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(`POST ${PATH} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n`);
    await once(socket, 'connect');
    const asked = Date.now();
    mock.child.kill('SIGTERM');
    expect(await mock.ended).toBe(0);
    expect(Date.now() - asked).toBeLessThan(2_500);
    socket.destroy();
  });

  test('M12: a busy port is exit 2 and one line that names it', async () => {
    const taken = createServer();
    const port = await new Promise<number>((resolve) => {
      taken.listen(0, '127.0.0.1', () => resolve((taken.address() as { port: number }).port));
    });
    const mock = await start('--port', String(port));
    taken.close();
    expect([await mock.ended, mock.stdout()]).toEqual([2, '']);
    expect(mock.stderr()).toContain(`Port ${port}`);
    expect(mock.stderr()).not.toMatch(/^\s+at /m);
  });

  test('M12: the mock warns where other machines can reach it', async () => {
    const mock = await start('--host', '0.0.0.0');
    mock.child.kill('SIGTERM');
    await mock.ended;
    expect(mock.stderr()).toMatch(/Warning: .*0\.0\.0\.0/);
  });

  test('M14: a broken overlay is exit 3 with its place, a missing one exit 2, without a stack', async () => {
    writeFileSync(
      join(folder, 'broken.yaml'),
      'overlay: 1.0.0\ninfo: {title: x, version: "1"}\nactions:\n  - target: $.paths[\n    update: {}\n',
    );
    const broken = await start('--overlay', 'broken.yaml');
    expect([await broken.ended, broken.stderr()]).toEqual([3, expect.stringMatching(/broken\.yaml:4:\d+/)]);
    const missing = await start('--overlay', 'nowhere.yaml');
    expect(await missing.ended).toBe(2);
    expect(broken.stderr() + missing.stderr()).not.toMatch(/^\s+at /m);
  });

  test.each([
    [['--credentials', 'hunter2-is-my-secret'], 'USER:PASSWORD'],
    [['--sunset', '2027-02-30'], '--sunset'],
    [['--sunset', '2001-01-01'], 'before the deprecation'],
    [['--token-lifetime', '0'], '--token-lifetime'],
    [['--port', '70000'], '--port'],
    [['extra'], 'no argument'],
  ])('%j is a usage error', async (flags, words) => {
    const mock = await start(...flags);
    expect([await mock.ended, mock.stderr()]).toEqual([2, expect.stringContaining(words)]);
    expect(mock.stderr()).not.toContain('hunter2');
  });

  test('does what its flags say', async () => {
    const tokens = ['--credentials', 'me:pass:word', '--token-lifetime', '7'];
    const { port } = await start(...tokens, '--withdraw-deprecated', '--sunset', '2027-06-30');
    const target = { port, credentials: { username: 'me', password: 'pass:word' } };
    const token = await askToken(target);
    expect(token.status).toBe(200);
    expect([6, 7]).toContain(token.json().expires_in);
    const old = await send(target, { path: '/wallet/api/customers/c/clients/d/transactions/fees' });
    expect([old.status, old.headers.sunset]).toEqual([410, 'Wed, 30 Jun 2027 00:00:00 GMT']);
  });

  test("with --engine prism every answer is Prism's, and every request needs a token", async () => {
    const target = await start('--engine', 'prism');
    const prefer = 'code=404';
    const reply = await send(target, { path: PATH, headers: { prefer, authorization: await bearer(target) } });
    expect([(await send(target, { path: PATH, headers: { prefer } })).status, reply.status]).toEqual([401, 404]);
    expect(reply.json().detail).toContain('Requested status code 404 is not defined in the document');
  });

  test('M16: the mock writes a journal in which no secret stands', async () => {
    const target = await start('--journal', 'journal.ndjson');
    const authorization = await bearer(target);
    await send(target, { path: PATH, headers: { authorization } });
    const path = '/iam/api/customers/c/clients/d/users/u/credentials/password';
    const body = JSON.stringify({ password: 'correct-horse-battery' });
    await send(target, { method: 'POST', path, headers: { authorization, 'content-type': 'application/json' }, body });
    target.child.kill('SIGTERM');
    expect(await target.ended).toBe(0);
    const text = readFileSync(join(folder, 'journal.ndjson'), 'utf8');
    const entries = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { operationId: string; token: { id: string } | null });
    expect(entries.map(({ operationId }) => operationId)).toEqual(['getToken', 'getCard', 'createPassword']);
    expect(new Set(entries.map(({ token }) => token?.id)).size).toBe(1);
    const secrets = ['sandbox-secret', basic('sandbox', 'sandbox-secret').slice(6), 'correct-horse-battery'];
    for (const secret of [authorization.slice(7), ...secrets]) expect(text).not.toContain(secret);
  });

  test('a journal that cannot be written is exit 2 before anything is served', async () => {
    const mock = await start('--journal', join(folder, 'broken.yaml', 'x.ndjson'));
    expect([await mock.ended, mock.stdout()]).toEqual([2, '']);
  });
});
