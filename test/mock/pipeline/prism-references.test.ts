import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { startMock } from '../../../src/mock/start-mock.ts';

test('Prism follows no reference and calls no callback over the network', async () => {
  let calls = 0;
  const server = createServer((_, response) => {
    calls += 1;
    response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const overlay = `
overlay: 1.0.0
info: { title: T, version: '1' }
x-provenance: assumed
actions:
  - target: $.components
    update: { examples: { Odd: { value: { name: odd, $ref: 'http://127.0.0.1:${port}/x.json' } } } }
  - target: $.paths['/wallet/api/customers/{customerId}/cards/{cardId}'].get.responses['2XX'].content['application/json']
    update: { examples: { odd: { value: [{ $ref: 'http://127.0.0.1:${port}/y.json' }] } } }
  - target: $.paths['/wallet/api/customers/{customerId}/cards/{cardId}'].get
    update: { callbacks: { seen: { '{$request.header.x-callback}': { post: { responses: { '200': { description: Seen } } } } } } }
`;
  try {
    const overlays = [{ file: 'odd.yaml', text: overlay }];
    await using mock = await startMock({ listen: false, engine: 'prism', anyToken: true, overlays });
    const headers = { authorization: 'Bearer any', 'x-callback': `http://127.0.0.1:${port}/seen` };
    expect((await mock.fetch('/wallet/api/customers/c/cards/card-4001', { headers })).status).toBe(200);
    // a call that was begun before the answer would have arrived by now
    await fetch(`http://127.0.0.1:${port}/last`);
    expect(calls).toBe(1);
  } finally {
    server.close();
  }
});
