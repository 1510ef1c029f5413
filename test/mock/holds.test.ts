import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { describe, expect, test, vi } from 'vitest';
import { startMock } from '../../src/mock/start-mock.ts';
import type { Exchange } from '../../src/model/exchange.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { basic, bearer, send } from './support/client.ts';
import { type MockCommand, mockCommand } from './support/command.ts';
import { speak, statuses } from './support/socket.ts';
import { mockOfFile } from './support/started.ts';

const CARD = '/wallet/api/customers/cust-1001/cards/card-4001';
const CARDS = '/wallet/api/customers/cust-1001/cards';
const folder = await temporaryFolder();
const told: Exchange[] = [];
const mock = await mockOfFile({ onExchange: (exchange) => told.push(exchange) });
const authorization = await bearer(mock);

const lines = (...all: string[]): string => `${all.join('\r\n')}\r\n\r\n`;
const get = (path: string, ...more: string[]): string =>
  lines(`GET ${path} HTTP/1.1`, 'Host: localhost', `Authorization: ${authorization}`, ...more);

/** Reads from a socket until so many answers came. */
function answers(socket: Socket, count: number): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const read = (chunk: Buffer): void => {
      text += chunk.toString('latin1');
      // the last body is there as soon as its length is
      const last = /content-length: (\d+)\r\n/gi;
      const lengths = [...text.matchAll(last)];
      const start = text.lastIndexOf('\r\n\r\n') + 4;
      if (statuses(text).length < count || text.length - start < Number(lengths.at(-1)?.[1] ?? 0)) return;
      socket.off('data', read);
      resolve(text);
    };
    socket.on('data', read);
    socket.once('close', () => reject(new Error('the connection was closed')));
  });
}

describe('connections', () => {
  test('are kept: many requests travel over one, one after the other, until a client asks to close', async () => {
    const socket = connect(mock.port, '127.0.0.1');
    told.length = 0;
    for (const path of [CARD, '/nowhere', CARD, CARD]) {
      const came = answers(socket, 1);
      socket.write(get(path));
      expect(await came).toMatch(/\r\nconnection: keep-alive\r\n/i);
    }
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(get(CARD, 'Connection: close'));
    await closed;
    expect(told.map(({ response }) => response?.status)).toEqual([200, 404, 200, 200, 200]);
    expect(new Set(told.map(({ connection }) => connection)).size).toBe(1);
  });

  test('M1: a hundred pipelined requests, slow and quick ones, are answered in their order', async () => {
    const kinds = [
      [get(CARD), 200],
      [get(CARD, 'Prefer: code=204'), 204],
      [get('/nowhere'), 404],
      [lines(`PATCH ${CARD} HTTP/1.1`, 'Host: localhost'), 405],
    ] as const;
    const all = Array.from({ length: 100 }, (_, index) => kinds[(index * 7) % kinds.length] ?? kinds[0]);
    const end = get('/nowhere', 'Connection: close');
    const { text } = await speak(mock.port, [all.map(([bytes]) => bytes).join('') + end], 10_000);
    expect(statuses(text)).toEqual([...all.map(([, status]) => status), 404]);
  });
});

describe('M2: each limit of a request has its answer', () => {
  test.each([
    [413, { method: 'POST', path: CARDS, body: `"${'x'.repeat(1024 * 1024)}"` }],
    [414, { path: `/${'x'.repeat(8 * 1024 + 1)}` }],
    [431, { path: CARD, headers: { 'x-long': 'x'.repeat(16 * 1024) } }],
    [400, { method: 'POST', path: CARDS, body: '['.repeat(101) + ']'.repeat(101) }],
  ] as const)('%i', async (status, sent) => {
    const headers = { authorization, 'content-type': 'application/json', ...('headers' in sent ? sent.headers : {}) };
    const reply = await send(mock, { ...sent, headers });
    expect([reply.status, reply.headers['content-type']]).toEqual([status, 'application/problem+json']);
  });
});

