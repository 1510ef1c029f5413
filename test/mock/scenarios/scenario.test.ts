import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { ScenarioDefinition } from '../../../generated/mock/scenario.ts';
import { type FileSchema, publishedSchema } from '../../../src/files/schema.ts';
import { createCatalogue } from '../../../src/mock/scenarios/catalogue.ts';
import { EFFECT_NAMES } from '../../../src/mock/scenarios/effects.ts';
import { startMock } from '../../../src/mock/start-mock.ts';
import { packageRoot } from '../../../src/package-root.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { ask } from '../support/ask.ts';
import { askToken, bearer, type Reply, send } from '../support/client.ts';
import { parts, plan } from '../support/compiled.ts';
import { speak } from '../support/socket.ts';
import { mockOfFile } from '../support/started.ts';

const CARD = '/wallet/api/customers/cust-1001/cards/card-4001';
/** Its cards are in LIST. */
const CARDS = '/wallet/api/customers/c/cards';
const LIST = '/wallet/api/customers/c/clients/client-2001/cards';
const mock = await mockOfFile();
const authorization = await bearer(mock);

const card = (scenario?: string, more: Record<string, string> = {}): Promise<Reply> =>
  send(mock, {
    path: CARD,
    headers: { authorization, ...(scenario === undefined ? {} : { 'x-mock-scenario': scenario }), ...more },
  });

/** Statuses of several requests in a row. */
async function statusesOf(count: number, call: () => Promise<Reply>): Promise<number[]> {
  const all: number[] = [];
  for (let index = 0; index < count; index += 1) all.push((await call()).status);
  return all;
}

describe('M11: scenarios', () => {
  test('a scenario marks the answers it changes, and leaves all other answers alone', async () => {
    using _ = await mock.scenario('drift-renamed');
    const reply = await card();
    expect(reply.headers['x-mock-scenario']).toBe('drift-renamed');
    expect(reply.headers['x-mock-provenance']).toBe('assumed');
    expect(reply.json()).toHaveProperty('cardToken');
    expect(reply.json()).not.toHaveProperty('token');
    const token = await askToken(mock);
    expect([token.status, token.headers['x-mock-scenario']]).toEqual([200, undefined]);
  });

  test('a header selects scenarios per request, and equal headers share their counts', async () => {
    expect(await statusesOf(3, () => card('unauthorized-once#a'))).toEqual([401, 200, 200]);
    expect(await statusesOf(2, () => card('unauthorized-once#b'))).toEqual([401, 200]);
    expect((await card()).status).toBe(200);
  });

  test('scenarios combine: several in one header, and a file that includes others', async () => {
    const reply = await card('drift-renamed, drift-retyped');
    expect(reply.json()).toMatchObject({ cardToken: expect.any(String), cardLimitDaily: '5000' });
    expect(reply.headers['x-mock-scenario']).toBe('drift-renamed, drift-retyped');
    const catalogue = createCatalogue(() => ({ operations: [], refusals: parts.entities.file.refusals }));
    const { rules } = await catalogue.load('rate-limited');
    expect(rules).toHaveLength(1);
  });

  test('a scenario is known by its file name, and another name inside hides no other scenario', async () => {
    const folder = await temporaryFolder();
    writeFileSync(join(folder, 'mine.yaml'), "name: yours\nrules: [{ operations: ['*'], delay: 1 }]\n");
    const catalogue = createCatalogue(() => ({ operations: [], refusals: parts.entities.file.refusals }), folder);
    const names = (await catalogue.list()).map(({ name }) => name);
    expect(names).toContain('mine');
    for (const name of names) expect((await catalogue.load(name)).name).toBe(name);
  });

  test('an unknown scenario name is an error of the caller, with a suggestion', async () => {
    const reply = await card('unauthorised-once');
    expect(reply.status).toBe(400);
    expect(reply.json()).toMatchObject({
      type: expect.stringMatching(/scenario-unknown$/),
      detail: expect.stringContaining('Did you mean unauthorized-once?'),
    });
    expect((await card('../../package')).status).toBe(400);
    expect((await card('')).status).toBe(400);
  });

  test('scenarios apply only after the Host and path checks', async () => {
    expect((await card('server-down', { host: 'evil.example' })).status).toBe(421);
    expect((await send(mock, { path: '/nowhere', headers: { 'x-mock-scenario': 'server-down' } })).status).toBe(404);
  });

  test('every packaged scenario is valid, and has a title and its own name', async () => {
    const { operations } = await mock.contract();
    const all = await createCatalogue(() => ({ operations, refusals: parts.entities.file.refusals })).list();
    expect(all.length).toBeGreaterThan(25);
    for (const { title } of all) expect(title).toBeTypeOf('string');
  });
});

