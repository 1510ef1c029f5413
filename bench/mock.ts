/**
 * Compares the mock with a bare `node:http` server, with a minimal mock (`mock-floor.js`), and with the stock `prism
 * mock` on the same bundle. Tokens are real and the journal is on. Servers run on one core and `wrk` on another.
 * Without `wrk`, autocannon makes the load. It is slower than the servers, so the shares become too high.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { packageRoot } from '../src/package-root.ts';
import { freePort } from '../test/support/loopback.ts';
import { CONNECTIONS, HAS_WRK, type Load, type LoadResult, makeLoad, pinned } from './load.ts';
import { median } from './median.ts';
import { mockBundle, prismCommand, stop } from './prism-mock.ts';

/** Seconds of load before a request is measured. V8 optimises a mock only after tens of thousands of requests. */
const WARM_UP = 10;
/** Seconds per measurement. */
const SECONDS = 2;
/** Measurements per server and request; the median counts. */
const ROUNDS = 5;
/** Starts per server; the median counts. */
const STARTS = 5;
/** Percent. If the bare server varies more between rounds, the machine was busy and the numbers are invalid. */
const CALM = 20;

/** One measurement of one server. NaN if the system does not report the value. */
interface Rate extends Omit<LoadResult, 'total'> {
  /** Requests per second of the server's CPU: more stable than requests per second. */
  readonly perCpuSecond: number;
}

const CUSTOMER = '/wallet/api/customers/cust-1001';
const CARD = `${CUSTOMER}/cards/card-4001`;
const TOKEN: Load = {
  name: 'token',
  method: 'POST',
  path: '/iam/oauth/token',
  headers: {
    authorization: `Basic ${btoa('sandbox:sandbox-secret')}`,
    'content-type': 'application/x-www-form-urlencoded',
  },
  body: 'grant_type=client_credentials',
};
const ISSUED = { cardProgramme: 'business-debit', cardDesign: 'plain', cardLimitDaily: 5_000, currency: 'GBP' };

function loadsFor(token: string): readonly Load[] {
  const bearer = { authorization: `Bearer ${token}` };
  const json = { ...bearer, 'content-type': 'application/json' };
  return [
    { name: 'get card', method: 'GET', path: CARD, headers: bearer },
    { name: 'issue card', method: 'POST', path: `${CUSTOMER}/cards`, headers: json, body: JSON.stringify(ISSUED) },
    TOKEN,
  ];
}

const NAMES = ['bare', 'floor', 'ours', 'prism'] as const;
type Name = (typeof NAMES)[number];
type PerServer<T> = Readonly<Record<Name, T>>;

/**
 * Starts and loads the servers in turn, round by round, so that other load on the machine affects all equally.
 * Returns two tables in Markdown. Only their shares are comparable between machines.
 */
export async function benchMock(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-mock-'));
  const file = join(folder, 'openapi.json');
  await writeFile(file, await mockBundle());
  const own = (name: string) => (port: number) => [join(import.meta.dirname, name), String(port)];
  const lines: PerServer<(port: number) => readonly string[]> = {
    bare: own('mock-bare.js'),
    floor: own('mock-floor.js'),
    ours: ourCommand,
    prism: (port) => [prismCommand(), 'mock', file, '--port', String(port)],
  };
  const running: Server[] = [];
  try {
    const starts = await inTurn(STARTS, async (name) => {
      const server = await startServer(lines[name]);
      await server.stop();
      return server.startMs;
    });
    const servers = await eachServer(async (name) => {
      const server = await startServer(lines[name]);
      running.push(server);
      return server;
    });
    const rates: string[][] = [];
    let calm = true;
    for (const index of loadsFor('').keys()) {
      const measured = (name: Name, seconds: number): Promise<Rate> => measure(servers[name], index, seconds);
      await eachServer((name) => measured(name, WARM_UP));
      const seen = await inTurn(ROUNDS, (name) => measured(name, SECONDS));
      rates.push(...rowsOf(loadsFor('')[index]?.name ?? '', seen));
      calm &&= spreadOf(seen.bare) <= CALM;
    }
    const costs = NAMES.map((name) => [
      name,
      shown(median(starts[name])),
      `${shown((100 * median(starts[name])) / median(starts.prism))}%`,
      shown(servers[name].peakMb()),
    ]);
    const how = `${HAS_WRK ? 'wrk' : 'autocannon'}, ${CONNECTIONS} connections, ${ROUNDS} rounds of ${SECONDS} s after ${WARM_UP} s of warm-up, Node ${process.versions.node}`;
    const warning = calm
      ? ''
      : `\nThe rate of bare varied by more than ${CALM} %: the machine was busy. Repeat the run.\n`;
    return [`${how}\n${warning}`, table(RATES, rates), table(COSTS, costs)].join('\n');
  } finally {
    for (const server of running) await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

const RATES = [
  ...['request', 'server', 'requests/s', 'spread', 'share of bare', 'share of bare per CPU second'],
  ...['share of floor per CPU second', 'p50, ms', 'p99, ms', 'p99, times bare'],
];
const COSTS = ['server', 'start to first answer, ms', 'share of stock Prism', 'peak memory, MB'];

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `|${cells.join('|')}|\n`).join('');
}

