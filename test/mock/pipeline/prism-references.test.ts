import { expect, test } from 'vitest';
import { startMock } from '../../../src/mock/start-mock.ts';
import { serveOnLoopback } from '../../support/loopback.ts';

test('Prism follows no reference and calls no callback over the network', async () => {
  const calls: string[] = [];
  await using server = await serveOnLoopback(({ path }, response) => {
    calls.push(path);
    response.end('{}');
  });
  const overlay = `
overlay: 1.0.0
info: { title: T, version: '1' }
x-provenance: assumed
actions:
  - target: $.components
    update: { examples: { Odd: { value: { name: odd, $ref: '${server.url}/x.json' } } } }
  - target: $.paths['/wallet/api/customers/{customerId}/cards/{cardId}'].get.responses['2XX'].content['application/json']
    update: { examples: { odd: { value: [{ $ref: '${server.url}/y.json' }] } } }
  - target: $.paths['/wallet/api/customers/{customerId}/cards/{cardId}'].get
    update: { callbacks: { seen: { '{$request.header.x-callback}': { post: { responses: { '200': { description: Seen } } } } } } }
`;
  const overlays = [{ file: 'odd.yaml', text: overlay }];
  await using mock = await startMock({ listen: false, engine: 'prism', anyToken: true, overlays });
  const headers = { authorization: 'Bearer any', 'x-callback': `${server.url}/seen` };
  expect((await mock.fetch('/wallet/api/customers/c/cards/card-4001', { headers })).status).toBe(200);
  // a call that had started before the answer would have arrived by now
  await fetch(`${server.url}/last`);
  expect(calls).toEqual(['/last']);
});
