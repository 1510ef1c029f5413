import { expect, test } from 'vitest';
import type { Fact } from '../../src/facts/facts.ts';
import { command } from '../cli/command.ts';
import { folderWith } from '../contract/support.ts';
import { agent } from './client.ts';

test('an agent builds a call from facts, is refused by the mock, asks mock_why, and passes', async () => {
  await using session = await agent(['--target', 'mock']);
  const { tools } = await session.client.listTools();
  expect(tools.map(({ name }) => name).sort()).toEqual([
    'explain',
    'facts',
    'mock_start',
    'mock_stop',
    'mock_why',
    'operations',
    'questions',
    'validate',
    'verify',
    'verify_plan',
  ]);

  const facts = (await session.all('facts', { operation: 'updateCardAlias' })).filter(
    (row): row is Fact => typeof row === 'object' && row !== null && 'in' in row,
  );
  const { method, path } = facts.find(({ in: place }) => place === 'operation')?.states ?? {};
  const filled = String(path)
    .replace('{customerId}', 'cust-1001')
    .replace('{clientId}', 'client-2001')
    .replace('{cardId}', 'card-4001');
  expect([method, filled]).toEqual(['PUT', expect.not.stringContaining('{')]);

  const { head, data } = await session.call('mock_start');
  const send = (init: RequestInit): Promise<Response> =>
    fetch(`${String(head.url)}${filled}`, { method: String(method), ...init });
  const body = JSON.stringify({ alias: 'Groceries' });
  expect((await send({ body, headers: { 'content-type': 'application/json' } })).status).toBe(401);

  const why = await session.call('mock_why');
  expect(why.head).toEqual({ status: 'refused' });
  expect(why.data).toMatchObject([{ step: 'token', status: 401, operationId: 'updateCardAlias' }]);
  expect(JSON.stringify(why.data)).toContain('Authorization: Bearer $TOKEN');

  const [{ tokenCommand }] = data as [{ readonly tokenCommand: string }];
  const [, tokenUrl = ''] = /'(http[^']+)'/.exec(tokenCommand) ?? [];
  const given = await fetch(tokenUrl, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(String(head.login))}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  const { access_token: token } = (await given.json()) as { readonly access_token: string };
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  expect((await send({ headers, body })).ok).toBe(true);

  await session.call('mock_stop');
  await expect(send({ headers, body })).rejects.toThrow();
  expect((await session.call('mock_why')).head).toMatchObject({ error: 'mock-not-started' });
  expect(session.texts.join()).not.toContain(token);
});

test('validate, questions and explain answer an agent, and a wrong argument says what to correct', async () => {
  await using session = await agent(['--target', 'mock']);
  const valid = await session.call('validate', { schema: 'Card', json: '{"cardLimitDaily": "5"}' });
  expect(valid.head).toEqual({ valid: false });
  expect(valid.data).toEqual([expect.stringMatching(/^json:1:20 \(at \/cardLimitDaily\): expected integer/)]);
  expect(await session.all('questions')).toContain('## Not in the reference');
  expect((await session.call('explain', { topic: '4' })).text).toContain('inconclusive');
  expect((await session.call('explain', { topic: 'type-contradicted' })).data).toContain('# type-contradicted');

  for (const [name, given] of [
    ['validate', { schema: 'Card' }],
    ['validate', { schema: 'Card', json: '{}', file: '/etc/passwd' }],
    ['facts', { operation: 7 }],
    ['facts', { pointer: '/cardLimitDaily' }],
    ['explain', { topic: '../../package' }],
    ['verify', { target: 'https://example.com', allow: 'destructive' }],
    ['mock_start', { host: '0.0.0.0' }],
    ['operations', { page: '99.1' }],
    ['shell', {}],
  ] as const) {
    expect(await session.call(name, given), `${name} ${JSON.stringify(given)}`).toMatchObject({ isError: true });
  }
  expect(Math.max(...session.texts.map((text) => Buffer.byteLength(text)))).toBeLessThanOrEqual(4096);
});

test('mcp exits with 2 without a target, and with 3 if the contract is invalid', async () => {
  const cwd = await folderWith({ 'wrong.overlay.yaml': 'overlay: 1.0.0\nx-provenance: guessed\n' });
  expect(await command(['mcp'], { cwd })).toMatchObject({ code: 2, out: '', err: expect.stringContaining('--target') });
  const invalid = await command(['mcp', '--target', 'mock', '--overlay', 'wrong.overlay.yaml'], { cwd });
  expect(invalid).toMatchObject({ code: 3, out: '' });
});
