import { describe, expect, test } from 'vitest';
import type { Mock } from '../../../src/mock/mock.ts';
import { startMock } from '../../../src/mock/start-mock.ts';
import { overlayOf } from '../../support/overlay.ts';
import { ask, type Told } from '../support/ask.ts';
import { mockOfFile } from '../support/started.ts';
import { tokenOf } from '../support/token.ts';

const CARDS = '/wallet/api/customers/cust-1001/cards';
const CARD = `${CARDS}/card-4001`;
const mock = await mockOfFile({ listen: false });

const newest = (of: Mock = mock) => of.journal.entries().at(-1) ?? expect.fail('nothing was heard');
const repeat = (repair: object = {}, seq = newest().seq): Promise<Told> =>
  ask(mock, 'POST', `/__mock/journal/${seq}/repeat`, repair);
const why = async (of: Mock = mock) => (await ask(of, 'GET', '/__mock/why')).body;
/** The Authorization field of a fresh token. */
const authorized = async (of: Mock = mock): Promise<{ authorization: string }> => ({
  authorization: `Bearer ${(await tokenOf(of)).value}`,
});

describe('a repeated request of the journal', () => {
  test('a repeated request is handled like any other, and gets its own journal number', async () => {
    await ask(mock, 'GET', CARD, undefined, await authorized());
    const { seq } = newest();
    const { status, body } = await repeat();
    expect([status, body]).toEqual([201, { seq: seq + 1, status: 200 }]);
    const heard = { seq: seq + 1, method: 'GET', path: CARD, operationId: 'getCard', response: { status: 200 } };
    expect(newest()).toMatchObject(heard);
  });

  test('a repeated request gets a fresh token if its own expired, but keeps an invalid one', async () => {
    await ask(mock, 'GET', CARD, undefined, await authorized());
    mock.tokens.expireAll();
    expect((await repeat()).body.status).toBe(200);
    await ask(mock, 'GET', CARD, undefined, { authorization: 'Bearer nonsense' });
    const { seq } = newest();
    expect((await repeat({}, seq)).body.status).toBe(401);
    expect((await repeat({ token: 'fresh' }, seq)).body.status).toBe(200);
  });

  test('the repair in the explanation makes a rejected request pass', async () => {
    await ask(mock, 'GET', CARD, undefined, { authorization: '' });
    const { repair } = await why();
    expect(repair).toEqual({ token: 'fresh' });
    expect((await repeat(repair)).body.status).toBe(200);
    await ask(mock, 'PATCH', CARD, undefined, await authorized());
    const refused = await why();
    expect(refused.repair.method).toMatch(/^[A-Z]+$/);
    expect(refused.order).toContain(refused.step);
    expect((await repeat(refused.repair)).body.status).not.toBe(405);
  });

  test('the repair of a body keeps its valid members, and names its changes without showing sent values', async () => {
    const body = { clientId: 'client-2001', userId: 'user-3001', currency: 'GBP', alias: 'Sent in secret' };
    const headers = await authorized();
    await ask(mock, 'POST', CARDS, { ...body, cardType: 7 }, headers);
    expect(newest().response?.status).toBe(422);
    const told = await why();
    expect(told.repair).toEqual({ fit: 'body' });
    expect(told.wouldPass).toMatch(/^the same body with \/cardType "[A-Z]+"$/);
    expect(JSON.stringify(told)).not.toContain('Sent in secret');
    expect((await repeat(told.repair)).body.status).toBe(200);
    expect(newest().request.body).toMatchObject({ json: { ...body, cardType: expect.any(String) } });
    // an unreadable body has no repair
    const type = { 'content-type': 'application/json' };
    await mock.fetch(CARDS, { method: 'POST', headers: { ...headers, ...type }, body: '{"cardType":' });
    expect(await why()).toMatchObject({ rule: 'bad-body', repair: {} });
  });

  test('a repair uses existing ids and currencies, maxima, and the right content type', async () => {
    const headers = await authorized();
    const customer = '/wallet/api/customers/cust-1001';
    const fees = '/billing/api/customers/cust-1001/client/client-2001/card/fees';
    const pay = { accountId: 'acc-5001', beneficiaryId: 'ben-600l', amount: 1 };
    for (const [method, path, body, more] of [
      ['GET', `${CARDS}/card-4O01`],
      ['POST', `${customer}/clients/client-2001/transactions`, pay],
      ['POST', `${customer}/clients/client-2001/transactions`, { ...pay, beneficiaryId: 'ben-6001', currency: 'GPB' }],
      ['GET', `${fees}/GPB`],
      ['POST', '/billing/api/customers/cust-1001/clients/client-2001/transactions/fees', { currency: 'KWD' }],
      ['POST', CARDS, { clientId: 'client-2001', currency: 'GBP', cardLimitDaily: 100_001 }],
      ['POST', CARDS, { clientId: 'client-2001' }, { 'content-type': 'text/plain' }],
      ['POST', CARDS, { clientId: 'client-2001' }, { 'content-encoding': 'gzip' }],
    ] as const) {
      const { status } = await ask(mock, method, path, body, { ...headers, ...more });
      expect([path, status]).toEqual([path, expect.toSatisfy((one) => one >= 400)]);
      const { repair } = await why();
      expect([path, (await repeat(repair)).body.status]).toEqual([path, 200]);
    }
  });

  test('for a stricter contract the repair adds and removes members, and the example passes', async () => {
    const content = "$.paths['/wallet/api/customers/{customerId}/cards'].post.requestBody.content['application/json']";
    const properties = {
      clientId: { type: 'string' },
      alias: { type: 'string', minLength: 3 },
      'a/b': { type: 'integer' },
    };
    const schema = { type: 'object', required: ['clientId', 'alias'], additionalProperties: false, properties };
    const actions = [
      { target: `${content}.schema`, remove: true },
      { target: content, update: { schema } },
    ];
    const strict = overlayOf(actions, 'documented');
    await using other = await startMock({ listen: false, overlays: [strict] });
    const headers = await authorized(other);
    for (const body of [{}, { alias: 'x' }, { odd: { deep: 1 }, alias: 'good', 'a/b': 'no' }]) {
      expect((await ask(other, 'POST', CARDS, body, headers)).status, JSON.stringify(body)).toBe(422);
      const { repair, example } = await why(other);
      const { seq } = newest(other);
      expect((await ask(other, 'POST', `/__mock/journal/${seq}/repeat`, repair)).body.status).not.toBe(422);
      const least = JSON.parse(/ -d '(.*)' /.exec(example)?.[1] ?? '');
      expect(least).toMatchObject({ clientId: 'client-2001' });
      expect((await ask(other, 'POST', CARDS, least, headers)).status).toBe(200);
    }
  });

  test('a repeated request may have another path and another body', async () => {
    const headers = await authorized();
    await ask(mock, 'GET', '/wallet/api/nothing?a=1', undefined, headers);
    expect((await repeat({ path: CARD })).body.status).toBe(200);
    expect((await ask(mock, 'POST', CARDS, [], headers)).status).toBe(422);
    const body = { cardType: 'x', odd: '"\u2028<é' };
    await repeat({ body });
    expect(newest().request.body).toMatchObject({ kind: 'json', json: body });
    const length = String(Buffer.byteLength(JSON.stringify(body)));
    expect(newest().request.headers).toContainEqual(['content-length', length]);
  });

  test.each([
    { path: 'no-slash' },
    { path: '/a b' },
    { method: 'get it' },
    { token: 'mine' },
    { fit: 'all' },
    { more: 1 },
  ])('%j is not a valid repair and is rejected', async (wrong) => {
    await ask(mock, 'GET', CARD);
    const { seq } = newest();
    expect((await repeat(wrong)).status).toBe(422);
    expect(newest().seq).toBe(seq);
  });

  test('a request that the journal has dropped cannot be repeated', async () => {
    expect((await repeat({}, 999_999)).status).toBe(404);
    expect((await repeat({}, 0)).status).toBe(422);
  });
});

test('a token issued by the control API is accepted, and no list shows it', async () => {
  const { body: issued } = await ask(mock, 'POST', '/__mock/tokens');
  expect(issued.expires_in).toBeGreaterThan(0);
  const authorization = `Bearer ${issued.access_token}`;
  expect((await ask(mock, 'GET', CARD, undefined, { authorization })).status).toBe(200);
  const listed = await ask(mock, 'GET', '/__mock/tokens');
  expect(listed.body.tokens[0].jti).toBe(issued.jti);
  expect(listed.text).not.toContain(issued.access_token);
});
