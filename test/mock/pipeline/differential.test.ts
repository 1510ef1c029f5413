import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PlannedOperation } from '../../../src/mock/compile/plan.ts';
import type { Mock } from '../../../src/mock/mock.ts';
import { startMock } from '../../../src/mock/start-mock.ts';
import { type Reply, send } from '../support/client.ts';
import { plan } from '../support/compiled.ts';
import { ASSUMED_PARAMETERS, VIRTUAL_CARD_ID } from '../support/ids.ts';
import { mockOfFile } from '../support/started.ts';

const operations = plan.operations.filter((operation) => operation.auth === 'bearer');
const mock = await mockOfFile({ anyToken: true, stateless: true });
const prism = await mockOfFile({ anyToken: true, engine: 'prism' });

interface Asked {
  readonly operation: PlannedOperation;
  readonly parameters: Readonly<Record<string, string>>;
  readonly accept: string | undefined;
  readonly contentType: string | undefined;
  readonly body: unknown;
}

// members of a body: of the right type, of the wrong type, and unknown ones
const MEMBERS = [
  ...['cardProgramme', 'cardLimitDaily', 'cardType', 'currency', 'visible', 'amount', 'username', 'reason'],
  ...['securityQuestions', 'readOnly', 'other'],
];
const value = fc.oneof(
  fc.constantFrom<unknown>('GBP', 'x', '', 1, 1.5, 100, true, null, [], [{}], [{ question: 1 }], {}, 'PHYSICAL'),
  fc.string({ maxLength: 5 }),
);
const body = fc.oneof(
  { weight: 3, arbitrary: fc.constant<unknown>(undefined) },
  { weight: 6, arbitrary: fc.dictionary(fc.constantFrom(...MEMBERS), value, { maxKeys: 4, noNullPrototype: true }) },
  // not null: Prism treats the JSON value null as no body (see the test below)
  { weight: 1, arbitrary: fc.constantFrom<unknown>([], 'text', 7, true) },
);
const id = fc.oneof(
  fc.constantFrom(...Object.values(ASSUMED_PARAMETERS), VIRTUAL_CARD_ID, 'EUR'),
  fc.stringMatching(/^[A-Za-z0-9._~-]{1,8}$/),
);
const accept = fc.constantFrom(
  ...[undefined, undefined, '*/*', 'application/*', 'text/*', 'text/html'],
  ...['application/json', 'application/json;q=0', 'application/json; charset=utf-8', 'application/vnd.bank+json'],
  ...['text/html, application/json;q=0.5', 'application/xml, */*;q=0.1'],
);
const contentType = fc.constantFrom(
  ...['application/json', 'application/json', 'application/json', 'application/json; charset=utf-8'],
  ...['text/plain', 'application/xml', undefined],
);
const asked: fc.Arbitrary<Asked> = fc
  .record({
    operation: fc.constantFrom(...operations),
    ids: fc.array(id, { minLength: 4, maxLength: 4 }),
    accept,
    contentType,
    body,
  })
  .map(({ operation, ids, ...rest }) => {
    const names = [...operation.path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1] ?? '');
    const parameters = Object.fromEntries(names.map((name, index) => [name, ids[index] ?? 'x']));
    return { operation, parameters, ...rest };
  });

function plain(operation: PlannedOperation, body: unknown): Asked {
  return { operation, parameters: ASSUMED_PARAMETERS, accept: undefined, contentType: 'application/json', body };
}

/** A body that the operation accepts: the first text with a member for it. */
function bodyFor({ request }: PlannedOperation): Record<string, string> {
  const names = Object.keys(request?.media[0]?.members ?? {});
  const name = names.find((one) => /alias|name|purposeCode|reason/i.test(one));
  return name === undefined ? {} : { [name]: 'x' };
}

function pathOf({ operation, parameters }: Asked): string {
  return operation.path.replace(/\{([^}]+)\}/g, (_, name: string) => parameters[name] ?? '');
}

function ask(of: Mock, request: Asked, more: Record<string, string> = {}): Promise<Reply> {
  const { operation, accept, contentType, body: sent } = request;
  return send(of, {
    method: operation.method,
    path: pathOf(request),
    headers: {
      authorization: 'Bearer any',
      ...(accept === undefined ? {} : { accept }),
      ...(sent === undefined || contentType === undefined ? {} : { 'content-type': contentType }),
      ...more,
    },
    ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
  });
}

function askBoth(request: Asked): Promise<[ours: Reply, theirs: Reply]> {
  return Promise.all([ask(mock, request), ask(prism, request)]);
}