test('an answer with a status that has no body is sent without one', async () => {
  const rules = [{ answer: { status: 204, body: { a: 1 } } }];
  await using own = await startMock({ anyToken: true, scenarios: [{ name: 'empty', rules }] });
  const answer = await own.fetch(CARD, { headers: { authorization: 'Bearer x' } });
  expect([answer.status, answer.headers.get('content-type'), answer.headers.get('content-length')]).toEqual([
    204,
    null,
    null,
  ]);
});

test('every effect has its row in docs/scenarios.md and its description in the schema', async () => {
  const docs = readFileSync(join(packageRoot, 'docs/scenarios.md'), 'utf8');
  const schema = await publishedSchema('scenario');
  const { rule } = schema.$defs as Record<string, FileSchema>;
  for (const name of EFFECT_NAMES) {
    expect(docs).toMatch(new RegExp(`^\\| \`${name}\\b`, 'm'));
    expect(rule?.properties?.[name]).toHaveProperty(name === 'answer' ? '$ref' : 'description');
  }
});

describe('M5, M6: the 401 situations', () => {
  test('an expired token stays rejected, and a new one is accepted', async () => {
    using _ = await mock.scenario('token-expired');
    const other = await bearer(mock);
    expect(await statusesOf(2, () => card())).toEqual([401, 401]);
    const challenge = 'error="invalid_token", error_description="the token has expired"';
    expect((await card()).headers['www-authenticate']).toContain(challenge);
    expect((await card(undefined, { authorization: other })).status).toBe(200);
  });

  test('a revoked token gets an answer that says revoked', async () => {
    using _ = await mock.scenario('token-revoked');
    expect((await card()).headers['www-authenticate']).toContain('the token was revoked');
  });

  test('unauthorized-once rejects one request with a good token, and does not count requests without one', async () => {
    using _ = await mock.scenario('unauthorized-once');
    expect((await card(undefined, { authorization: 'Basic x' })).status).toBe(401);
    expect(await statusesOf(3, () => card())).toEqual([401, 200, 200]);
  });
});

test('a scenario can make the token endpoint fail, answer differently, or reset', async () => {
  const under = (scenario: string): Promise<Reply> => askToken(mock, { headers: { 'x-mock-scenario': scenario } });
  expect((await under('token-endpoint-failing')).status).toBe(503);
  expect((await under('token-endpoint-wrong-body')).json()).toEqual({ token_type: 'bearer', expires_in: 'soon' });
  await expect(under('token-endpoint-down')).rejects.toThrow(/ECONNRESET|socket hang up/);
  expect((await under('drift-dropped')).json()).not.toHaveProperty('jti');
});

describe('business answers', () => {
  test('deprecated forms are withdrawn and name their successor', async () => {
    const path = '/iam/api/customers/c/client/c/card/fees/GBP';
    const reply = await send(mock, { path, headers: { authorization, 'x-mock-scenario': 'deprecated-withdrawn' } });
    expect(reply.status).toBe(410);
    expect(reply.headers).toHaveProperty('deprecation');
    expect(reply.json()).toHaveProperty('detail', expect.stringContaining('getCardFeesDeprecated was withdrawn'));
    expect((await card('deprecated-withdrawn')).headers['x-mock-scenario']).toBeUndefined();
  });

  test('a limit and missing security questions are rejected after the checks of token and body', async () => {
    const issue = (scenario: string, body: string, more = {}): Promise<Reply> => {
      const headers = { authorization, 'content-type': 'application/json', 'x-mock-scenario': scenario, ...more };
      return send(mock, { method: 'POST', path: CARDS, body, headers });
    };
    expect((await issue('card-limit-refused', '{"cardLimitDaily":1}')).status).toBe(422);
    expect((await issue('security-questions-missing', '{}')).json()).toMatchObject({
      status: 409,
      errors: [{ in: 'body', pointer: '/userId' }],
    });
    expect((await issue('card-limit-refused', '{')).status).toBe(400);
    expect((await issue('card-limit-refused', '{}', { authorization: 'Bearer x' })).status).toBe(401);
  });

  test('too many requests are rejected with Retry-After', async () => {
    const reply = await card('rate-limited#1');
    expect([reply.status, reply.headers['retry-after']]).toEqual([429, '1']);
    expect((await card('rate-limited#1')).status).toBe(200);
  });
});

