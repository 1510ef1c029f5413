import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import type { AcceptedRequest } from '../../../src/mock/compile/request.ts';
import { prismInThread } from '../../../src/mock/pipeline/prism-worker.ts';
import { startMock } from '../../../src/mock/start-mock.ts';

const CARD = '/wallet/api/customers/cust-1001/cards/card-4001';

test('a generated answer comes from a thread, so that no other request waits until Prism is loaded', async () => {
  await using mock = await startMock({ listen: false, anyToken: true });
  const headers = { authorization: 'Bearer any' };
  const [made, again, plain] = await Promise.all([
    mock.fetch(CARD, { headers: { ...headers, prefer: 'dynamic=true' } }),
    mock.fetch(CARD, { headers: { ...headers, prefer: 'dynamic=true' } }),
    mock.fetch(CARD, { headers }),
  ]);
  expect([made.status, plain.status]).toEqual([200, 200]);
  const card = await made.json();
  expect(card).toEqual(await again.json());
  expect(card).not.toEqual(await plain.json());
  const refused = await mock.fetch(CARD, { headers: { ...headers, prefer: 'example=none' } });
  expect([refused.status, await refused.json()]).toEqual([
    404,
    expect.objectContaining({ type: expect.stringContaining('preference-unmet') }),
  ]);
  const loaded = Object.keys(createRequire(import.meta.url).cache);
  expect(loaded.filter((file) => file.includes('@stoplight'))).toEqual([]);
});

test('a request fails if the thread of Prism ends', async () => {
  const ask = prismInThread({ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths: {} }, 1);
  const operation = { operationId: 'none', method: 'GET', path: '/none' };
  const request = {
    operation,
    parameters: {},
    call: { headers: {}, query: '', body: null },
  } as unknown as AcceptedRequest;
  for (let time = 0; time < 2; time += 1)
    await expect(ask(request, {}, false)).rejects.toThrow('Prism did not read none');
});
