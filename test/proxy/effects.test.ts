import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { fillPath } from '../../src/contract/paths.ts';
import type { ProxyOptions } from '../../src/proxy/options.ts';
import { LOWERING, SEARCH } from '../contract/lowering.ts';
import {
  answering,
  headEnd,
  messageOf,
  open,
  type RawTarget,
  speak,
  startRawTarget,
  until,
  type Watched,
  watch,
} from './support.ts';

const contract = await loadContract();

const IDS = { customerId: 'c', clientId: 'cl', userId: 'u', cardId: 'k', currency: 'GBP' };

interface World {
  readonly target: RawTarget;
  readonly watched: Watched;
}

async function start(options: Partial<ProxyOptions> = {}): Promise<World> {
  const target = await startRawTarget(
    answering('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok', true),
  );
  return { target, watched: await watch(target.url, options) };
}

async function setUp(options: Partial<ProxyOptions> = {}): Promise<World> {
  const world = await start(options);
  open(world.target, world.watched);
  return world;
}

/** Sends one request; returns the status. */
async function send(
  { watched }: World,
  method: string,
  path: string,
  fields = '',
  body: string | Buffer = '',
): Promise<number> {
  const length = method === 'GET' ? '' : `Content-Length: ${body.length}\r\n`;
  const reply = await speak(
    watched.proxy.port,
    Buffer.concat([
      Buffer.from(`${method} ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${length}${fields}\r\n`),
      Buffer.from(body),
    ]),
    (soFar) => headEnd(soFar) > 0 && /ok$|\}$/.test(soFar.toString()),
  );
  return Number(messageOf(reply).start.split(' ')[1]);
}

const arrived = ({ target }: World): string[] =>
  target.received.map((bytes) => bytes.toString().split(' HTTP')[0] ?? '');

