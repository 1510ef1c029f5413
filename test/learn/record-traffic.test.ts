import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { createJournalWriter } from '../../src/journal/write.ts';
import { locatingActions, recordTraffic } from '../../src/learn/traffic.ts';
import type { Exchange } from '../../src/model/exchange.ts';
import { answers, api, contractFolder } from '../support/api.ts';

const folder = await mkdtemp(join(tmpdir(), 'record-'));
afterAll(() => rm(folder, { recursive: true }));

function exchange(seq: number, method: string, target: string, body: unknown, status = 200): Exchange {
  return {
    seq,
    startedAt: seq,
    endedAt: seq,
    connection: null,
    operationId: null,
    request: { method, target, headers: [['authorization', 'Bearer x']], body: null },
    response: {
      status,
      headers: [['content-type', 'application/json; charset=utf-8']],
      body: { bytes: Buffer.from(JSON.stringify(body)), state: 'complete' },
    },
    failure: null,
    token: null,
  };
}

let journals = 0;
async function journal(exchanges: readonly Exchange[]): Promise<string> {
  journals += 1;
  const file = join(folder, `${journals}.ndjson`);
  const writer = createJournalWriter(file);
  for (const each of exchanges) writer.append(each);
  await writer.close();
  return file;
}

interface Captured {
  readonly url: string;
  readonly method?: string;
  /** Undefined for a body that the browser has dropped. */
  readonly text?: string;
  readonly type?: string;
  readonly sent?: string;
}

/** A browser's capture of exchanges. */
async function capture(...exchanges: readonly Captured[]): Promise<string> {
  journals += 1;
  const file = join(folder, `${journals}.har`);
  const entries = exchanges.map(({ url, method = 'GET', text, type = 'application/json', sent }) => ({
    startedDateTime: '2026-01-01T00:00:00Z',
    time: 1,
    request: { method, url, headers: [], ...(sent && { postData: { mimeType: 'application/json', text: sent } }) },
    response: {
      status: 200,
      headers: [{ name: 'Content-Type', value: type }],
      content: { mimeType: type, size: 16, ...(text !== undefined && { text }) },
    },
  }));
  await writeFile(file, JSON.stringify({ log: { version: '1.2', entries } }));
  return file;
}

test('a journal teaches the shapes of masked values, but no formats or values', async () => {
  const card = { id: 'k-4', token: 'PLANTED-4711-secret', securityCode: 4711, opened: '2025-01-01', 'k-4': true };
  const file = await journal([exchange(1, 'GET', '/wallet/api/customers/c-1/cards/k-4', card)]);
  const { recording, strays } = await recordTraffic(file, await loadContract());
  expect(strays).toEqual([]);
  expect(recording?.text).toContain('opened: { type: string, format: date, x-seen: { values: 1 } }');
  expect(recording?.text).toContain('securityCode: { type: integer }');
  // the id in the path does not become a field name
  expect(recording?.text).toContain('additionalProperties');
  expect(recording?.text).not.toMatch(/PLANTED|4711|redacted|k-4/);
});

test('unmatched traffic is listed with candidates, ready to paste, and not applied', async () => {
  const beneficiary = { beneficiaries: [{ id: 'b', aba: '1', ifsc: '2' }] };
  const file = await journal([
    exchange(1, 'GET', '/wallet/api/customers/c-1/clients/cl-2/beneficiaries', beneficiary),
    exchange(2, 'GET', '/wallet/api/customers/c-9/clients/cl-8/beneficiaries', beneficiary),
    exchange(3, 'GET', '/metrics', {}),
  ]);
  const { recording, strays } = await recordTraffic(file, await loadContract());
  expect(recording).toBeNull();
  const stray = strays.find(({ path }) => path.endsWith('/beneficiaries'));
  expect(stray).toMatchObject({ method: 'GET', count: 2 });
  expect(stray?.candidates[0]).toBe('getBeneficiaries');
  const pasted = `overlay: 1.0.0\ninfo: { title: T, version: '1' }\nactions:\n${locatingActions(strays)}`;
  const overlay = join(folder, 'pasted.yaml');
  await writeFile(overlay, pasted);
  const contract = await loadContract({ overlays: [overlay] });
  expect(contract.operation('getBeneficiaries')?.path).toBe(
    '/wallet/api/customers/{customerId}/clients/{clientId}/beneficiaries',
  );
  expect((await recordTraffic(file, contract)).recording?.text).toContain('getBeneficiaries');
});