describe('latency', () => {
  const timed = async (definition: ScenarioDefinition): Promise<number> => {
    using _ = await mock.scenario(definition);
    const started = performance.now();
    expect((await card()).status).toBe(200);
    return performance.now() - started;
  };

  test('a delay is real time: fixed or random, and only for the listed operations', async () => {
    expect(await timed({ name: 'fixed', rules: [{ delay: 120 }] })).toBeGreaterThan(110);
    expect(await timed({ name: 'drawn', rules: [{ delay: { between: [100, 140] } }] })).toBeGreaterThan(95);
    expect(await timed({ name: 'other', rules: [{ delay: 5_000, operations: ['getToken'] }] })).toBeLessThan(3_000);
  });

  test('closing the mock releases delayed requests', async () => {
    const slow = await startMock({ anyToken: true, scenarios: [{ name: 'slow', rules: [{ delay: 60_000 }] }] });
    const late = send(slow, { path: CARD, headers: { authorization: 'Bearer x' } });
    const active = async () => (await ask(slow, 'GET', '/__mock/scenarios/active')).body.active;
    await vi.waitFor(async () => expect(await active()).toMatchObject([{ hits: 1 }]), 20_000);
    await slow.close();
    expect((await late).status).toBe(200);
  });
});

const run = async (seed: number): Promise<string> => {
  await using one = await startMock({ anyToken: true, seed, scenarios: ['server-errors'] });
  const all = await Promise.all(
    Array.from({ length: 200 }, () => send(one, { path: CARD, headers: { authorization: 'Bearer x' } })),
  );
  return all.map(({ status }) => (status === 503 ? 'x' : '.')).join('');
};

test('M9: faults occur at about the requested rate, and equally with the same seed', async () => {
  const count = (text: string): number => text.split('x').length - 1;
  const [one, two] = [await run(7), await run(7)];
  expect(count(one)).toBe(count(two));
  expect(count(one)).toBeGreaterThan(15);
  expect(count(one)).toBeLessThan(70);
});

