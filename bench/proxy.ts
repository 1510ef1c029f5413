/**
 * Latency that the proxy adds to a call: `node bench/proxy.ts`.
 *
 * Direct and proxied calls alternate over kept connections to the same server. The server runs in its own process, so
 * that a slow moment of the machine affects both. Journal and judging are on.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createJournalWriter } from '../src/journal/write.ts';
import { startMock } from '../src/mock/start-mock.ts';
import { startProxy } from '../src/proxy/start-proxy.ts';
import { freePort } from '../test/support/loopback.ts';
import { CONNECTIONS, HAS_WRK, type Load, type LoadResult, makeLoad } from './load.ts';
import { median } from './median.ts';

export interface ProxyRow {
  readonly call: string;
  /** Milliseconds, direct. */
  readonly direct: { readonly p50: number; readonly p99: number };
  /** Milliseconds, through the proxy. */
  readonly proxied: { readonly p50: number; readonly p99: number };
  /** Milliseconds that the proxy adds at the median. */
  readonly added: number;
}

const ROUNDS = 400;
const WARM_UP = 100;
/** For the rate. V8 compiles the judging during the first thousands of exchanges. */
const WARM_UP_SECONDS = 10;
const CUSTOMER = '/wallet/api/customers/cust-1001';
const CALLS: readonly (readonly [name: string, method: string, path: string])[] = [
  ['get card', 'GET', `${CUSTOMER}/cards/card-4001`],
  ['list client cards', 'GET', `${CUSTOMER}/clients/client-2001/cards`],
  ['get card fees', 'GET', '/billing/api/customers/cust-1001/client/client-2001/card/fees/GBP'],
];

const LOAD: Load = {
  name: CALLS[0]?.[0] ?? '',
  method: 'GET',
  path: CALLS[0]?.[2] ?? '',
  headers: { authorization: 'Bearer any' },
};

/** Latency of proxied calls against direct ones, in the same run. */
export async function benchProxy(): Promise<readonly ProxyRow[]> {
  const mock = await forked('mock');
  const proxy = await forked('proxy', mock.url);
  const agent = new Agent({ keepAlive: true, maxSockets: 2 });
  try {
    const rows: ProxyRow[] = [];
    for (const [call, method, path] of CALLS) {
      const direct: number[] = [];
      const proxied: number[] = [];
      for (let round = -WARM_UP; round < ROUNDS; round += 1) {
        const pair = [await timed(agent, mock.url, method, path), await timed(agent, proxy.url, method, path)] as const;
        if (round < 0) continue;
        direct.push(pair[0]);
        proxied.push(pair[1]);
      }
      const before = percentiles(direct);
      const after = percentiles(proxied);
      rows.push({ call, direct: before, proxied: after, added: after.p50 - before.p50 });
    }
    return rows;
  } finally {
    agent.destroy();
    proxy.stop();
    mock.stop();
  }
}

/** Rate and p99 at 50 connections as shares of a plain Node proxy, both loaded in turn. */
export async function benchProxyRate(): Promise<string> {
  const mock = await forked('mock');
  const ours = await forked('proxy', mock.url);
  const port = await freePort();
  const args = [String(port), new URL(mock.url).port];
  const plain: ChildProcess = fork(join(import.meta.dirname, 'proxy-plain.js'), args, { stdio: 'ignore' });
  await once(plain, 'message');
  const seen: Record<'plain' | 'ours', LoadResult[]> = { plain: [], ours: [] };
  try {
    for (let round = 0; round < 4; round += 1) {
      // the first round warms up
      const seconds = round === 0 ? WARM_UP_SECONDS : 2;
      for (const [name, at] of [
        ['plain', port],
        ['ours', Number(new URL(ours.url).port)],
      ] as const) {
        const result = await makeLoad(at, LOAD, seconds);
        if (round > 0) seen[name].push(result);
      }
    }
  } finally {
    plain.kill();
    ours.stop();
    mock.stop();
  }
  const share = (of: (load: LoadResult) => number): number => median(seen.ours.map(of)) / median(seen.plain.map(of));
  const rate = 100 * share(({ perSecond }) => perSecond);
  return `${HAS_WRK ? 'wrk' : 'autocannon'}, ${CONNECTIONS} connections: ${rate.toFixed(0)} % of the rate of a plain proxy, p99 ${share(({ p99 }) => p99).toFixed(1)} times`;
}

export function formatProxyRows(rows: readonly ProxyRow[]): string {
  const ms = (value: number): string => value.toFixed(2).padStart(7);
  const lines = rows.map(
    ({ call, direct, proxied, added }) =>
      `${call.padEnd(20)}${ms(direct.p50)}${ms(direct.p99)}${ms(proxied.p50)}${ms(proxied.p99)}${ms(added)}`,
  );
  return ['ms                   direct    p99  proxy    p99  added', ...lines].join('\n');
}

function timed(agent: Agent, base: string, method: string, path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const outgoing = request(
      `${base}${path}`,
      { agent, method, headers: { authorization: 'Bearer any' } },
      (incoming) => {
        incoming.resume();
        incoming.on('end', () => {
          if (incoming.statusCode === 200) resolve(performance.now() - started);
          else reject(new Error(`${path} answered ${incoming.statusCode}`));
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end();
  });
}

function percentiles(times: number[]): { p50: number; p99: number } {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99) };
}

/** Starts one part in a process of its own. */
function forked(part: 'mock' | 'proxy', target = ''): Promise<{ url: string; stop(): void }> {
  const child = fork(import.meta.filename, [part, target], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  return new Promise((resolve, reject) => {
    child.once('message', (url) => resolve({ url: String(url), stop: () => child.kill() }));
    child.once('exit', () => reject(new Error(`the ${part} did not start`)));
  });
}

async function serve(part: string, target: string): Promise<void> {
  if (part === 'mock') process.send?.((await startMock({ anyToken: true })).url);
  if (part !== 'proxy') return;
  const journal = createJournalWriter(join(tmpdir(), `bench-proxy-${process.pid}.ndjson`));
  process.send?.((await startProxy({ target, onJournal: journal.write })).url);
}

if (import.meta.main) {
  const [part, target = ''] = process.argv.slice(2);
  if (part !== undefined) await serve(part, target);
  else process.stdout.write(`${formatProxyRows(await benchProxy())}\n`);
}
