import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadContract } from '../src/contract/load.ts';
import { readContractFolder } from '../src/contract/read-folder.ts';
import type { Mock, MockOptions } from '../src/mock/mock.ts';
import { startMock } from '../src/mock/start-mock.ts';
import { packageRoot } from '../src/package-root.ts';
import { median } from './median.ts';
import { startServer } from './mock.ts';
import { mockBundle, prismCommand } from './prism-mock.ts';

/** Requests of one round. Rounds of the two mocks alternate, so that load on the machine affects both equally. */
const ROUND = 200;
const ROUNDS = 31;
const WARM = 10;

const CARDS = '/wallet/api/customers/cust-1001/cards';

interface Case {
  readonly name: string;
  readonly few: number;
  readonly many: number;
  readonly options?: (amount: number) => MockOptions | Promise<MockOptions>;
  readonly prepare?: (mock: Mock, amount: number) => Promise<void>;
  readonly ask: (mock: Mock, index: number) => Promise<Response>;
}

const json = { authorization: 'Bearer any', 'content-type': 'application/json' };
const issue = (mock: Mock, path: string): Promise<Response> =>
  mock.fetch(path, { method: 'POST', headers: json, body: '{"cardType":"VIRTUAL","currency":"GBP"}' });
const token = (mock: Mock): Promise<Response> =>
  mock.fetch('/iam/oauth/token', {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${mock.credentials.username}:${mock.credentials.password}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });

const seedOf = (cards: number): MockOptions => ({
  seedData: {
    clients: [
      {
        clientId: 'client-2001',
        users: [{ userId: 'user-3001' }],
        cards: Array.from({ length: cards }, (_, index) => ({ cardId: `c-${index}`, alias: 'x', cardType: 'VIRTUAL' })),
      },
    ],
  },
});

/** Starts of each mock of many operations. */
const STARTS = 5;

