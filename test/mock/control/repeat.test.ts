import { describe, expect, test } from 'vitest';
import type { OverlaySource } from '../../../src/contract/contract.ts';
import { startMock } from '../../../src/mock/start-mock.ts';
import { bearer, type Reply, send } from '../support/client.ts';
import { control } from '../support/control.ts';
import { mockOfFile } from '../support/started.ts';

const CARD = '/wallet/api/customers/cust-1001/cards/card-4001';
const mock = await mockOfFile();

function newest() {
  const entry = mock.journal.entries().at(-1);
  if (!entry) throw new Error('nothing was heard');
  return entry;
}

async function repeat(seq: number, repair: object = {}): Promise<Reply> {
  return control(mock, 'POST', `/journal/${seq}/repeat`, repair);
}

describe('a request of the journal that is sent again', () => {
  test('goes the way of every request, and stands in the journal under a number of its own', async () => {
    await send(mock, { path: CARD, headers: { authorization: await bearer(mock) } });
    const { seq } = newest();
    const reply = await repeat(seq);
    expect(reply.status).toBe(201);
    expect(reply.json()).toEqual({ seq: seq + 1, status: 200 });
    expect(newest()).toMatchObject({
      seq: seq + 1,
      method: 'GET',
      path: CARD,
      operationId: 'getCard',
      response: { status: 200 },
    });
  });

  test('gets a fresh token where its own is over, and keeps one that was never good', async () => {
    await send(mock, { path: CARD, headers: { authorization: await bearer(mock) } });
    const good = newest().seq;
    mock.tokens.expireAll();
    expect((await repeat(good)).json()).toMatchObject({ status: 200 });
    await send(mock, { path: CARD, headers: { authorization: 'Bearer nonsense' } });
    const forged = newest().seq;
    expect((await repeat(forged)).json()).toMatchObject({ status: 401 });
    expect((await repeat(forged, { token: 'fresh' })).json()).toMatchObject({ status: 200 });
  });

  test('is repaired as the explanation of its refusal says', async () => {
    await send(mock, { path: CARD });
    const { repair } = (await control(mock, 'GET', '/why')).json() as { repair: object };
    expect(repair).toEqual({ token: 'fresh' });
    expect((await repeat(newest().seq, repair)).json()).toMatchObject({ status: 200 });

    await send(mock, { method: 'PATCH', path: CARD, headers: { authorization: await bearer(mock) } });
    const refused = (await control(mock, 'GET', '/why')).json() as {
      repair: { method?: string };
      step: string;
      order: string[];
    };
    expect(refused.repair.method).toMatch(/^[A-Z]+$/);
    expect(refused.order).toContain(refused.step);
    expect((await repeat(newest().seq, refused.repair)).json()).not.toMatchObject({ status: 405 });
  });

  test('keeps of a refused body what is good, and says what it changes and nothing of what was sent', async () => {
    const headers = { authorization: await bearer(mock), 'content-type': 'application/json' };
    const path = '/wallet/api/customers/cust-1001/cards';
    const body = {
      clientId: 'client-2001',
      userId: 'user-3001',
      cardType: 7,
      currency: 'GBP',
      alias: 'Sent in secret',
    };
    await send(mock, { method: 'POST', path, headers, body: JSON.stringify(body) });
    expect(newest().response?.status).toBe(422);
    const told = (await control(mock, 'GET', '/why')).json() as { wouldPass: string; repair: object };
    expect(told.repair).toEqual({ fit: 'body' });
    expect(told.wouldPass).toMatch(/^the same body with \/cardType "[A-Z]+"$/);
    expect(JSON.stringify(told)).not.toContain('Sent in secret');
    expect((await repeat(newest().seq, told.repair)).json()).toMatchObject({ status: 200 });
    expect(newest().request.body).toMatchObject({ json: { ...body, cardType: expect.any(String) } });
    // what cannot be read is repaired by no one
    await send(mock, { method: 'POST', path, headers, body: '{"cardType":' });
    expect((await control(mock, 'GET', '/why')).json()).toMatchObject({ rule: 'bad-body', repair: {} });
  });

  test('of a stricter contract gets what it lacks, and loses what may not be there; the example passes, too', async () => {
    const schema =
      "$.paths['/wallet/api/customers/{customerId}/cards'].post.requestBody.content['application/json'].schema";
    const narrowed = { type: 'object', required: ['clientId', 'alias'], additionalProperties: false };
    const properties = {
      clientId: { type: 'string' },
      alias: { type: 'string', minLength: 3 },
      'a/b': { type: 'integer' },
    };
    const strict: OverlaySource = {
      file: 'strict.overlay.yaml',
      text: JSON.stringify({
        ...{ overlay: '1.0.0', 'x-provenance': 'documented', info: { title: 'Strict', version: '1' } },
        actions: [
          { target: schema, remove: true },
          { target: schema.replace(/\.schema$/, ''), update: { schema: { ...narrowed, properties } } },
        ],
      }),
    };
    await using other = await startMock({ overlays: [strict] });
    const headers = { authorization: await bearer(other), 'content-type': 'application/json' };
    const path = '/wallet/api/customers/cust-1001/cards';
    for (const body of [{}, { alias: 'x' }, { odd: { deep: 1 }, alias: 'good', 'a/b': 'no' }]) {
      await send(other, { method: 'POST', path, headers, body: JSON.stringify(body) });
      const { seq, response } = other.journal.entries().at(-1) ?? {};
      expect(response?.status, JSON.stringify(body)).toBe(422);
      const told = (await control(other, 'GET', '/why')).json() as { repair: object; example: string };
      expect((await control(other, 'POST', `/journal/${seq}/repeat`, told.repair)).json()).not.toMatchObject({
        status: 422,
      });
      const [, example = ''] = / -d '(.*)' /.exec(told.example) ?? [];
      expect(JSON.parse(example)).toMatchObject({ clientId: 'client-2001' });
      expect((await send(other, { method: 'POST', path, headers, body: example })).status).toBe(200);
    }
  });

  test('takes another path and another body', async () => {
    const authorization = await bearer(mock);
    await send(mock, { path: '/wallet/api/nothing?a=1', headers: { authorization } });
    expect((await repeat(newest().seq, { path: CARD })).json()).toMatchObject({ status: 200 });
    const path = '/wallet/api/customers/cust-1001/cards';
    await send(mock, {
      method: 'POST',
      path,
      headers: { authorization, 'content-type': 'application/json' },
      body: '[]',
    });
    expect(newest().response?.status).toBe(422);
    const body = { cardType: 'x', odd: '"\u2028<é' };
    await repeat(newest().seq, { body });
    expect(newest().request.body).toMatchObject({ kind: 'json', json: body });
    expect(newest().request.headers).toContainEqual([
      'content-length',
      String(Buffer.byteLength(JSON.stringify(body))),
    ]);
  });

  test('is refused for what is no repair, and for what was forgotten', async () => {
    await send(mock, { path: CARD });
    const { seq } = newest();
    for (const wrong of [
      { path: 'no-slash' },
      { path: '/a b' },
      { method: 'get it' },
      { token: 'mine' },
      { fit: 'all' },
      { more: 1 },
    ])
      expect((await repeat(seq, wrong)).status, JSON.stringify(wrong)).toBe(422);
    expect((await repeat(999_999)).status).toBe(404);
    expect((await repeat(0)).status).toBe(422);
    expect(newest().seq).toBe(seq);
  });
});

test('a token that the control API issues is taken, and no list shows it', async () => {
  const issued = (await control(mock, 'POST', '/tokens')).json() as {
    access_token: string;
    jti: string;
    expires_in: number;
  };
  expect(issued.expires_in).toBeGreaterThan(0);
  const reply = await send(mock, { path: CARD, headers: { authorization: `Bearer ${issued.access_token}` } });
  expect(reply.status).toBe(200);
  const listed = await control(mock, 'GET', '/tokens');
  const { tokens } = listed.json() as { tokens: readonly { jti: string }[] };
  expect(tokens[0]?.jti).toBe(issued.jti);
  expect(listed.text).not.toContain(issued.access_token);
});