describe('M7: negotiation, as problems', () => {
  test.each([
    [406, { path: CARD, headers: { accept: 'text/html' } }],
    [415, { method: 'POST', path: CARDS, headers: { 'content-type': 'text/plain' }, body: 'x' }],
    [
      415,
      {
        method: 'POST',
        path: CARDS,
        headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
        body: '{}',
      },
    ],
    [200, { path: CARD, headers: { accept: 'garbage' } }],
  ] as const)('%i', async (status, { headers, ...sent }) => {
    const reply = await send(mock, { ...sent, headers: { authorization, ...headers } });
    expect(reply.status).toBe(status);
    if (status !== 200) expect(reply.json()).toMatchObject({ status, type: expect.stringContaining('/problems/') });
  });
});

test('M9: two mocks of one seed give the same bytes to the same requests, however many at once', async () => {
  const paths = [
    CARD,
    '/wallet/api/customers/cust-1001/clients/client-2001/cards',
    '/billing/api/customers/cust-1001/client/client-2001/card/fees/GBP',
    `${CARD}?__dynamic=true`,
  ];
  const run = async (seed: number): Promise<string[]> => {
    await using one = await startMock({ listen: false, anyToken: true, seed });
    const headers = { authorization: 'Bearer x' };
    const asked = Array.from({ length: 40 }, (_, index) => paths[index % paths.length] ?? CARD);
    return await Promise.all(asked.map(async (path) => (await one.fetch(path, { headers })).text()));
  };
  const [first, second] = [await run(7), await run(7)];
  expect(second).toEqual(first);
});

