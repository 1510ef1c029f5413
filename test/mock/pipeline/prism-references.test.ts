import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { loadContract } from '../../../src/contract/load.ts';
import { createPrismEngine } from '../../../src/mock/pipeline/prism.ts';

test('Prism is given no reference that it could follow over the network', async () => {
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
`;
  try {
    const contract = await loadContract({ overlays: [{ file: 'odd.yaml', text: overlay }] });
    await createPrismEngine(contract.document, 1);
    expect(calls).toBe(0);
  } finally {
    server.close();
  }
});