describe('D6: the effects policy at the socket of the target', () => {
  test('by default only reads reach the target', async () => {
    const world = await setUp();
    for (const { method, path, effect } of contract.operations) {
      const target = path === null ? null : fillPath(path, IDS);
      if (method === null || target === null) continue;
      expect(await send(world, method, target), `${method} ${target}`).toBe(effect === 'read' ? 200 : 403);
    }
    const reads = contract.operations.filter(({ effect, path }) => effect === 'read' && path !== null).length;
    expect(arrived(world)).toHaveLength(reads);
    await world.watched.proxy.report();
    expect(world.watched.events.filter(({ kind }) => kind === 'refused').length).toBeGreaterThan(10);
  });

  test.each(Object.entries(LOWERING))('D13: no write reaches the target if %s', async (_what, overlay) => {
    const world = await setUp({ overlays: [overlay] });
    expect(await send(world, 'DELETE', '/wallet/api/customers/c/cards/k')).toBe(403);
    expect(await send(world, 'PUT', '/wallet/api/customers/c/cards/k/suspend')).toBe(403);
    expect(await send(world, 'POST', '/wallet/api/customers/c/cards')).toBe(403);
    expect(await send(world, 'POST', '/wallet/api/customers/c/cards/search')).toBe(403);
    expect(arrived(world)).toEqual([]);
  });

  test('D13: a POST that the config declares as a read is forwarded if its host is listed, and no other write', async () => {
    const search = ['POST', '/wallet/api/customers/c/cards/search'] as const;
    const options = { overlays: [SEARCH], effects: { searchCards: 'read' } } as const;
    expect(await send(await setUp(options), ...search)).toBe(403);
    const world = await setUp({ ...options, writesAllowedOn: ['127.0.0.1'] });
    expect(world.watched.proxy.lowered).toEqual(['searchCards']);
    expect(await send(world, ...search)).toBe(200);
    expect(await send(world, 'POST', '/wallet/api/customers/c/cards')).toBe(403);
    expect(arrived(world)).toEqual([search.join(' ')]);
  });

  test('--allow needs the right host in writesAllowedOn, and writesAllowedOn needs --allow', async () => {
    const wanted = ['PUT', '/wallet/api/customers/c/cards/k/suspend'] as const;
    for (const options of [
      { allow: 'write' },
      { writesAllowedOn: ['127.0.0.1'] },
      { allow: 'write', writesAllowedOn: ['sandbox.example'] },
    ] as const) {
      const world = await setUp(options);
      expect(await send(world, ...wanted)).toBe(403);
      expect(arrived(world)).toEqual([]);
    }
    const world = await setUp({ allow: 'write', writesAllowedOn: ['127.0.0.1'] });
    expect(await send(world, ...wanted)).toBe(200);
    expect(await send(world, 'DELETE', '/wallet/api/customers/c/cards/k')).toBe(403);
    expect(arrived(world)).toEqual([wanted.join(' ')]);
  });

  test('destructive requests need expendable ids', async () => {
    const world = await setUp({ allow: 'destructive', writesAllowedOn: ['127.0.0.1'], expendable: ['k-1'] });
    expect(await send(world, 'DELETE', '/wallet/api/customers/c/cards/k-2')).toBe(403);
    expect(await send(world, 'DELETE', '/wallet/api/customers/c/cards/k-1')).toBe(200);
    expect(await send(world, 'DELETE', '/somewhere/k-2')).toBe(403);
    expect(await send(world, 'DELETE', '/somewhere/k-1')).toBe(200);
    expect(arrived(world)).toEqual(['DELETE /wallet/api/customers/c/cards/k-1', 'DELETE /somewhere/k-1']);
  });

  const creating = (status: string, id: string): RawTarget['answer'] => {
    const body = JSON.stringify({ cardId: id });
    const head = `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nConnection: close\r\n`;
    return answering(`${head}Content-Length: ${body.length}\r\n\r\n${body}`, true);
  };

  test('a card that was issued through the proxy may be deleted through it', async () => {
    const world = await setUp({ allow: 'destructive', writesAllowedOn: ['127.0.0.1'] });
    world.target.answer = creating('201 Created', 'made-1');
    expect(await send(world, 'POST', '/wallet/api/customers/c/cards')).toBe(201);
    await world.watched.proxy.report();
    expect(await send(world, 'DELETE', '/wallet/api/customers/c/cards/made-1')).toBe(201);
    expect(await send(world, 'DELETE', '/wallet/api/customers/c/cards/other')).toBe(403);
  });

  test('D14: an id seen before does not become expendable by appearing in a later answer', async () => {
    const world = await setUp({ allow: 'destructive', writesAllowedOn: ['127.0.0.1'] });
    world.target.answer = creating('200 OK', 'there-1');
    expect(await send(world, 'GET', '/nowhere')).toBe(200);
    expect(await send(world, 'POST', '/wallet/api/customers/c/cards')).toBe(200);
    await world.watched.proxy.report();
    expect(await send(world, 'DELETE', '/wallet/api/customers/c/cards/there-1')).toBe(403);
  });

  const CARD = '/wallet/api/customers/c/cards/k';
  const FEES = '/billing/api/customers/c/clients/x/transactions/fees';
  const FORM = 'Content-Type: application/x-www-form-urlencoded\r\n';
  const JSON_BODY = 'Content-Type: application/json\r\n';
  const GZIP = `${JSON_BODY}Content-Encoding: gzip\r\n`;

  describe('with default options', () => {
    let world: World;
    beforeAll(async () => {
      world = await start();
    });
    afterAll(async () => {
      await world.watched[Symbol.asyncDispose]();
      await world.target[Symbol.asyncDispose]();
    });

    test.each([
      ['POST', '/wallet/api/customers/c/cards/'],
      ['POST', '//wallet/api/customers/c/cards'],
      ['POST', '/nowhere'],
      ['PATCH', '/wallet/api/customers/c/cards/k'],
      ['DELETE', '/billing/api/customers/c/clients/x/transactions/fees'],
      // reads by template, but another operation after a server resolves dots or decodes twice
      ['POST', '/billing/api/customers/c/clients/../transactions/fees'],
      ['POST', '/billing/api/customers/c/clients/%2e%2e/transactions/fees'],
      ['POST', '/billing/api/customers/c/clients/x%2F..%2Fy/transactions/fees'],
      ['POST', '/billing/api/customers/c/clients/x%5c..%5cy/transactions/fees'],
      ['PUT', '/wallet/api/customers/c/c%61rds/k/suspend'],
    ])('the disguised path %s %s is blocked', async (method, path) => {
      expect(await send(world, method, path)).toBe(403);
      expect(arrived(world)).toEqual([]);
    });

    test.each<[string, string, string, string, (string | Buffer)?]>([
      ['X-HTTP-Method-Override', 'POST', FEES, 'X-HTTP-Method-Override: DELETE\r\n'],
      ['X-HTTP-Method', 'GET', CARD, 'X-HTTP-Method: put\r\n'],
      ['X-Method-Override', 'POST', FEES, 'X-Method-Override: DELETE\r\n'],
      ['a header field with underscores', 'POST', FEES, 'X_HTTP_METHOD_OVERRIDE: DELETE\r\n'],
      ['a query parameter', 'POST', `${FEES}?_method=DELETE`, ''],
      ['an upper-case query parameter', 'GET', `${CARD}?a=1&_METHOD=put`, ''],
      ['a header name in the query', 'POST', `${FEES}?x-http-method-override=DELETE`, ''],
      ['a form outside the contract', 'POST', FEES, FORM],
      ['a list in the query', 'POST', `${FEES}?_method[]=DELETE`, ''],
      ['an encoded query list', 'GET', `${CARD}?_method%5B%5D=DELETE`, ''],
      ['a query separated by semicolons', 'GET', `${CARD}?a=1;_method=DELETE`, ''],
      ['a path parameter', 'GET', `${CARD};_method=DELETE`, ''],
      ['a JSON member', 'POST', FEES, JSON_BODY, '{"a":1,"_method":"DELETE"}'],
      ['an escaped JSON member', 'POST', FEES, JSON_BODY, String.raw`{"\u005fmethod":"DELETE"}`],
      ['a compressed JSON member', 'POST', FEES, GZIP, gzipSync('{"_method":"DELETE"}')],
      ['an undecodable body', 'POST', FEES, GZIP, 'none'],
      ['JSON in UTF-16', 'POST', FEES, JSON_BODY, Buffer.from('{"_method":"DELETE"}', 'utf16le')],
      ['a member of the token form', 'POST', '/iam/oauth/token', FORM, 'grant_type=x&_method=DELETE'],
      ['an encoded member of the token form', 'POST', '/iam/oauth/token', FORM, '%5Fmethod=DELETE'],
      ['a body too large to inspect', 'POST', FEES, JSON_BODY, Buffer.alloc(1024 * 1024 + 1, ' ')],
    ])('D15: %s cannot override the method', async (_what, method, path, fields, body) => {
      expect(await send(world, method, path, fields, body)).toBe(403);
      expect(arrived(world)).toEqual([]);
    });
  });

  test('an override to a reading method is forwarded, and so is a form of the contract', async () => {
    const world = await setUp();
    expect(await send(world, 'POST', FEES, 'X-Method-Override: GET\r\n')).toBe(200);
    expect(await send(world, 'POST', `${FEES}?_method=GET`)).toBe(200);
    expect(await send(world, 'POST', '/iam/oauth/token', FORM)).toBe(200);
  });

  test('D15: a read with a body that names no method is forwarded with that body', async () => {
    const world = await setUp();
    const body = '{"payment_method":"card","note":"_methodical"}';
    expect(await send(world, 'POST', FEES, JSON_BODY, body)).toBe(200);
    // The caller first reads 100 Continue.
    expect(await send(world, 'POST', FEES, `${JSON_BODY}Expect: 100-continue\r\n`, body)).toBe(100);
    const { received } = world.target;
    await until(() => received.length === 2 && received.every((bytes) => bytes.toString().endsWith(`\r\n\r\n${body}`)));
  });

  test("the rejection explains how to permit the write, and is marked as the proxy's own", async () => {
    const { watched, target } = await setUp();
    const response = await fetch(`${watched.proxy.url}/wallet/api/customers/c/cards`, { method: 'POST', body: '{}' });
    expect(response.headers.get('x-banking-api-proxy')).toBe('true');
    const problem = (await response.json()) as { detail: string };
    expect(problem.detail).toContain('--allow write');
    expect(problem.detail).toContain(`127.0.0.1:${target.port}`);
    expect(problem.detail).toContain('writesAllowedOn');
    expect(watched.exchanges[0]).toMatchObject({ operationId: 'issueNewCard', response: { status: 403 } });
  });
});