describe('the command', () => {
  const start = (...flags: string[]) => mockCommand(folder, ...flags);
  const textOf = ({ stdout, stderr }: MockCommand): string => stdout() + stderr();

  test.each(['SIGTERM', 'SIGINT'] as const)(
    'M13: the mock ends with 0 within two seconds of %s, with idle, half and slow requests open',
    async (signal) => {
      const { child, port, ended } = await start('--any-token');
      const sockets = [
        '',
        `GET ${CARD} HTTP/1.1\r\nHost: loc`,
        lines(`POST ${CARDS} HTTP/1.1`, 'Host: localhost', 'Content-Length: 10'),
        lines(`GET ${CARD} HTTP/1.1`, 'Host: localhost', 'Authorization: Bearer x', 'X-Mock-Scenario: body-slow'),
        get('/nowhere'),
      ].map((bytes) => {
        const socket = connect(port, '127.0.0.1');
        socket.on('error', () => {}).write(bytes);
        return socket;
      });
      await Promise.all(sockets.map((socket) => once(socket, 'connect')));
      // the slow answer has begun, and what was sent before it has arrived
      await once(sockets[3] as Socket, 'data');
      const list = `/proc/${child.pid}/task/${child.pid}/children`;
      const children = existsSync(list) ? readFileSync(list, 'utf8') : '';
      const asked = Date.now();
      child.kill(signal);
      expect(await ended).toBe(0);
      expect(Date.now() - asked).toBeLessThan(2_500);
      // it starts no process that could be left behind
      expect(children.trim()).toBe('');
      for (const socket of sockets) socket.destroy();
    },
  );

  test('M12: no other address of this machine reaches the mock', async () => {
    const outside = Object.values(networkInterfaces())
      .flatMap((all) => all ?? [])
      .filter(({ internal, family }) => !internal && family === 'IPv4')
      .map(({ address }) => address);
    // another address of loopback, too: a machine without a network has no address outside
    const addresses = ['127.0.0.2', ...outside];
    const { port } = await start();
    for (const host of addresses) {
      const reached = await new Promise((resolve) => {
        const socket = connect({ port, host });
        socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
      });
      expect(reached).toBe(false);
    }
  });

  test('M16: the mock writes no token, password, code, or answer to its terminal, whatever it is sent', async () => {
    const target = await start();
    const token = await bearer(target);
    const secrets = ['hunter2-password', 'hunter2-answer', 'hunter2-code', 'hunter2-basic', 'hunter2-bearer'];
    const user = '/iam/api/customers/cust-1001/clients/client-2001/users/user-3001/credentials';
    const json = { authorization: token, 'content-type': 'application/json' };
    const post = (path: string, body: string) => send(target, { method: 'POST', path, headers: json, body });
    await post(`${user}/password`, JSON.stringify({ password: secrets[0] }));
    await post(`${user}/securityQuestions`, JSON.stringify({ securityQuestions: [{ answer: secrets[1] }] }));
    await post(`${user}/securityCode`, `{"securityCode":"${secrets[2]}"`);
    await send(target, {
      method: 'POST',
      path: '/iam/oauth/token',
      headers: { authorization: basic('x', secrets[3] ?? '') },
    });
    await send(target, { path: CARD, headers: { authorization: `Bearer ${secrets[4]}` } });
    await speak(target.port, `garbage ${secrets[0]}\r\n\r\n`);
    target.child.kill('SIGTERM');
    await target.ended;
    for (const secret of [...secrets, token.slice('Bearer '.length), basic('x', secrets[3] ?? '').slice(6)]) {
      expect(textOf(target)).not.toContain(secret);
    }
  });

  test('M15: the mock answers a host that was allowed, such as a service name, and still no other', async () => {
    const target = await start('--host', '0.0.0.0', '--allow-host', 'bank-mock', '--allow-host', 'Mock.Internal');
    const status = async (host: string): Promise<number> =>
      (await send(target, { path: CARD, headers: { host } })).status;
    const hosts = ['bank-mock:4010', 'mock.internal', 'localhost', 'evil.example'];
    expect(await Promise.all(hosts.map(status))).toEqual([401, 401, 401, 421]);
  });

  test('pages of an origin that was allowed may read the answers of the command, by its name and never by an asterisk or with cookies', async () => {
    const target = await start('--allow-origin', 'https://*.app.github.dev', '--allow-origin', 'http://10.0.0.7:5173');
    const allowed = async (origin: string): Promise<unknown> => {
      const { headers } = await send(target, { path: CARD, headers: { origin } });
      expect([headers['access-control-allow-credentials'], headers.vary ?? 'Origin']).toEqual([undefined, 'Origin']);
      return headers['access-control-allow-origin'];
    };
    const origins = ['https://a-4010.app.github.dev', 'http://10.0.0.7:5173', 'https://evil.example'];
    expect(await Promise.all(origins.map(allowed))).toEqual([origins[0], origins[1], undefined]);
  });

  test('beyond loopback the command names the addresses and the page with its token, as it was given', async () => {
    const mock = await start('--host', '0.0.0.0', '--control-token', 'given-control-token-1');
    await vi.waitFor(() => expect(textOf(mock)).toContain('Warning:'));
    const lines = textOf(mock).split('\n');
    const outside = Object.values(networkInterfaces())
      .flatMap((all) => all ?? [])
      .filter(({ internal, family }) => !internal && family === 'IPv4');
    expect(lines.filter((line) => line.startsWith('On the network: http://')).length).toBe(outside.length);
    expect(textOf(mock)).toMatch(/^Page: {8}http:\/\/\S+:\d+\/__mock\/#token=given-control-token-1$/m);
    for (const { address } of outside) expect(textOf(mock)).toContain(`/${address}:`);
  });

  test('on loopback the command names the page without a token', async () => {
    const mock = await start();
    await vi.waitFor(() => expect(textOf(mock)).toContain('Control API:'));
    expect(textOf(mock)).toContain(`Page:        http://127.0.0.1:${mock.port}/__mock/\n`);
  });

  test.each([
    ['--allow-origin', '*'],
    ['--control-token', 'short'],
    ['--signing-key', '/dev/null'],
  ])('%s %s is a usage error that names it', async (flag, value) => {
    const mock = await start(flag, value);
    expect([await mock.ended, textOf(mock)]).toEqual([2, expect.stringMatching(/origin|control token|\/dev\/null/)]);
  });

  test.each(['bank-mock:80', 'http://bank-mock', '[::1]:80', ''])('--allow-host %j is a usage error', async (host) => {
    const mock = await start('--allow-host', host);
    expect([await mock.ended, textOf(mock)]).toEqual([2, expect.stringContaining('--allow-host')]);
  });
});