describe('M11: faults on the wire', () => {
  const raw = (scenario: string, wait = 3_000): ReturnType<typeof speak> =>
    speak(
      mock.port,
      `GET ${CARD} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${authorization}\r\nx-mock-scenario: ${scenario}\r\n\r\n`,
      wait,
    );

  test('reset and empty close without a byte', async () => {
    expect(await raw('connection-reset')).toEqual({ text: '', closed: true });
    expect(await raw('empty-response')).toEqual({ text: '', closed: true });
    await expect(card('connection-reset')).rejects.toThrow(/ECONNRESET|hang up/);
  });

  test('a truncated body is shorter than its announced length', async () => {
    const { text, closed } = await raw('body-cut');
    const [head = '', body = ''] = text.split('\r\n\r\n');
    const length = Number(/content-length: (\d+)/.exec(head)?.[1]);
    expect(closed).toBe(true);
    expect(body.length).toBeGreaterThan(0);
    expect(body.length).toBeLessThan(length);
    await expect(card('body-cut')).rejects.toThrow(/aborted|hang up|ECONNRESET/);
  });

  test('a malformed chunk breaks the framing', async () => {
    expect((await raw('chunk-malformed')).text).toMatch(/transfer-encoding: chunked[\s\S]*this is no chunk/);
    const answer = await fetch(mock.url + CARD, { headers: { authorization, 'x-mock-scenario': 'chunk-malformed' } });
    await expect(answer.text()).rejects.toThrow();
  });

  test('reset-upload ends a request before its body has arrived, and changes nothing', async () => {
    const rule = { operations: ['issueNewCard'], times: 1, fault: { kind: 'reset-upload' } } as const;
    const head = (length: number, more = ''): string =>
      `POST ${CARDS} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${authorization}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n${more}\r\n`;
    const body = JSON.stringify({ alias: 'Interrupted', cardDesign: 'blue' });
    // part of the body, no body, and a request that waits for 100 Continue
    for (const text of [head(500) + body, head(500), head(500, 'Expect: 100-continue\r\n')]) {
      using _ = await mock.scenario({ name: 'lost', rules: [rule] });
      expect((await speak(mock.port, text)).text).not.toContain('HTTP/1.1 2');
    }
    using _ = await mock.scenario({ name: 'lost', rules: [rule] });
    const send4MiB = fetch(mock.url + CARDS, {
      method: 'POST',
      headers: { authorization },
      body: new Uint8Array(2 ** 22),
    });
    await expect(send4MiB).rejects.toThrow();
    const { request, response, failure } = mock.journal.entries({}).at(-1) ?? {};
    expect([response, failure?.kind]).toEqual([null, 'reset']);
    expect(request?.body?.bytes).toBeLessThan(2 ** 22);
    expect((await send(mock, { path: LIST, headers: { authorization } })).text).not.toContain('Interrupted');
    // its count is used up
    const json = { authorization, 'content-type': 'application/json' };
    expect((await send(mock, { method: 'POST', path: CARDS, headers: json, body })).status).toBe(200);
  });

  test('reset-late loses the connection at once, and the act follows', async () => {
    const fault = { kind: 'reset-late', over: 1_000 } as const;
    using _ = await mock.scenario({ name: 'late', rules: [{ operations: ['issueNewCard'], times: 1, fault }] });
    const headers = { authorization, 'content-type': 'application/json' };
    const body = JSON.stringify({ alias: 'Belated', cardDesign: 'blue' });
    const names = async () => (await send(mock, { path: LIST, headers: { authorization } })).text;
    await expect(send(mock, { method: 'POST', path: CARDS, headers, body })).rejects.toThrow(/ECONNRESET|hang up/);
    expect(await names()).not.toContain('Belated');
    await vi.waitFor(async () => expect(await names()).toContain('Belated'), 5_000);
    const late = mock.journal.entries({}).find(({ method, failure }) => method === 'POST' && failure !== undefined);
    expect(late).toMatchObject({ operationId: 'issueNewCard', response: null, failure: { kind: 'reset' } });
  });

  test('a slow body arrives whole, within its time', async () => {
    using _ = await mock.scenario({ name: 'slow-body', rules: [{ fault: { kind: 'dribble', over: 300 } }] });
    const started = performance.now();
    expect((await card()).json()).toHaveProperty('cardId', 'card-4001');
    expect(performance.now() - started).toBeGreaterThan(250);
  });

  test('HEAD has no body to cut, and is not delayed', async () => {
    const headers = { authorization, 'x-mock-scenario': 'body-slow' };
    expect((await send(mock, { method: 'HEAD', path: CARD, headers })).status).toBe(200);
  });

  test('a gateway page, a wrong type, invalid JSON and an empty body arrive as defined', async () => {
    const page = await card('gateway-page');
    expect([page.status, page.headers['content-type']]).toEqual([502, 'text/html; charset=utf-8']);
    const type = await card('content-type-wrong');
    expect([type.headers['content-type'], type.json().cardId]).toEqual(['text/plain; charset=utf-8', 'card-4001']);
    const malformed = await card('json-malformed');
    expect(malformed.headers['content-type']).toBe('application/json');
    expect(() => malformed.json()).toThrow(SyntaxError);
    expect((await card('empty-body')).text).toBe('');
  });

  test('the mock still serves after wire faults', async () => {
    await Promise.allSettled(
      ['connection-reset', 'body-cut', 'empty-response', 'chunk-malformed'].flatMap((name) =>
        Array.from({ length: 10 }, () => card(name)),
      ),
    );
    expect((await card()).status).toBe(200);
  });
});

