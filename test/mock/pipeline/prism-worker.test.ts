import { spawnSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import type { AcceptedRequest } from '../../../src/mock/compile/request.ts';
import { prismInThread } from '../../../src/mock/pipeline/prism-worker.ts';
import { startMock } from '../../../src/mock/start-mock.ts';
import { modulePath, packageRoot } from '../../../src/package-root.ts';

const CARD = '/wallet/api/customers/cust-1001/cards/card-4001';

test('a generated answer comes from a thread and is the same each time', async () => {
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
});

test('the process of the mock does not load Prism for a generated answer', () => {
  // a process of its own: other tests load Prism
  const program = `
    import { createRequire } from 'node:module';
    import { startMock } from ${JSON.stringify(pathToFileURL(modulePath('src/mock/start-mock')))};
    const mock = await startMock({ listen: false, anyToken: true });
    const headers = { authorization: 'Bearer any', prefer: 'dynamic=true' };
    const { status } = await mock.fetch(${JSON.stringify(CARD)}, { headers });
    const loaded = Object.keys(createRequire(import.meta.url).cache).filter((file) => file.includes('@stoplight'));
    console.log(JSON.stringify([status, loaded]));
    process.exit();`;
  const options = ['--conditions', 'development', '--input-type=module', '--eval', program];
  const { stdout, stderr } = spawnSync(process.execPath, options, { cwd: packageRoot, encoding: 'utf8' });
  expect(stdout.trim(), stderr).toBe('[200,[]]');
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
