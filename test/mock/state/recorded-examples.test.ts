import { afterEach, describe, expect, test } from 'vitest';
import type { OverlaySource } from '../../../src/contract/contract.ts';
import type { Mock, MockOptions } from '../../../src/mock/mock.ts';
import { startMock } from '../../../src/mock/start-mock.ts';
import { overlayOf } from '../../support/overlay.ts';
import { type Reply, type Sent, send } from '../support/client.ts';

const CARD = '/wallet/api/customers/cust-1001/cards/card-4001';
const CARDS = '/wallet/api/customers/cust-1001/clients/client-2001/cards';
const FEES = '/billing/api/customers/cust-1001/client/client-2001/card/fees/GBP';
const TEMPLATES: Readonly<Record<string, string>> = {
  [CARD]: '/wallet/api/customers/{customerId}/cards/{cardId}',
  [CARDS]: '/wallet/api/customers/{customerId}/clients/{clientId}/cards',
  [FEES]: '/billing/api/customers/{customerId}/client/{clientId}/card/fees/{currency}',
};

const object = (properties: object): object => ({ type: 'object', required: Object.keys(properties), properties });
const card = { $ref: '#/components/schemas/Card' };

/** A recording of one operation, as `record` writes it. */
function recording(path: string, schema: object | null, type = 'application/json', status = '200'): OverlaySource {
  const response = {
    description: 'Observed.',
    'x-samples': 3,
    content: { [type]: schema === null ? {} : { schema } },
  };
  const target = `$.paths['${TEMPLATES[path]}'].get`;
  return overlayOf([{ target, update: { responses: { [status]: response } } }], 'observed');
}

const open: Mock[] = [];
afterEach(async () => {
  for (const mock of open.splice(0)) await mock.close();
});

async function taught(overlay: OverlaySource, options: MockOptions = {}): Promise<(sent: Sent) => Promise<Reply>> {
  const mock = await startMock({ anyToken: true, ...options, overlays: [overlay] });
  open.push(mock);
  return (sent) => send(mock, { ...sent, headers: { authorization: 'Bearer any', ...sent.headers } });
}

const DOCUMENTED = [
  'cardDesign',
  'cardLimitDaily',
  'cardLimitMonthly',
  'cardLimitTransaction',
  'cardProgramme',
  'token',
];

describe('a mock with a recording shows no merely assumed fields', () => {
  const observed = { allOf: [card, object({ cardId: { type: 'string' }, plan: { type: 'string' } })] };

  test.each([true, false])('a record has only documented and observed fields (stateless: %s)', async (stateless) => {
    const call = await taught(recording(CARD, observed), { stateless });
    const reply = await call({ path: CARD });
    const { cardId, plan, ...rest } = reply.json();
    expect([cardId, typeof plan]).toEqual(['card-4001', 'string']);
    expect(Object.keys(rest).sort()).toEqual(DOCUMENTED);
    expect(reply.headers['x-mock-provenance']).toBe('observed');
  });

  test('Prism generates only documented and observed fields', async () => {
    const call = await taught(recording(CARD, observed));
    const reply = await call({ path: CARD, headers: { prefer: 'dynamic=true' } });
    expect([...DOCUMENTED, 'cardId', 'plan']).toEqual(expect.arrayContaining(Object.keys(reply.json())));
  });

  test('an observed envelope contains the stored records', async () => {
    const items = { type: 'array', items: { allOf: [card, object({ cardId: { type: 'string' } })] } };
    const call = await taught(recording(CARDS, object({ items, page: object({ next: { 'x-only-null': true } }) })));
    const { items: shown, page, ...rest } = (await call({ path: CARDS })).json();
    const cards = shown as { cardId: string }[];
    expect([rest, page]).toEqual([{}, { next: null }]);
    expect(cards.map(({ cardId }) => cardId)).toEqual(['card-4001', 'card-4002']);
    for (const one of cards) expect([...DOCUMENTED, 'cardId']).toEqual(expect.arrayContaining(Object.keys(one)));
  });

  test('an open recorded schema gives an empty object or list', async () => {
    const empty = await taught(recording(FEES, object({ fees: { type: 'array' }, more: { type: 'object' } })));
    expect((await empty({ path: FEES })).json()).toEqual({ fees: [], more: {} });
    const bare = await taught(recording(FEES, { type: 'object' }));
    expect((await bare({ path: FEES })).json()).toEqual({});
  });

  test('operations outside the recording are unchanged', async () => {
    const call = await taught(recording(CARD, observed));
    expect((await call({ path: CARDS })).json()[0]).toHaveProperty('maskedNumber');
  });
});

test('an observed schema replaces an assumption that it contradicts', async () => {
  const shape = object({
    status: { type: 'integer' },
    currency: { type: 'string', pattern: String.raw`^-?\d+$` },
    expires: object({ month: { type: 'integer' } }),
    alias: { type: 'array', items: { type: 'string' } },
    maskedNumber: { 'x-only-null': true },
  });
  const call = await taught(recording(CARD, { allOf: [card, shape] }));
  const reply = await call({ path: CARD });
  const { status, currency, expires, alias, maskedNumber } = reply.json() as Record<string, never> & {
    expires: { month: unknown };
    alias: unknown[];
  };
  expect([typeof status, typeof expires.month, typeof alias[0], maskedNumber]).toEqual([
    'number',
    'number',
    'string',
    null,
  ]);
  expect(currency).toMatch(/^\d+$/);
  expect(reply.headers['x-mock-provenance']).toBe('observed');
});

describe('recorded media types', () => {
  test.each([
    ['application/hal+json', '{"x":'],
    ['application/vnd.bank.v1+json', '{"x":'],
  ])('%s is served to callers that accept it', async (type, start) => {
    const call = await taught(recording(FEES, object({ x: { type: 'integer' } }), type));
    const reply = await call({ path: FEES, headers: { accept: `${type}, application/json;q=0.9` } });
    expect([reply.status, reply.headers['content-type'], reply.text.startsWith(start)]).toEqual([200, type, true]);
    expect((await call({ path: FEES, headers: { accept: 'application/json' } })).status).toBe(406);
  });

  test.each(['text/csv', 'application/xml', 'application/pdf'])('%s has a generated text', async (type) => {
    const call = await taught(recording(FEES, null, type, '203'));
    const reply = await call({ path: FEES });
    expect([reply.status, reply.headers['content-type']]).toEqual([203, type]);
    expect(reply.text).toContain('Made up by the mock');
  });
});

test('a reload keeps the schemas of the recording', async () => {
  const mock = await startMock({ anyToken: true, overlays: [recording(FEES, object({ plan: { type: 'string' } }))] });
  open.push(mock);
  const ask = async (): Promise<string> =>
    (await send(mock, { path: FEES, headers: { authorization: 'Bearer any' } })).text;
  const before = await ask();
  expect(JSON.parse(before)).toEqual({ plan: expect.any(String) });
  expect((await mock.reload()).problem).toBeNull();
  expect(await ask()).toBe(before);
});

test('M9: generated values depend on the seed and differ between items', async () => {
  const shape = { type: 'array', items: { allOf: [card, object({ reference: { type: 'string', format: 'uuid' } })] } };
  const ask = async (seed: number): Promise<string> =>
    (await (await taught(recording(CARDS, shape), { seed }))({ path: CARDS })).text;
  expect(await ask(7)).toBe(await ask(7));
  expect(await ask(7)).not.toBe(await ask(8));
  const references = JSON.parse(await ask(7)).map(({ reference }: { reference: string }) => reference);
  expect(new Set(references).size).toBe(references.length);
});
