import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { serveOnLoopback } from '../support/loopback.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { askToken, basic, bearer, send } from './support/client.ts';
import { mockCommand } from './support/command.ts';
import { speak } from './support/socket.ts';

const PATH = '/wallet/api/customers/c/cards/card-4001';
const folder = await temporaryFolder();
const start = (...flags: string[]) => mockCommand(folder, ...flags);
const lines = (...all: string[]): string => `${all.join('\r\n')}\r\n\r\n`;
const outside = Object.values(networkInterfaces())
  .flatMap((all) => all ?? [])
  .filter(({ internal, family }) => !internal && family === 'IPv4')
  .map(({ address }) => address);

describe('banking-api mock', () => {
  test('M12: the first line shows the address once the mock accepts, then the credentials; SIGINT exits with 0', async () => {
    const mock = await start();
    expect((await send(mock, { path: PATH, headers: { authorization: await bearer(mock) } })).status).toBe(200);
    mock.child.kill('SIGINT');
    expect([await mock.ended, mock.stdout().trim().split('\n').length]).toEqual([0, 1]);
    expect(mock.stderr()).toContain('sandbox:sandbox-secret');
    expect(mock.stderr()).toContain('/iam/oauth/token');
    expect(mock.stderr().trim().split('\n').at(-1)).toMatch(/exit 0/);
  });

  test('a seed module outside of a contract folder is named as code with all rights', async () => {
    writeFileSync(join(folder, 'seed.mjs'), 'export default { extends: "default" };');
    const mock = await start('--seed-data', 'seed.mjs');
    expect(mock.stderr()).toContain('seed.mjs is code, and runs with all rights of this command.');
  });

  test.each(['one', 'by-connection'])('--callers %s appears in the health answer', async (whose) => {
    const health = await send(await start('--callers', whose), { path: '/__mock/health' });
    expect(health.json().callers).toBe(whose);
  });

  test.each(['SIGTERM', 'SIGINT'] as const)(
    'M13: the mock exits with 0 within two seconds of %s, with idle, half and slow requests open',
    async (signal) => {
      const { child, port, ended } = await start('--any-token');
      const sockets = [
        '',
        `GET ${PATH} HTTP/1.1\r\nHost: loc`,
        lines(`POST ${PATH} HTTP/1.1`, 'Host: localhost', 'Content-Length: 10'),
        lines(`GET ${PATH} HTTP/1.1`, 'Host: localhost', 'Authorization: Bearer x', 'X-Mock-Scenario: body-slow'),
        lines('GET /nowhere HTTP/1.1', 'Host: localhost'),
      ].map((bytes) => {
        const socket = connect(port, '127.0.0.1');
        socket.on('error', () => {}).write(bytes);
        return socket;
      });
      await Promise.all(sockets.map((socket) => once(socket, 'connect')));
      // the slow answer has begun, and everything sent before it has arrived
      await once(sockets[3] as Socket, 'data');
      const list = `/proc/${child.pid}/task/${child.pid}/children`;
      const children = existsSync(list) ? readFileSync(list, 'utf8') : '';
      const asked = Date.now();
      child.kill(signal);
      expect(await ended).toBe(0);
      expect(Date.now() - asked).toBeLessThan(2_500);
      // it starts no process that could outlive it
      expect(children.trim()).toBe('');
      for (const socket of sockets) socket.destroy();
    },
  );

  test('M12: the mock is not reachable at other addresses of this machine', async () => {
    // Another loopback address too: a machine without a network has no outside address.
    const { port } = await start();
    for (const host of ['127.0.0.2', ...outside]) {
      const reached = await new Promise((resolve) => {
        const socket = connect({ port, host });
        socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
      });
      expect(reached).toBe(false);
    }
  });

  test('M12: beyond loopback the mock warns, and lists its addresses and the page with its token', async () => {
    const hosts = ['--allow-host', 'bank-mock', '--allow-host', 'Mock.Internal'];
    const mock = await start('--host', '0.0.0.0', '--control-token', 'given-control-token-1', ...hosts);
    await vi.waitFor(() => expect(mock.stderr()).toMatch(/Warning: .*0\.0\.0\.0/), 20_000);
    const named = mock.stderr().match(/^On the network: http:\/\/.+$/gm) ?? [];
    expect(named.length).toBe(outside.length);
    for (const address of outside) expect(named.join()).toContain(`/${address}:`);
    expect(mock.stderr()).toMatch(/^Page: {8}http:\/\/\S+:\d+\/__mock\/#token=given-control-token-1$/m);
    const status = async (host: string): Promise<number> =>
      (await send(mock, { path: PATH, headers: { host } })).status;
    const asked = ['bank-mock:4010', 'mock.internal', 'localhost', '10.1.2.3', 'evil.example'];
    expect(await Promise.all(asked.map(status))).toEqual([401, 401, 401, 401, 421]);
  });

  test('pages of an allowed origin may read answers: by exact origin, never by an asterisk, and without cookies', async () => {
    const mock = await start('--allow-origin', 'https://*.app.github.dev', '--allow-origin', 'http://10.0.0.7:5173');
    const allowed = async (origin: string): Promise<unknown> => {
      const { headers } = await send(mock, { path: PATH, headers: { origin } });
      expect([headers['access-control-allow-credentials'], headers.vary ?? 'Origin']).toEqual([undefined, 'Origin']);
      return headers['access-control-allow-origin'];
    };
    const origins = ['https://a-4010.app.github.dev', 'http://10.0.0.7:5173', 'https://evil.example'];
    expect(await Promise.all(origins.map(allowed))).toEqual([origins[0], origins[1], undefined]);
    await vi.waitFor(
      () => expect(mock.stderr()).toContain(`Page:        http://127.0.0.1:${mock.port}/__mock/\n`),
      20_000,
    );
  });

  test('M12: a busy port exits with 2 and one line that names the port', async () => {
    await using taken = await serveOnLoopback(() => {});
    const mock = await start('--port', String(taken.port));
    expect([await mock.ended, mock.stdout()]).toEqual([2, '']);
    expect(mock.stderr()).toContain(`Port ${taken.port}`);
    expect(mock.stderr()).not.toMatch(/^\s+at /m);
  });

  test('M14: a broken overlay exits with 3 and its place, a missing one with 2, without a stack trace', async () => {
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
    [['--host', '192.0.2.1'], '192.0.2.1'],
    [['extra'], 'The file does not exist.'],
    [['--allow-origin', '*'], 'origin'],
    [['--control-token', 'short'], 'control token'],
    [['--signing-key', '/dev/null'], '/dev/null'],
    ...['bank-mock:80', 'http://bank-mock', '[::1]:80', ''].map(
      (host) => [['--allow-host', host], '--allow-host'] as const,
    ),
  ] as const)('%j is a usage error', async (flags, words) => {
    const mock = await start(...flags);
    expect([await mock.ended, mock.stdout(), mock.stderr()]).toEqual([2, '', expect.stringContaining(words)]);
    expect(mock.stderr()).not.toContain('hunter2');
  });

  test('the mock applies its flags for credentials, token lifetime, withdrawal and sunset', async () => {
    const tokens = ['--credentials', 'me:pass:word', '--token-lifetime', '7'];
    const { port } = await start(...tokens, '--withdraw-deprecated', '--sunset', '2027-06-30');
    const target = { port, credentials: { username: 'me', password: 'pass:word' } };
    const token = await askToken(target);
    expect(token.status).toBe(200);
    expect([6, 7]).toContain(token.json().expires_in);
    const old = await send(target, { path: '/wallet/api/customers/c/clients/d/transactions/fees' });
    expect([old.status, old.headers.sunset]).toEqual([410, 'Wed, 30 Jun 2027 00:00:00 GMT']);
  });

  test('with --engine prism Prism makes every answer, and every request needs a token', async () => {
    const target = await start('--engine', 'prism');
    const prefer = 'code=404';
    const reply = await send(target, { path: PATH, headers: { prefer, authorization: await bearer(target) } });
    expect([(await send(target, { path: PATH, headers: { prefer } })).status, reply.status]).toEqual([401, 404]);
    expect(reply.json().detail).toContain('Requested status code 404 is not defined in the document');
  });

  test('M16: the mock writes no secret to its terminal or its journal, for any request', async () => {
    const target = await start('--journal', 'journal.ndjson');
    const authorization = await bearer(target);
    await send(target, { path: PATH, headers: { authorization } });
    const secrets = ['hunter2-password', 'hunter2-answer', 'hunter2-code', 'hunter2-bearer'];
    const [password, answer, securityCode, token] = secrets;
    const json = { authorization, 'content-type': 'application/json' };
    const post = (end: string, body: string) => {
      const path = `/iam/api/customers/cust-1001/clients/client-2001/users/user-3001/credentials/${end}`;
      return send(target, { method: 'POST', path, headers: json, body });
    };
    await post('password', JSON.stringify({ password }));
    await post('securityQuestions', JSON.stringify({ securityQuestions: [{ answer }] }));
    await post('securityCode', `{"securityCode":"${securityCode}"`);
    await askToken(target, { headers: { authorization: basic('x', 'hunter2-basic') } });
    await send(target, { path: PATH, headers: { authorization: `Bearer ${token}` } });
    await speak(target.port, `garbage ${password}\r\n\r\n`);
    target.child.kill('SIGTERM');
    expect(await target.ended).toBe(0);
    const journal = readFileSync(join(folder, 'journal.ndjson'), 'utf8');
    const entries = journal
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { operationId: string; token: { id: string } | null });
    expect(entries.slice(0, 3).map(({ operationId }) => operationId)).toEqual([
      'getToken',
      'getCard',
      'createPassword',
    ]);
    expect(new Set(entries.slice(0, 3).map(({ token }) => token?.id)).size).toBe(1);
    const codes = ['sandbox:sandbox-secret', 'x:hunter2-basic'].map((text) => btoa(text));
    for (const secret of [...secrets, ...codes, authorization.slice('Bearer '.length)])
      expect(journal + target.stdout() + target.stderr()).not.toContain(secret);
  });

  test('a journal that cannot be written exits with 2 before the mock serves', async () => {
    const mock = await start('--journal', join(folder, 'broken.yaml', 'x.ndjson'));
    expect([await mock.ended, mock.stdout()]).toEqual([2, '']);
  });
});
