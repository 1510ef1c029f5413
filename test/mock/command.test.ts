import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { packageRoot } from '../../src/package-root.ts';
import { askToken, basic, bearer, send } from './support/client.ts';

const PATH = '/wallet/api/customers/c/cards/card-4001';
const running: ChildProcess[] = [];
const folder = mkdtempSync(join(tmpdir(), 'mock-command-'));
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly milliseconds: number;
}

interface Running {
  readonly firstLine: Promise<string>;
  readonly ended: Promise<Ended>;
  readonly child: ChildProcess;
}

function start(...flags: string[]): Running {
  const child = spawn(process.execPath, [join(packageRoot, 'bin', 'banking-api.js'), 'mock', ...flags], {
    cwd: folder,
  });
  running.push(child);
  let [stdout, stderr] = ['', ''];
  const started = Date.now();
  const firstLine = new Promise<string>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk;
      if (stdout.includes('\n')) resolve(stdout.split('\n')[0] ?? '');
    });
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk;
  });
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code) => resolve({ code, stdout, stderr, milliseconds: Date.now() - started }));
  });
  return { firstLine, ended, child };
}

async function serving(mock: Running): Promise<{ port: number; credentials: { username: string; password: string } }> {
  const url = /http:\/\/127\.0\.0\.1:(\d+)/.exec(await mock.firstLine);
  return { port: Number(url?.[1]), credentials: { username: 'sandbox', password: 'sandbox-secret' } };
}

describe('banking-api mock', () => {
  test('M12: the mock says on its first line where it listens, when it accepts; tells the credentials; ends with 0 on SIGINT', async () => {
    const mock = start('--port', '0');
    const target = await serving(mock);
    expect((await send(target, { path: PATH, headers: { authorization: await bearer(target) } })).status).toBe(200);
    mock.child.kill('SIGINT');
    const { code, stdout, stderr } = await mock.ended;
    expect([code, stdout.trim().split('\n').length]).toEqual([0, 1]);
    expect(stderr).toContain('sandbox:sandbox-secret');
    expect(stderr).toContain('/iam/oauth/token');
    expect(stderr.trim().split('\n').at(-1)).toMatch(/exit 0/);
  });

  test.each(['one', 'by-connection'])('--callers %s is told to who judges what it heard', async (whose) => {
    const mock = start('--port', '0', '--callers', whose);
    const health = await send(await serving(mock), { path: '/__mock/health' });
    expect(health.json().callers).toBe(whose);
  });

  test('M13: the mock ends within two seconds of SIGTERM, in the middle of a request', async () => {
    const mock = start('--port', '0');
    const { port } = await serving(mock);
    const { connect } = await import('node:net');
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(`POST ${PATH} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n`);
    await once(socket, 'connect');
    const asked = Date.now();
    mock.child.kill('SIGTERM');
    expect((await mock.ended).code).toBe(0);
    expect(Date.now() - asked).toBeLessThan(2_500);
    socket.destroy();
  });

  test('M12: a busy port is exit 2 and one line that names it', async () => {
    const taken = createServer();
    const port = await new Promise<number>((resolve) => {
      taken.listen(0, '127.0.0.1', () => resolve((taken.address() as { port: number }).port));
    });
    const { code, stdout, stderr } = await start('--port', String(port)).ended;
    taken.close();
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(`Port ${port}`);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  test('M12: the mock warns where other machines can reach it', async () => {
    const mock = start('--port', '0', '--host', '0.0.0.0');
    await mock.firstLine;
    mock.child.kill('SIGTERM');
    expect((await mock.ended).stderr).toMatch(/Warning: .*0\.0\.0\.0/);
  });

  test('M14: a broken overlay is exit 3 with its place, a missing one exit 2, without a stack', async () => {
    writeFileSync(
      join(folder, 'broken.yaml'),
      'overlay: 1.0.0\ninfo: {title: x, version: "1"}\nactions:\n  - target: $.paths[\n    update: {}\n',
    );
    const broken = await start('--port', '0', '--overlay', 'broken.yaml').ended;
    expect(broken.code).toBe(3);
    expect(broken.stderr).toMatch(/broken\.yaml:4:\d+/);
    const missing = await start('--port', '0', '--overlay', 'nowhere.yaml').ended;
    expect(missing.code).toBe(2);
    expect(broken.stderr + missing.stderr).not.toMatch(/^\s+at /m);
  });

  test.each([
    [['--credentials', 'hunter2-is-my-secret'], 'USER:PASSWORD'],
    [['--sunset', '2027-02-30'], '--sunset'],
    [['--sunset', '2001-01-01'], 'before the deprecation'],
    [['--token-lifetime', '0'], '--token-lifetime'],
    [['--port', '70000'], '--port'],
    [['extra'], 'no argument'],
  ])('%j is a usage error', async (flags, words) => {
    const { code, stderr } = await start(...flags).ended;
    expect(code).toBe(2);
    expect(stderr).toContain(words);
    expect(stderr).not.toContain('hunter2');
  });

  test('does what its flags say', async () => {
    const mock = start(
      '--port',
      '0',
      '--credentials',
      'me:pass:word',
      '--token-lifetime',
      '7',
      '--withdraw-deprecated',
      '--sunset',
      '2027-06-30',
    );
    const { port } = await serving(mock);
    const target = { port, credentials: { username: 'me', password: 'pass:word' } };
    const token = await askToken(target);
    expect(token.status).toBe(200);
    expect([6, 7]).toContain(token.json().expires_in);
    const old = await send(target, { path: '/wallet/api/customers/c/clients/d/transactions/fees' });
    expect([old.status, old.headers.sunset]).toEqual([410, 'Wed, 30 Jun 2027 00:00:00 GMT']);
  });

  test("with --engine prism every answer is Prism's, and every request needs a token", async () => {
    const mock = start('--port', '0', '--engine', 'prism');
    const target = await serving(mock);
    const prefer = 'code=404';
    const reply = await send(target, { path: PATH, headers: { prefer, authorization: await bearer(target) } });
    expect([(await send(target, { path: PATH, headers: { prefer } })).status, reply.status]).toEqual([401, 404]);
    expect(reply.json().detail).toContain('Requested status code 404 is not defined in the document');
  });

  test('M16: the mock writes a journal in which no secret stands', async () => {
    const mock = start('--port', '0', '--journal', 'journal.ndjson');
    const target = await serving(mock);
    const authorization = await bearer(target);
    await send(target, { path: PATH, headers: { authorization } });
    const path = '/iam/api/customers/c/clients/d/users/u/credentials/password';
    const body = JSON.stringify({ password: 'correct-horse-battery' });
    await send(target, { method: 'POST', path, headers: { authorization, 'content-type': 'application/json' }, body });
    mock.child.kill('SIGTERM');
    expect((await mock.ended).code).toBe(0);
    const text = readFileSync(join(folder, 'journal.ndjson'), 'utf8');
    const entries = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { operationId: string; token: { id: string } | null });
    expect(entries.map(({ operationId }) => operationId)).toEqual(['getToken', 'getCard', 'createPassword']);
    expect(new Set(entries.map(({ token }) => token?.id)).size).toBe(1);
    for (const secret of [
      authorization.slice(7),
      'sandbox-secret',
      basic('sandbox', 'sandbox-secret').slice(6),
      'correct-horse-battery',
    ]) {
      expect(text).not.toContain(secret);
    }
  });

  test('a journal that cannot be written is exit 2 before anything is served', async () => {
    const { code, stdout } = await start('--port', '0', '--journal', join(folder, 'broken.yaml', 'x.ndjson')).ended;
    expect([code, stdout]).toEqual([2, '']);
  });
});