test('drift changes fields in every list item and inside objects', async () => {
  using _ = await mock.scenario({
    name: 'drift',
    rules: [
      { operations: ['listClientCards'], change: [{ drop: 'alias' }, { retype: 'cardLimitDaily', to: 'null' }] },
      { operations: ['getTransaction'], change: [{ rename: 'paymentProviderDetails.rate', to: '__proto__' }] },
    ],
  });
  const list = await send(mock, { path: LIST, headers: { authorization } });
  const cards = JSON.parse(list.text) as Record<string, unknown>[];
  expect(cards.length).toBeGreaterThan(1);
  for (const one of cards) expect([Object.hasOwn(one, 'alias'), one.cardLimitDaily]).toEqual([false, null]);
  const { path } = plan.operations.find(({ operationId }) => operationId === 'getTransaction') ?? { path: '' };
  const transaction = path.replace('{transactionId}', 'txn-7001').replace(/\{\w+\}/g, 'x');
  const reply = await send(mock, { path: transaction, headers: { authorization } });
  expect(reply.text).toContain('"__proto__":');
  expect(({} as { x?: unknown }).x).toBeUndefined();
});

const folder = await temporaryFolder();

describe('a scenario file', () => {
  const write = (name: string, text: string): string => {
    const file = join(folder, name);
    writeFileSync(file, text);
    return file;
  };

  test('a scenario file is active from the start under its name', async () => {
    const file = write('own.yaml', 'name: my-own\nrules:\n  - answer: { status: 418, body: short and stout }\n');
    await using own = await startMock({ anyToken: true, scenarios: [file] });
    const reply = await send(own, { path: CARD, headers: { authorization: 'Bearer x' } });
    expect([reply.status, reply.text, reply.headers['x-mock-scenario']]).toEqual([418, 'short and stout', 'my-own']);
    await own.reset();
    expect((await send(own, { path: CARD, headers: { authorization: 'Bearer x' } })).status).toBe(418);
  });

  test('a reload reads the scenario file again; an invalid one leaves the last valid one active', async () => {
    const file = write('changing.yaml', 'name: changing\nrules:\n  - answer: { status: 418 }\n');
    await using own = await startMock({ anyToken: true, scenarios: [file] });
    const status = async (): Promise<number> =>
      (await send(own, { path: CARD, headers: { authorization: 'Bearer x' } })).status;
    expect(await status()).toBe(418);
    write('changing.yaml', 'name: changing\nrules:\n  - answer: { status: 420 }\n');
    expect(await own.reload()).toMatchObject({ contract: 'current' });
    expect(await status()).toBe(420);
    write('changing.yaml', 'name: changing\nrules:\n  - answr: { status: 421 }\n');
    expect(await own.reload()).toMatchObject({ contract: 'stale', problem: { file, line: 3 } });
    expect(await status()).toBe(420);
  });

  test.each([
    ['unknown key', 'dealy: 5\n    times: 1', 5, /"dealy".*Did you mean delay/s],
    ['wrong value', 'fault: { kind: explode }', 20, /must be one of "reset"/],
    ['unknown operation', 'operations: [getCrad]\n    delay: 5', 18, /"getCrad".*Did you mean getCard/s],
    ['forbidden header', 'answer: { status: 200, headers: { content-length: "5" } }', 37, /./],
    ['line break in a header', 'answer: { status: 200, headers: { a: "b\\r\\nc: d" } }', 42, /form/],
    ['nothing happens', 'times: 1', 5, /does nothing/],
    ['delay upside down', 'delay: { between: [9, 1] }', 23, /longer/],
    ['no YAML', '}', 5, /./],
  ])('a mistake is rejected with file, line and column: %s', async (name, rule, column, message) => {
    const file = write(`${name.replaceAll(' ', '-')}.yaml`, `name: a\nrules:\n  - ${rule}\n`);
    const error = await startMock({ scenarios: [file] }).catch((cause: unknown) => cause);
    expect(error).toMatchObject({ code: 'usage', place: { file, line: 3, column } });
    expect((error as { describe(): string }).describe()).toMatch(message);
  });

  test('a scenario that includes itself is rejected, and a missing file is named', async () => {
    const file = write('circle.yaml', 'name: circle\ninclude: [circle]\n');
    await expect(startMock({ scenarios: [file] })).rejects.toMatchObject({ code: 'usage' });
    await expect(startMock({ scenarios: [join(folder, 'none.yaml')] })).rejects.toMatchObject({ code: 'file-missing' });
  });
});