test('the token checks of verify are no outage and no unknown operations', async () => {
  const READS = ['cards/k-4', 'clients/cl-2/cards'].map((path) => `/wallet/api/customers/c-1/${path}`);
  const FEES = '/billing/api/customers/c-1/client/cl-2/card/fees/GBP';
  const paths = [...READS, FEES];
  const good = paths.map((path, index) => exchange(1 + index, 'GET', path, { [`field${index}`]: index }));
  const refused = [...paths, ...paths].map((path, index) => {
    const one = exchange(10 + index, 'GET', path, { error: 'token' }, 401);
    return index < paths.length ? { ...one, request: { ...one.request, headers: [] } } : one;
  });
  const otherMethod = exchange(20, 'DELETE', FEES, { error: 'none' }, 404);
  const learned = await recordTraffic(await journal([...good, ...refused, otherMethod]), await loadContract());
  expect([learned.leftOut, learned.strays]).toEqual([[], []]);
  expect(learned.recording?.actions.map(({ operationId }) => operationId)).toHaveLength(3);
});

test('a HAR file is learned as well', async () => {
  const url = 'https://api.bank.example/billing/api/customers/c/client/d/card/fees/GBP';
  const file = await capture({ url, text: '{"fees":[{"amount":1.5}]}' });
  const { recording } = await recordTraffic(file, await loadContract());
  expect(recording?.text).toContain('amount: { type: number }');
});

test.each<[servers: readonly string[], hosts: readonly string[], learned: readonly string[]]>([
  [['https://api.x.example'], ['api.x.example', 'other.example'], ['api.x.example']],
  [['https://api.x.example'], ['other.example', 'other.example', 'api.x.example'], ['api.x.example']],
  [
    ['https://a.example/v1', 'https://b.example'],
    ['a.example/v1', 'b.example', 'c.example'],
    ['a.example/v1', 'b.example'],
  ],
  // a test environment
  [['https://api.x.example'], ['test.example'], ['test.example']],
  // any host may be a server
  [['/'], ['a.example', 'b.example'], ['a.example', 'b.example']],
  [
    ['https://a.example', 'https://{region}.example'],
    ['a.example', 'b.example'],
    ['a.example', 'b.example'],
  ],
])('of a capture, the hosts of the servers teach: %j, %j', async (servers, hosts, learned) => {
  const paths = { '/status': { get: { operationId: 'getStatus', ...answers() } } };
  const document = api(paths, { servers: servers.map((url) => ({ url })), security: [] });
  const contract = await loadContract({ folder: await contractFolder(document) });
  const fieldOf = (host: string): string => `from${host.replace(/\W/g, '')}`;
  const file = await capture(
    ...hosts.map((host) => ({ url: `https://${host}/status`, text: JSON.stringify({ [fieldOf(host)]: 'x' }) })),
  );
  const { recording, elsewhere } = await recordTraffic(file, contract);
  for (const host of hosts) expect(recording?.text.includes(fieldOf(host)), host).toBe(learned.includes(host));
  expect(elsewhere).toBe(hosts.filter((host) => !learned.includes(host)).length);
});

test('an answer whose body a browser has dropped is not learned as empty', async () => {
  const url = 'https://bank.example/wallet/api/customers/c/cards/k';
  const kept = { url, text: '{"plan":"gold"}' };
  const { recording } = await recordTraffic(await capture(kept, { url }, kept), await loadContract());
  expect(recording?.text).toContain('x-samples: 2');
  expect(recording?.text).not.toContain('x-sometimes-empty');
});

test('calls with and without a request body are distinguished', async () => {
  const url = 'https://bank.example/billing/api/customers/c/clients/l/transactions/fees';
  const bare = { url, method: 'POST', text: '{"fees":[]}' };
  const withBody = { ...bare, sent: '{"amount":5}' };
  const textOf = async (entries: readonly Captured[], over?: string): Promise<string> =>
    (await recordTraffic(await capture(...entries), await loadContract(), { over })).recording?.text ?? '';
  const first = await textOf([withBody, withBody]);
  expect(first).toContain('x-asked-with-body: true');
  expect(await textOf([withBody], first)).toBe(first);
  const both = await textOf([withBody, bare]);
  expect(both).not.toContain('x-asked-with-body');
  expect(await textOf([bare], first)).not.toContain('x-asked-with-body');
  expect(await textOf([withBody], both)).toBe(both);
});

describe('unmatched parts of a capture', () => {
  const BASE = 'https://bank.example/sandbox';
  const CARD = `${BASE}/wallet/api/customers/c-1/cards/k-4`;

  test('an unmatched request without a candidate is listed by shape; pages and other hosts are counted separately', async () => {
    const file = await capture(
      { url: CARD, text: '{"plan":"gold"}' },
      { url: `${BASE}/foo/bar/secretname`, text: '{"a":1}' },
      { url: `${BASE}/assets/app.css`, text: 'a {}', type: 'text/css' },
      { url: 'https://stats.example/collect', method: 'POST', text: '{}' },
    );
    const learned = await recordTraffic(file, await loadContract());
    expect(learned).toMatchObject({ exchanges: 2, pages: 1, elsewhere: 1 });
    expect(learned.strays).toEqual([{ method: 'GET', path: '/foo/bar/{id}', count: 1, candidates: [] }]);
    expect(locatingActions(learned.strays)).toBe(
      '  # GET /foo/bar/{id} (once): no operation of the reference fits; the paths of the contract may be others.\n',
    );
  });

  test('unmatched requests are listed even if the capture contains no other request', async () => {
    const url = `${BASE}/wallet/api/customers/c-1/clients/cl-2/beneficiaries`;
    const file = await capture({ url, text: '[]' });
    const { strays, elsewhere, recording } = await recordTraffic(file, await loadContract());
    expect([recording, elsewhere]).toEqual([null, 0]);
    expect(strays).toMatchObject([{ candidates: ['getBeneficiaries'] }]);
  });
});