function shown(number: number, digits = 0): string {
  return Number.isNaN(number) ? '?' : number.toFixed(digits);
}

/** From the slowest to the fastest round, in percent of the median. */
function spreadOf(rates: readonly Rate[]): number {
  const all = rates.map(({ perSecond }) => perSecond);
  return (100 * (Math.max(...all) - Math.min(...all))) / median(all);
}

function rowsOf(load: string, seen: PerServer<readonly Rate[]>): string[][] {
  const of = (name: Name, what: keyof Rate): number => median(seen[name].map((rate) => rate[what]));
  const share = (name: Name, other: Name, what: keyof Rate): string =>
    `${shown((100 * of(name, what)) / of(other, what))}%`;
  return NAMES.map((name) => [
    load,
    name,
    shown(of(name, 'perSecond')),
    `${shown(spreadOf(seen[name]))}%`,
    share(name, 'bare', 'perSecond'),
    share(name, 'bare', 'perCpuSecond'),
    share(name, 'floor', 'perCpuSecond'),
    shown(of(name, 'p50'), 1),
    shown(of(name, 'p99'), 1),
    shown(of(name, 'p99') / of('bare', 'p99'), 1),
  ]);
}

async function inTurn<T>(rounds: number, make: (name: Name) => Promise<T>): Promise<PerServer<T[]>> {
  const made: PerServer<T[]> = { bare: [], floor: [], ours: [], prism: [] };
  for (let round = 0; round < rounds; round += 1) for (const name of NAMES) made[name].push(await make(name));
  return made;
}

async function eachServer<T>(make: (name: Name) => Promise<T>): Promise<PerServer<T>> {
  return { bare: await make('bare'), floor: await make('floor'), ours: await make('ours'), prism: await make('prism') };
}

async function measure(server: Server, index: number, seconds: number): Promise<Rate> {
  const load = loadsFor(server.token)[index] ?? TOKEN;
  const before = server.cpuSeconds();
  const { total, ...rate } = await makeLoad(server.port, load, seconds, 1);
  const spent = server.cpuSeconds() - before;
  return { ...rate, perCpuSecond: spent > 0 ? total / spent : Number.NaN };
}

/** A server in a process of its own. */
export interface Server {
  readonly port: number;
  /** Its first answer: a token that it issued. */
  readonly token: string;
  /** Milliseconds from the start of the process to its first answer. */
  readonly startMs: number;
  /** Seconds of CPU that the process has used; NaN if the system does not report it. */
  cpuSeconds(): number;
  /** Peak memory of the process in MB; NaN if the system does not report it. */
  peakMb(): number;
  stop(): Promise<void>;
}

/**
 * Starts a server by the command line that `line` returns for a port, and waits for its first answer.
 *
 * @param answer asks for the first answer, by default for a token; null if there is none yet
 */
export async function startServer(
  line: (port: number) => readonly string[],
  answer: (port: number) => Promise<string | null> = tokenOf,
): Promise<Server> {
  const port = await freePort();
  const started = performance.now();
  const child = spawn(...pinned(0, process.execPath, line(port)), {
    stdio: 'ignore',
    env: { ...process.env, SCARF_ANALYTICS: 'false' },
  });
  let token = await answer(port);
  for (; token === null; token = await answer(port)) {
    if (child.exitCode !== null || performance.now() - started > 60_000) {
      await stop(child);
      throw new Error(`no answer from ${line(port).join(' ')}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  return {
    port,
    token,
    startMs: performance.now() - started,
    cpuSeconds: () => cpuOf(child),
    peakMb: () => peakOf(child),
    stop: () => stop(child),
  };
}

/** The built command if it exists. */
export function ourCommand(port: number): readonly string[] {
  const built = existsSync(join(packageRoot, 'dist/src/cli/main.js'));
  return [join(packageRoot, built ? 'bin/banking-api.js' : 'src/cli/main.ts'), 'mock', '--port', String(port)];
}

async function tokenOf(port: number): Promise<string | null> {
  try {
    const { path, method, headers, body = '' } = TOKEN;
    const reply = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, body });
    return ((await reply.json()) as { readonly access_token: string }).access_token;
  } catch {
    return null;
  }
}

/** `/proc/PID/stat`: user and system time in hundredths of a second, after the name in parentheses. */
function cpuOf(child: ChildProcess): number {
  const fields = readProc(child, 'stat').split(') ')[1]?.split(' ');
  return (Number(fields?.[11]) + Number(fields?.[12])) / 100;
}

function peakOf(child: ChildProcess): number {
  return Number(/VmHWM:\s+(\d+) kB/.exec(readProc(child, 'status'))?.[1]) / 1024;
}

function readProc(child: ChildProcess, file: string): string {
  try {
    return readFileSync(`/proc/${child.pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