/** Uses a contract folder with the package's operations, each several times under a new path and id. */
async function inLarge<T>(copies: number, use: (folder: string, operations: number) => Promise<T>): Promise<T> {
  const document = JSON.parse(await mockBundle()) as { readonly paths: Readonly<Record<string, object>> };
  const operationId = /"operationId":"\w+/g;
  const copyOf = (copy: number): [string, object][] =>
    Object.entries(document.paths).map(([path, item]) => [
      copy === 0 ? path : `/v${copy}${path}`,
      JSON.parse(JSON.stringify(item).replaceAll(operationId, `$&${copy === 0 ? '' : `V${copy}`}`)),
    ]);
  const paths = Array.from({ length: copies }, (_, copy) => copyOf(copy)).flat();
  const text = JSON.stringify({ ...document, paths: Object.fromEntries(paths) });
  const folder = await mkdtemp(join(tmpdir(), 'bench-growth-'));
  try {
    await mkdir(join(folder, 'spec'));
    await writeFile(join(folder, 'contract.yaml'), 'contract: 1\nname: large\nspec: spec/openapi.json\n');
    await writeFile(join(folder, 'spec/openapi.json'), text);
    return await use(folder, text.match(operationId)?.length ?? 0);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** CPU of a start up to the first token, for a contract with many operations: ours and stock Prism in turn. */
async function startCost(copies: number): Promise<string> {
  return inLarge(copies, async (folder, operations) => {
    const lines = [
      (port: number) => [join(packageRoot, 'bin/banking-api.js'), 'mock', '--contract', folder, '--port', String(port)],
      (port: number) => [prismCommand(), 'mock', join(folder, 'spec/openapi.json'), '--port', String(port)],
    ];
    const seconds: number[][] = [[], []];
    for (let round = 0; round < STARTS; round += 1) {
      for (const [index, line] of lines.entries()) {
        const server = await startServer(line);
        seconds[index]?.push(server.cpuSeconds());
        await server.stop();
      }
    }
    const [ours = Number.NaN, prism = Number.NaN] = seconds.map(median);
    return `| ${operations} | ${ours.toFixed(2)} | ${prism.toFixed(2)} | ${Math.round((100 * ours) / prism)}% |`;
  });
}

/** Requests to a mock with little and with much state. */
const CASES: readonly Case[] = [
  {
    ...{ name: 'issue a card, cards of the seed', few: 10, many: 100_000 },
    options: seedOf,
    ask: (mock) => issue(mock, CARDS),
  },
  {
    ...{ name: 'get a card, cards of the seed', few: 10, many: 100_000 },
    options: seedOf,
    ask: (mock, index) => mock.fetch(`${CARDS}/c-${index % 10}`, { headers: json }),
  },
  {
    ...{ name: 'issue a card, cards that were issued', few: 10, many: 100_000 },
    async prepare(mock, amount) {
      for (let index = 0; index < amount; index += 1) await issue(mock, CARDS);
    },
    ask: (mock) => issue(mock, CARDS),
  },
  {
    ...{ name: 'get a token, tokens that were issued', few: 10, many: 100_000 },
    async prepare(mock, amount) {
      for (let index = 0; index < amount; index += 1) await token(mock);
    },
    ask: token,
  },
  {
    ...{ name: 'issue a card, clients that were added', few: 10, many: 10_000 },
    prepare: async (mock, amount) => {
      await mock.fetch(`/__mock/state/clients?customerId=cust-1001&count=${amount}`, {
        method: 'POST',
        headers: json,
        body: '{}',
      });
    },
    ask: (mock) => issue(mock, CARDS),
  },
  {
    ...{ name: 'issue a card, customers with cards', few: 1, many: 10_000 },
    async prepare(mock, amount) {
      for (let index = 0; index < amount; index += 1) await issue(mock, `/wallet/api/customers/c-${index}/cards`);
    },
    ask: (mock) => issue(mock, '/wallet/api/customers/c-0/cards'),
  },
  {
    ...{ name: 'issue a card, customers of the seed', few: 1, many: 10_000 },
    options: (amount) => ({
      seedData: {
        extends: 'default',
        customers: Array.from({ length: amount }, (_, index) => ({ customerId: `c-${index}`, extends: 'default' })),
      },
    }),
    ask: (mock) => issue(mock, '/wallet/api/customers/c-0/cards'),
  },
  {
    ...{ name: 'get cards, copies of all operations', few: 1, many: 23 },
    options: (amount) =>
      inLarge(amount, async (dir) => ({
        contract: await loadContract({ folder: await readContractFolder(dir), assumed: true }),
      })),
    ask: (mock) => mock.fetch(`${CARDS}/card-4001`, { headers: json }),
  },
];

/** Ratio of a request's time with much state to that with little: the median of the rounds. */
async function ratioOf({ few, many, options, prepare, ask }: Case): Promise<number> {
  const mocks: Mock[] = [];
  for (const amount of [few, many]) {
    const mock = await startMock({ listen: false, anyToken: true, ...(await options?.(amount)) });
    await prepare?.(mock, amount);
    mocks.push(mock);
  }
  const round = async (mock: Mock): Promise<number> => {
    const started = performance.now();
    for (let index = 0; index < ROUND; index += 1) {
      const { status } = await ask(mock, index);
      if (status !== 200) throw new Error(`a request was answered with ${status}`);
    }
    return performance.now() - started;
  };
  const ratios: number[] = [];
  const [small, large] = mocks as [Mock, Mock];
  for (let index = 0; index < WARM + ROUNDS; index += 1) {
    // they alternate in going first
    const [first, second] = index % 2 === 0 ? [small, large] : [large, small];
    const times = new Map([[first, await round(first)]]);
    times.set(second, await round(second));
    if (index >= WARM) ratios.push((times.get(large) ?? 0) / (times.get(small) ?? 1));
  }
  for (const mock of mocks) await mock.close();
  return ratios.toSorted((a, b) => a - b)[Math.floor(ratios.length / 2)] ?? Number.NaN;
}

export async function benchGrowth(): Promise<string> {
  const rows = ['| request, and what there is of | few | many | time with many / with few |', '|---|---|---|---|'];
  for (const one of CASES) {
    const ratio = await ratioOf(one);
    rows.push(`| ${one.name} | ${one.few} | ${one.many.toLocaleString('en')} | ${ratio.toFixed(2)} |`);
  }
  rows.push('', '| operations | CPU of a start, s | of stock Prism, s | share |', '|---|---|---|---|');
  for (const copies of [1, 6, 23]) rows.push(await startCost(copies));
  return rows.join('\n');
}
