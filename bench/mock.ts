/** The mock against the stock `prism mock` on the same bundle and against a bare `node:http` server: `node bench/mock.ts`. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mockBundle, prismCommand } from '../scripts/prism-mock.ts';
import { ourCommand, type Server, startServer } from './mock-servers.ts';

export interface MockBenchOptions {
  /** Seconds per measurement; 2 by default. */
  readonly seconds?: number;
  /** Starts per server, of which the median counts; 5 by default. */
  readonly starts?: number;
  readonly connections?: readonly number[];
}

export interface Rate {
  readonly perSecond: number;
  /** Requests per second of the server's CPU: steadier than requests per second. Null where the system does not say. */
  readonly perCpuSecond: number | null;
}

export interface MockRow {
  readonly request: string;
  readonly connections: number;
  readonly ours: Rate;
  readonly prism: Rate;
  readonly bare: Rate;
}

export interface MockCost {
  readonly server: 'ours' | 'prism' | 'bare';
  /** Median of the milliseconds from start to first answer. */
  readonly startMs: number;
  /** MB at most, over the whole load. */
  readonly peakMb: number | null;
}

export interface MockBench {
  readonly rows: readonly MockRow[];
  readonly costs: readonly MockCost[];
}

interface Load {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface CannonResult {
  readonly requests: { readonly total: number };
  readonly duration: number;
  readonly non2xx: number;
  readonly errors: number;
}

// it has no types of its own
const autocannon = createRequire(import.meta.url)('autocannon') as (options: object) => Promise<CannonResult>;

const CUSTOMER = '/wallet/api/customers/cust-1001';
const BEARER = { authorization: 'Bearer any' };
const LOADS: readonly Load[] = [
  { name: 'get card', method: 'GET', path: `${CUSTOMER}/cards/card-4001`, headers: BEARER },
  {
    name: 'issue card',
    method: 'POST',
    path: `${CUSTOMER}/cards`,
    headers: { ...BEARER, 'content-type': 'application/json' },
    body: JSON.stringify({
      cardProgramme: 'business-debit',
      cardDesign: 'plain',
      cardLimitDaily: 5_000,
      currency: 'GBP',
    }),
  },
  {
    name: 'token',
    method: 'POST',
    path: '/iam/oauth/token',
    headers: {
      authorization: `Basic ${btoa('sandbox:sandbox-secret')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
  },
];

/** Measures in turn, never two servers at once. */
export async function benchMock(options: MockBenchOptions = {}): Promise<MockBench> {
  const { seconds = 2, starts = 5, connections = [1, 10, 50] } = options;
  const folder = await mkdtemp(join(tmpdir(), 'bench-mock-'));
  const file = join(folder, 'openapi.json');
  await writeFile(file, await mockBundle());
  const bare = fileURLToPath(new URL('./mock-bare.js', import.meta.url));
  const lines = {
    ours: ourCommand,
    prism: (port: number) => [prismCommand(), 'mock', file, '--port', String(port)],
    bare: (port: number) => [bare, String(port)],
  } as const;
  const names = ['ours', 'prism', 'bare'] as const;
  const costs: MockCost[] = [];
  const rates = new Map<string, Rate>();
  try {
    for (const name of names) {
      const times: number[] = [];
      for (let round = 1; round < starts; round += 1) {
        const server = await startServer(lines[name]);
        times.push(server.startMs);
        await server.stop();
      }
      const server = await startServer(lines[name]);
      times.push(server.startMs);
      for (const load of LOADS) {
        await measure(server, load, 10, 1);
        for (const count of connections)
          rates.set(`${name} ${load.name} ${count}`, await measure(server, load, count, seconds));
      }
      costs.push({ server: name, startMs: median(times), peakMb: server.peakMb() });
      await server.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const rate = (name: string, load: Load, count: number): Rate =>
    rates.get(`${name} ${load.name} ${count}`) ?? { perSecond: 0, perCpuSecond: null };
  const rows = LOADS.flatMap((load) =>
    connections.map((count) => ({
      request: load.name,
      connections: count,
      ours: rate('ours', load, count),
      prism: rate('prism', load, count),
      bare: rate('bare', load, count),
    })),
  );
  return { rows, costs };
}

async function measure(server: Server, load: Load, connections: number, duration: number): Promise<Rate> {
  const { name: _, path, ...request } = load;
  const before = server.cpuSeconds();
  const result = await autocannon({ url: `http://127.0.0.1:${server.port}${path}`, ...request, connections, duration });
  const after = server.cpuSeconds();
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${load.name}: ${result.non2xx} answers were no 2xx, ${result.errors} requests failed`);
  const cpu = before === null || after === null ? 0 : after - before;
  return {
    perSecond: result.requests.total / result.duration,
    perCpuSecond: cpu > 0 ? result.requests.total / cpu : null,
  };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** Two tables in Markdown: the ratios are what travels from one machine to another. */
export function formatMockBench({ rows, costs }: MockBench): string {
  const lines = [
    '| request | connections | ours, requests/s | times stock Prism | share of bare node:http | times Prism per CPU second |',
    '|---|---|---|---|---|---|',
  ];
  for (const { request, connections, ours, prism, bare } of rows) {
    const perCpu =
      ours.perCpuSecond !== null && prism.perCpuSecond !== null
        ? (ours.perCpuSecond / prism.perCpuSecond).toFixed(1)
        : '?';
    const [times, share] = [
      (ours.perSecond / prism.perSecond).toFixed(1),
      Math.round((100 * ours.perSecond) / bare.perSecond),
    ];
    lines.push(`| ${request} | ${connections} | ${Math.round(ours.perSecond)} | ${times} | ${share} % | ${perCpu} |`);
  }
  lines.push(
    '',
    '| server | start to first answer, ms | share of stock Prism | peak memory, MB | share of stock Prism |',
    '|---|---|---|---|---|',
  );
  const prism = costs.find(({ server }) => server === 'prism');
  for (const { server, startMs, peakMb } of costs) {
    const start = prism ? `${Math.round((100 * startMs) / prism.startMs)} %` : '?';
    const peak = prism?.peakMb && peakMb ? `${Math.round((100 * peakMb) / prism.peakMb)} %` : '?';
    lines.push(
      `| ${server} | ${Math.round(startMs)} | ${start} | ${peakMb === null ? '?' : Math.round(peakMb)} | ${peak} |`,
    );
  }
  return `${lines.join('\n')}\n`;
}

if (import.meta.main) process.stdout.write(formatMockBench(await benchMock()));
