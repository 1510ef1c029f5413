import { afterEach, expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { createReach } from '../../src/contract/paths.ts';
import type { VerifyOptions } from '../../src/run/options.ts';
import { plan } from '../../src/run/plan.ts';
import { verify } from '../../src/run/verify.ts';
import { CREDENTIALS, json, PARAMETERS, type Sandbox, startSandbox } from '../run/sandbox.ts';

const open: Sandbox[] = [];
afterEach(async () => {
  for (const sandbox of open.splice(0)) await sandbox[Symbol.asyncDispose]();
});

const WRITES = { allow: 'destructive', writesAllowedOn: ['127.0.0.1'] } as const;

/**
 * Runs against a sandbox that accepts everything. Returns the operations that reached its socket with a token, and
 * their paths.
 */
async function reached(
  options: Partial<VerifyOptions>,
): Promise<{ ids: Set<string>; paths: string[]; planned: Set<string> }> {
  const contract = await loadContract();
  const sandbox = await startSandbox({
    fault: ({ path, method, authorization }, response) => {
      if (path === '/iam/oauth/token' || !authorization.startsWith('Bearer ey')) return false;
      const created = method === 'POST' && path.endsWith('/cards') ? { cardId: 'created-here' } : {};
      return json(response, 200, created);
    },
  });
  open.push(sandbox);
  const all: VerifyOptions = { target: sandbox.url, credentials: CREDENTIALS, parameters: PARAMETERS, ...options };
  const rows = await plan(all);
  expect(sandbox.seen).toEqual([]);
  await verify(all);
  const ids = new Set<string>();
  const reach = createReach(contract.operations);
  for (const { method, path } of sandbox.seen) {
    for (const { operation } of reach(path) ?? []) if (operation.method === method) ids.add(operation.operationId);
  }
  const known = (target: string): string => target.replace('{cardId} ({cardId}: created in this run)', 'created-here');
  const planned = new Set(rows.map(({ method, target }) => `${method} ${known(target)}`));
  const sent = new Set(sandbox.seen.map(({ method, path }) => `${method} ${path}`));
  expect([...sent].filter((line) => !planned.has(line))).toEqual([]);
  return { ids, paths: sandbox.seen.map(({ method, path }) => `${method} ${path}`), planned };
}

const effectsOf = async (ids: Set<string>): Promise<Set<string>> => {
  const contract = await loadContract();
  return new Set([...ids].map((id) => contract.operation(id)?.effect ?? '?'));
};

test('D6: by default only reads reach a URL, and --plan sends nothing', async () => {
  const { ids } = await reached({});
  expect(await effectsOf(ids)).toEqual(new Set(['read']));
  expect(ids.size).toBe(9);
});

test('D6: --allow needs the host in writesAllowedOn, and writesAllowedOn needs --allow', async () => {
  expect(await effectsOf((await reached({ allow: 'destructive', writesAllowedOn: ['other.example'] })).ids)).toEqual(
    new Set(['read']),
  );
  expect(await effectsOf((await reached({ writesAllowedOn: ['127.0.0.1'] })).ids)).toEqual(new Set(['read']));
});

test('D6: with --allow and writesAllowedOn writes reach the target, but destructive calls only expendable and created ids', async () => {
  const created = 'DELETE /wallet/api/customers/c-1/cards/created-here';
  const { ids, paths: written } = await reached(WRITES);
  expect(await effectsOf(ids)).toEqual(new Set(['read', 'write', 'destructive']));
  expect(new Set(written.filter((line) => /^(DELETE|PUT .*reject)/.test(line)))).toEqual(new Set([created]));
  // Every test compares the requests at the socket with the plan; this one adds probes.
  const { paths, planned } = await reached({ ...WRITES, expendable: [PARAMETERS.cardId], probe: true });
  expect(planned.size).toBeGreaterThan(15);
  const deleted = paths.filter((line) => line.startsWith('DELETE '));
  expect(new Set(deleted)).toEqual(new Set([created, `DELETE /wallet/api/customers/c-1/cards/${PARAMETERS.cardId}`]));
});

test('the number of calls that may change data is printed before the first one', async () => {
  const events: unknown[] = [];
  const sandbox = await startSandbox();
  open.push(sandbox);
  await verify({
    target: sandbox.url,
    credentials: CREDENTIALS,
    parameters: PARAMETERS,
    ...WRITES,
    onEvent: (event) => {
      if (event.kind === 'target')
        events.push([event.writing, sandbox.seen.filter(({ path }) => path !== '/iam/oauth/token').length]);
    },
  });
  const rows = await plan({ target: sandbox.url, parameters: PARAMETERS, ...WRITES });
  const writing = rows.filter(({ effect }) => effect !== 'read').reduce((sum, { times }) => sum + times, 0);
  expect(events).toEqual([[writing, 0]]);
  expect(writing).toBeGreaterThan(10);
});