/** A body without the `instance` of a problem (RFC 9457), the number of its exchange: no two are equal. */
function bodyOf({ text }: Reply): Record<string, unknown> {
  return JSON.parse(text.replace(/,"instance":"[^"]*"(?=\}$)/, '') || '{}') as Record<string, unknown>;
}

/** Bodies are compared by value: spelling may differ, and the number of an exchange may have one more digit. */
function shownHeaders({ headers: { date: _, 'content-length': __, ...others } }: Reply): object {
  return others;
}

/** Prism's body with the values that our engine repeats: ids of the path, and members of the request. */
function repeating(theirs: object, ours: Record<string, unknown>, { parameters, body: sent }: Asked): object {
  const given = { ...parameters, ...(typeof sent === 'object' ? sent : {}) } as Record<string, unknown>;
  const repeated = Object.entries(given).filter(
    ([name, value]) => JSON.stringify(ours[name]) === JSON.stringify(value),
  );
  return Array.isArray(theirs) ? theirs : { ...theirs, ...Object.fromEntries(repeated) };
}

/** Prism sends no warnings. */
function warningOf({ headers: { 'x-mock-warning': warning } }: Reply): object {
  return warning === undefined ? {} : { 'x-mock-warning': warning };
}

describe('the compiled engine compared with Prism', () => {
  test('both engines give the same status, type and body for 800 generated requests', async () => {
    await fc.assert(
      fc.asyncProperty(asked, async (request) => {
        const [ours, theirs] = await askBoth(request);
        if (request.body !== undefined && request.operation.request === null && ours.status !== 406) {
          // Prism rejects a body without a known schema, as a strict mock does
          expect(ours.status).toBe(200);
          expect(ours.headers['x-mock-warning']).toMatch(/: 415 \w+ takes no body$/);
        } else if (request.body !== undefined && request.contentType === undefined && ours.status !== 406) {
          // every body states its type: Prism would guess
          expect(ours.status).toBe(415);
        } else if (ours.status === 400) {
          // our engine distinguishes a missing body from a wrong one
          expect([ours.json().type, theirs.status]).toEqual([expect.stringMatching(/missing-body$/), 422]);
        } else if (theirs.status < 300) {
          expect([ours.status, shownHeaders(ours), ours.text && ours.json()]).toEqual([
            theirs.status,
            { ...shownHeaders(theirs), ...warningOf(ours) },
            theirs.text && repeating(theirs.json(), ours.json(), request),
          ]);
        } else if (ours.status === 406) {
          // our engine checks Accept before the body, Prism after it: both reject
          expect([406, 415, 422]).toContain(theirs.status);
        } else expect(ours.status).toBe(theirs.status);
      }),
      { numRuns: 800, seed: 20_261_121 },
    );
  }, 60_000);

  test('both engines report mistakes at the same places', async () => {
    await fc.assert(
      fc.asyncProperty(
        asked.filter((request) => request.contentType === 'application/json'),
        async (request) => {
          const [ours, theirs] = await askBoth({ ...request, accept: undefined });
          if (theirs.status < 300 || ours.status !== 422) return;
          const [told, wrong] = [ours, theirs].map((reply) => {
            const errors = reply.json().errors as { pointer: string; message: string }[];
            // Prism names the object that lacks a member
            const places = errors.map(({ pointer, message }) => (/required|is missing/.test(message) ? '' : pointer));
            return [...new Set(places)].toSorted();
          });
          expect(told).toEqual(wrong);
        },
      ),
      { numRuns: 150, seed: 20_261_122 },
    );
  }, 60_000);

  test('both engines give the same answer when Prefer requests the example from Prism', async () => {
    for (const operation of operations) {
      const key = operation.response.media[0]?.examples[0]?.key ?? '';
      const sent = plain(operation, operation.request?.required ? bodyFor(operation) : undefined);
      const [usual, preferred] = [await ask(mock, sent), await ask(mock, sent, { prefer: `example=${key}` })];
      const example = repeating(bodyOf(preferred), bodyOf(usual), sent);
      expect([preferred.status, example, shownHeaders(preferred)]).toEqual([
        usual.status,
        bodyOf(usual),
        shownHeaders(usual),
      ]);
    }
  }, 60_000);
});

test('our engine rejects the JSON value null by the schema; Prism treats it as no body', async () => {
  const [operation] = operations.filter(({ operationId }) => operationId === 'rejectClient');
  const answers = await askBoth(plain(operation as PlannedOperation, null));
  expect(answers.map(({ status }) => status)).toEqual([422, 200]);
});

describe('the Prefer header', () => {
  const path = `/wallet/api/customers/c/cards/${VIRTUAL_CARD_ID}`;
  const prefer = (wish: string): Promise<Reply> =>
    send(mock, { path, headers: { authorization: 'Bearer any', prefer: wish } });

  test('Prefer: code selects a status of the contract, and a 401 keeps its challenge', async () => {
    const reply = await prefer('code=401');
    expect([reply.status, reply.headers['www-authenticate']]).toEqual([401, 'Bearer realm="banking-api mock"']);
    expect((await prefer('code=204')).status).toBe(204);
  });

  test('Prefer: example selects an example', async () => {
    expect((await prefer('example=physical')).json()).toHaveProperty('token');
    expect((await send(mock, { path, headers: { authorization: 'Bearer any' } })).json()).not.toHaveProperty('token');
  });

  test('M9: mocks with one seed give the same bytes for the same requests, even in parallel', async () => {
    const customer = '/wallet/api/customers/cust-1001';
    const fees = '/billing/api/customers/cust-1001/client/client-2001/card/fees/GBP';
    const paths = [`${path}?__dynamic=true`, path, `${customer}/clients/client-2001/cards`, fees];
    const run = async (seed: number): Promise<string[]> => {
      await using one = await startMock({ listen: false, anyToken: true, seed });
      const headers = { authorization: 'Bearer x' };
      const asked = Array.from({ length: 40 }, (_, index) => paths[index % paths.length] ?? path);
      return await Promise.all(asked.map(async (target) => (await one.fetch(target, { headers })).text()));
    };
    const first = await run(7);
    expect(await run(7)).toEqual(first);
    expect(JSON.parse(first[0] ?? '')).toHaveProperty('cardLimitDaily');
    expect((await run(8))[0]).not.toBe(first[0]);
  });

  test.each(['code=403', 'code=999', 'code=100', 'code=abc', 'example=nobody', 'code=503'])(
    'M1: %s cannot be met and is a 4xx, not a fault',
    async (wish) => {
      const reply = await prefer(wish);
      expect(reply.status).toBeGreaterThanOrEqual(400);
      expect(reply.status).toBeLessThan(500);
      expect(reply.json().type).toMatch(/problems\/preference-unmet$/);
      expect(reply.json().detail).not.toContain('.;');
    },
  );

  test('an unknown preference is ignored', async () => {
    expect((await prefer('respond-async, wait=10')).status).toBe(200);
  });
});
