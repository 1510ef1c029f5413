import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Mock } from '../../src/mock/mock.ts';
import { startMock } from '../../src/mock/start-mock.ts';
import { type Exchange, header } from '../../src/model/exchange.ts';
import { basic, FORM } from './support/client.ts';
import { plan } from './support/compiled.ts';
import { ASSUMED_PARAMETERS } from './support/ids.ts';
import { mockOfFile } from './support/started.ts';
import { tokenOf } from './support/token.ts';

const CARD = '/wallet/api/customers/cust-1001/cards/card-4001';
const CARDS = '/wallet/api/customers/cust-1001/cards';
const OPTIONS = {
  clock: () => 1_700_000_000_500,
  limits: { bodyBytes: 2_000, targetBytes: 2_000, headerBytes: 6_000 },
};
const mock = await mockOfFile(OPTIONS);
const { value: token } = await tokenOf(mock);

interface Made {
  readonly fields: Record<string, string>;
  readonly content: string | undefined;
  readonly kind: string | undefined;
  readonly who: string;
}

const ids = fc.constantFrom(...Object.values(ASSUMED_PARAMETERS), 'EUR', 'card-4002', 'x%2Fy', '%ZZ', '..', 'a,b', 'é');
const path = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(fc.constantFrom(...plan.operations), fc.array(ids, { minLength: 4, maxLength: 4 }))
      .map(([operation, values]) => {
        let next = 0;
        return operation.path.replace(/\{[^}]+\}/g, () => values[next++] ?? 'x');
      }),
  },
  { weight: 1, arbitrary: fc.constantFrom('/', '/nowhere', `/${'x'.repeat(2_100)}`, '//', '/iam/oauth/token/') },
);
const query = fc.constantFrom('', '', '', '?a=b', '?__code=401', '?__code=9', '?access_token=x', '?%ZZ');
const fields = fc.dictionary(
  fc.constantFrom('accept', 'content-type', 'prefer', 'origin', 'x-other', 'content-encoding'),
  fc.constantFrom(
    ...['*/*', 'application/json', 'application/json', 'text/html', 'garbage', FORM, 'gzip', 'x'.repeat(6_000)],
    ...['code=204', 'code=404', 'example=virtual', 'dynamic=true', 'http://localhost:3000', 'https://evil.example'],
  ),
  { maxKeys: 2, noNullPrototype: true },
);
const content = fc.oneof(
  { weight: 2, arbitrary: fc.constant(undefined) },
  fc.json(),
  fc.constantFrom(
    '',
    '{',
    '{"a":1,"a":2}',
    '{"currency":"GBP","cardLimitDaily":100001}',
    '{"cardLimitDaily":1}',
    '{"currency":5,"cardLimitDaily":"x","reason":5,"username":5,"visible":5,"name":5}',
    '[]',
    'grant_type=client_credentials',
    'grant_type=password',
    '\ufeff{}',
    `"${'x'.repeat(2_000)}"`,
  ),
);
const kind = fc.constantFrom<string | undefined>('application/json', 'application/json', FORM, undefined);
const who = fc.oneof(
  { weight: 8, arbitrary: fc.constant('good') },
  { weight: 3, arbitrary: fc.constantFrom('none', 'unknown', 'basic') },
);
/** Empty for the method of the operation at the path. */
const method = fc.oneof(
  { weight: 8, arbitrary: fc.constant('') },
  { weight: 7, arbitrary: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH') },
);

describe('mock.fetch', () => {
  test('mock.fetch answers 400 generated requests as the socket does: status, header fields, body', async () => {
    // two separate mocks, so that their requests do not share state
    await using heard = await startMock(OPTIONS);
    await using twin = await startMock({ ...OPTIONS, listen: false });
    const tokens = new Map([
      [heard, (await tokenOf(heard)).value],
      [twin, (await tokenOf(twin)).value],
    ]);
    const initFor = (asked: Mock, made: Made, method: string): RequestInit => {
      const authorization = {
        good: `Bearer ${tokens.get(asked)}`,
        unknown: 'Bearer x.y.z',
        basic: basic('sandbox', 'sandbox-secret'),
      };
      return {
        method,
        headers: {
          ...(made.kind === undefined ? {} : { 'content-type': made.kind }),
          ...made.fields,
          ...(made.who === 'none' ? {} : { authorization: authorization[made.who as 'good'] }),
        },
        ...(made.content === undefined || method === 'GET' || method === 'HEAD' ? {} : { body: made.content }),
      };
    };
    const seen = new Set<number>();
    await fc.assert(
      fc.asyncProperty(fc.record({ method, path, query, fields, content, kind, who }), async (made) => {
        const own = plan.operations.find(({ path: template }) => matches(template, made.path))?.method ?? 'GET';
        const method = made.method === '' ? own : made.method;
        const target = made.path + made.query;
        const [there, here] = await Promise.all([
          told(await fetch(heard.url + target, initFor(heard, made, method))),
          told(await twin.fetch(twin.url + target, initFor(twin, made, method))),
        ]);
        expect(here).toEqual(there);
        seen.add(here.status);
      }),
      { numRuns: 400, seed: 20_261_122, endOnFailure: true },
    );
    // the requests cover the intended statuses
    for (const status of [200, 204, 400, 401, 404, 405, 406, 413, 414, 415, 422, 431])
      expect([status, seen.has(status)]).toEqual([status, true]);
  }, 180_000);

  test('mock.fetch answers 431 to a page without CORS fields, as the socket does', async () => {
    const headers = { origin: 'http://localhost:3000', 'x-other': 'x'.repeat(6_000) };
    const [there, here] = [await fetch(mock.url + CARD, { headers }), await mock.fetch(CARD, { headers })];
    expect(await told(here)).toEqual(await told(there));
    expect([here.status, here.headers.get('access-control-allow-origin')]).toEqual([431, null]);
  });

  test('mock.fetch needs no port: without one it serves paths and its own address', async () => {
    await using unheard = await startMock({ listen: false });
    expect([unheard.url, unheard.port]).toEqual(['http://mock.localhost', 0]);
    const headers = { authorization: `Bearer ${(await tokenOf(unheard)).value}` };
    const answers = [
      await unheard.fetch(CARD, { headers }),
      await unheard.fetch(new URL(CARD, unheard.url), { headers }),
      await unheard.fetch(new Request(unheard.url + CARD, { headers })),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await answers[0]?.json()).toMatchObject({ cardId: 'card-4001' });
  });

  test('M15: the host of an absolute URL is checked like a Host field', async () => {
    expect((await mock.fetch(`https://evil.example${CARD}`)).status).toBe(421);
    expect((await mock.fetch(CARD, { headers: { host: 'evil.example' } })).status).toBe(421);
  });

  test('mock.fetch writes the same journal, with one connection per call', async () => {
    const exchanges: Exchange[] = [];
    await using watched = await startMock({ listen: false, onExchange: (exchange) => exchanges.push(exchange) });
    const { value } = await tokenOf(watched);
    const headers = { authorization: `Bearer ${value}`, 'content-type': 'application/json' };
    await watched.fetch(CARDS, { method: 'POST', headers, body: '{"currency":"GBP"}' });
    const [first, second] = exchanges;
    expect([first?.seq, second?.seq, second?.operationId, second?.connection]).toEqual([1, 2, 'issueNewCard', 2]);
    expect([second?.token?.value, Buffer.from(second?.request.body ?? []).toString()]).toEqual([
      value,
      '{"currency":"GBP"}',
    ]);
    expect(header(second?.request.headers ?? [], 'host')).toBe('mock.localhost');
    expect(header(second?.request.headers ?? [], 'content-length')).toBe('18');
  });

  test('M2: mock.fetch aborts an endless body at the limit', async () => {
    let pulled = 0;
    const endless = new ReadableStream({
      pull(controller) {
        pulled += 1;
        controller.enqueue(new Uint8Array(500));
      },
    });
    const init = { method: 'POST', body: endless, duplex: 'half' } as RequestInit;
    expect((await mock.fetch(CARDS, init)).status).toBe(413);
    expect(pulled).toBeLessThan(20);
  });

  test('mock.fetch rejects aborted calls, before and during the request, and calls after close', async () => {
    await expect(mock.fetch(CARD, { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' });
    const closed = await startMock({ listen: false, anyToken: true });
    const controller = new AbortController();
    const headers = { authorization: 'Bearer x', prefer: 'code=204' };
    const late = closed.fetch(CARD, { signal: controller.signal, headers });
    setTimeout(() => controller.abort(), 0);
    await expect(late).rejects.toMatchObject({ name: 'AbortError' });
    await closed.close();
    await expect(closed.fetch(CARD)).rejects.toThrow('fetch failed');
  });
});

test('mock.fetch ends a slow body when its call is aborted', async () => {
  const controller = new AbortController();
  const headers = { authorization: `Bearer ${token}`, 'x-mock-scenario': 'body-slow' };
  const response = await mock.fetch(CARD, { headers, signal: controller.signal });
  const body = response.text();
  controller.abort();
  await expect(body).rejects.toMatchObject({ name: 'AbortError' });
});

describe('scenario faults with mock.fetch', () => {
  async function ask(scenario: string, method = 'GET'): Promise<Response> {
    return mock.fetch(CARD, { method, headers: { authorization: `Bearer ${token}`, 'x-mock-scenario': scenario } });
  }

  test.each(['connection-reset', 'empty-response'])('M11: %s ends a request without an answer', async (scenario) => {
    await expect(ask(scenario)).rejects.toMatchObject({ name: 'TypeError', cause: { code: 'ECONNRESET' } });
    await expect(fetch(mock.url + CARD, { headers: { 'x-mock-scenario': scenario } })).rejects.toThrow(TypeError);
  });

  test.each(['body-cut', 'chunk-malformed'])('M11: %s ends an answer in the middle of its body', async (scenario) => {
    const answer = await ask(scenario);
    expect(answer.status).toBe(200);
    const reader = answer.body?.getReader();
    expect((await reader?.read())?.value?.length).toBeGreaterThan(0);
    await expect(reader?.read()).rejects.toThrow('terminated');
  });

  test('M11: an answer under body-slow arrives whole, in pieces', async () => {
    const answer = await ask('body-slow');
    const chunks: Uint8Array[] = [];
    for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) chunks.push(chunk);
    expect(chunks.length).toBeGreaterThan(2);
    expect(JSON.parse(Buffer.concat(chunks).toString())).toHaveProperty('cardId');
  });

  test('M11: an answer to HEAD has no body that a scenario could cut', async () => {
    expect(await (await ask('body-cut', 'HEAD')).text()).toBe('');
  });
});

/** Status, body and header fields of an answer, without the header fields of the connection. */
async function told(answer: Response): Promise<{ status: number; headers: Record<string, string>; text: string }> {
  const { date: _, connection: __, 'keep-alive': ___, ...headers } = Object.fromEntries(answer.headers);
  const text = await answer.text();
  // every token is different
  const issued = text.includes('"access_token"');
  return {
    status: answer.status,
    headers: issued ? { ...headers, 'content-length': 'any' } : headers,
    text: issued ? text.replace(/"(?:access_token|jti)":"[^"]+"/g, '') : text,
  };
}

function matches(template: string, made: string): boolean {
  const [wanted, given] = [template.split('/'), made.split('/')];
  return wanted.length === given.length && wanted.every((part, index) => part.startsWith('{') || part === given[index]);
}