describe('an outage during a journal', () => {
  const PATHS = {
    card: '/wallet/api/customers/c-1/cards/k-4',
    cards: '/wallet/api/customers/c-1/clients/cl-2/cards',
    cardFees: '/billing/api/customers/c-1/client/cl-2/card/fees/GBP',
    accountFees: '/billing/api/customers/c-1/client/cl-2/account/fees/GBP',
  };
  const GOOD: readonly (readonly [path: string, body: unknown])[] = [
    [PATHS.card, { id: 'k-4', cardDesign: 'a' }],
    [PATHS.cards, { cards: [{ id: 'k-4', cardDesign: 'a' }] }],
    [PATHS.cardFees, { fees: [{ name: 'a', amount: 1 }] }],
    [PATHS.accountFees, { fees: [{ name: 'b', amount: 2 }] }],
  ];
  const night = (seq: number, answer?: (path: string) => Exchange): Exchange[] =>
    GOOD.map(([path, body], index) =>
      answer === undefined ? exchange(seq + index, 'GET', path, body) : { ...answer(path), seq: seq + index },
    );
  const notice = (status: number, body: unknown) => (path: string) => exchange(0, 'GET', path, body, status);
  const nothing = (path: string): Exchange => {
    const good = exchange(0, 'GET', path, null);
    return good.response === null
      ? good
      : { ...good, response: { ...good.response, headers: [], body: { bytes: Buffer.from(''), state: 'complete' } } };
  };

  test.each([
    ['a notice with 200', notice(200, { status: 'maintenance' })],
    ['a nested notice with 200', notice(200, { fault: { faultstring: 'closed', detail: { code: 'x' } } })],
    ['an empty 200', nothing],
    ['a 404 of a gateway', notice(404, { message: 'no Route matched with those values' })],
    ['a 403 of a firewall', notice(403, { blocked: true })],
  ])('%s is not learned', async (_, answer) => {
    const calm = await recordTraffic(await journal([...night(1), ...night(5)]), await loadContract());
    const troubled = await journal([...night(1), ...night(5, answer), ...night(9)]);
    const learned = await recordTraffic(troubled, await loadContract());
    const plain = (text = ''): string => text.replaceAll(/x-samples: \d+/g, 'x-samples: n');
    expect(plain(learned.recording?.text)).toBe(plain(calm.recording?.text));
    expect(learned.leftOut.map(({ operationId }) => operationId).sort()).toEqual(
      ['getAccountFees', 'getCard', 'getCardFees', 'listClientCards'].sort(),
    );
    expect(learned.leftOut[0]?.reason).toMatch(/return the same answer/);
  });

  test('a long outage between two slices is found with its start and end', async () => {
    const nights = (from: number, count: number, answer?: (path: string) => Exchange): Exchange[] =>
      Array.from({ length: count }, (_, index) => night(from + 4 * index, answer)).flat();
    const down = notice(200, { fault: { faultstring: 'closed', detail: { code: 'x' } } });
    const all = [...nights(1, 62), ...nights(249, 300, down), ...nights(1449, 62)];
    const { recording, leftOut } = await recordTraffic(await journal(all), await loadContract());
    expect(leftOut).toHaveLength(4);
    expect(recording?.text).not.toMatch(/fault|x-sometimes/);
    expect(recording?.text).toMatch(/x-samples: 124/);
  });

  test('--fresh keeps the facts of operations that gave no answer of their own', async () => {
    const contract = await loadContract();
    const over = (await recordTraffic(await journal(night(1)), contract)).recording?.text;
    const half = [...night(1).slice(0, 1), ...night(5, notice(200, { status: 'maintenance' })).slice(1)];
    const { recording } = await recordTraffic(await journal(half), contract, { over, fresh: true });
    expect(recording?.text).toContain('card/fees');
    expect(recording?.text).not.toContain('maintenance');
  });

  test('normal rejections are learned: of one operation, and of callers with several requests', async () => {
    const all = [
      ...night(1),
      exchange(5, 'GET', PATHS.card, { error: 'no such card' }, 404),
      exchange(6, 'GET', PATHS.card, { error: 'no such card' }, 404),
      exchange(7, 'GET', PATHS.card, { error: 'no such card' }, 404),
      ...night(8),
    ];
    const { recording, leftOut } = await recordTraffic(await journal(all), await loadContract());
    expect(leftOut).toEqual([]);
    expect(recording?.text).toContain("'404':");
  });
});
