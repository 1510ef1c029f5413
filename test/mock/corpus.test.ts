import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { startMock } from '../../src/mock/start-mock.ts';
import { basic, bearer, send } from './support/client.ts';
import { plan } from './support/compiled.ts';
import { ASSUMED_PARAMETERS } from './support/ids.ts';
import { speak, statuses } from './support/socket.ts';

const paths = plan.operations.map(({ path }) =>
  path.replace(/\{([^}]+)\}/g, (_, name: string) => ASSUMED_PARAMETERS[name] ?? 'x'),
);
const method = fc.constantFrom(...'GET GET POST POST PUT DELETE PATCH HEAD OPTIONS TRACE CONNECT BREW'.split(' '), '');
const nasty = fc.oneof(
  fc.constantFrom(
    ...['%', '%ZZ', '%00', '..', '%2e%2e', '\u00e9', '__proto__', '{cardId}', '', 'x'.repeat(300)],
    ...['%F0%9F%92%A9', "'", '"', '<script>', '\\', '|', '^'],
  ),
  fc.string({ maxLength: 12 }),
);
const path = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...paths) },
  fc.tuple(fc.constantFrom(...paths), nasty).map(([one, text]) => one.replace(/[^/]+$/, text)),
  fc
    .tuple(fc.constantFrom(...paths), nasty, nasty)
    .map(([one, name, value]) => `${one}?${name}=${value}&__code=${value}`),
  fc.array(nasty, { maxLength: 6 }).map((parts) => `/${parts.join('/')}`),
  nasty,
);
const name = fc.constantFrom(
  ...'Accept Content-Type Prefer Authorization Expect Origin Host Transfer-Encoding'.split(' '),
  ...'Content-Length Content-Encoding Connection Upgrade Cookie Range If-None-Match X-Mock-Scenario Access-Control-Request-Method'.split(
    ' ',
  ),
);
const fieldValue = fc.oneof(
  fc.constantFrom(
    ...['garbage', '*/*', 'text/html', 'application/json', 'application/json; charset=x', '=;=', 'gzip', 'chunked'],
    ...['application/x-www-form-urlencoded', 'multipart/form-data', 'multipart/form-data; boundary=', '0', '5', '-1'],
    ...['code=500', 'code=404, dynamic=true', 'example=__proto__', 'dynamic=true', 'null', 'http://localhost'],
    ...['100-continue', 'upgrade', 'Bearer', 'Basic Og=='],
  ),
  fc.string({ maxLength: 20 }),
);
const body = fc.oneof(
  fc.constantFrom(
    ...['', '{', '[', 'null', '{"a":1e999}', '{"cardLimitDaily":1e400}', '{"__proto__":1}', '[[[[', '\u0000'],
    ...['{"currency":"toString","cardLimitDaily":1}', '%=%', 'grant_type=%ZZ', 'a=1&a=1'],
    ...[`[${'['.repeat(5_000)}`, `"${'\\u0000'.repeat(100)}"`],
  ),
  fc.json(),
  fc.constantFrom('{"cardLimitDaily":-1}', '{"alias":7}', '[]'),
  fc.string({ maxLength: 50 }),
);
const request = fc.record({
  method,
  path,
  headers: fc.oneof(
    { weight: 9, arbitrary: fc.array(fc.tuple(name, fieldValue), { maxLength: 4 }) },
    { weight: 1, arbitrary: fc.constant([['Accept', 'text/html']]) },
  ),
  body: fc.option(body, { nil: undefined }),
  who: fc.constantFrom('good', 'good', 'good', 'basic', 'none'),
  sized: fc.boolean(),
  typed: fc.constantFrom(true, true, true, false),
});

describe.each([
  ['compiled', 2_500],
  ['prism', 1_500],
] as const)('the %s engine', (engine, requests) => {
  test(`M1: ${requests} generated bad requests cause 0 crashes, 0 hangs and 0 answers of 5xx`, async () => {
    const limits = { headersTimeout: 400, requestTimeout: 800, keepAliveTimeout: 300 };
    await using mock = await startMock({ engine, limits });
    const good = await bearer(mock);
    const who = {
      good: [['Authorization', good]],
      basic: [['Authorization', basic('sandbox', 'sandbox-secret')]],
      none: [],
    };
    const seen = new Map<number, number>();
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 10, maxLength: 10 }), async (batch) => {
        const answers = await Promise.all(
          batch.map((one) => {
            const own = who[one.who as keyof typeof who];
            const fields = [['Host', 'localhost'], ...own, ...one.headers, ['Connection', 'close']];
            if (one.body !== undefined && one.sized)
              fields.push(['Content-Length', String(Buffer.byteLength(one.body))]);
            if (one.body !== undefined && one.typed) fields.push(['Content-Type', 'application/json']);
            const head = `${one.method} ${one.path} HTTP/1.1\r\n${fields.map(([key, value]) => `${key}: ${value}\r\n`).join('')}\r\n`;
            return speak(mock.port, head + (one.body ?? ''), 6_000);
          }),
        );
        for (const { text, closed } of answers) {
          expect(closed).toBe(true);
          for (const status of statuses(text)) {
            seen.set(status, (seen.get(status) ?? 0) + 1);
            // a request for a 500 gets one
            expect(status === 500 && text.includes('preference-applied: code=500') ? 400 : status).toBeLessThan(500);
          }
        }
      }),
      { numRuns: requests / 10, seed: 20_261_121, endOnFailure: true },
    );
    // the corpus covers the situations it is made for
    for (const status of [200, 400, 401, 404, 405, 406, 415, 422])
      expect([status, seen.has(status)]).toEqual([status, true]);
    const last = await send(mock, { path: paths.at(-1) ?? '/', headers: { authorization: good } });
    expect(last.status).toBeLessThan(500);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  }, 120_000);
});
