/** The mock against the stock `prism mock` on the same bundle and against a bare `node:http` server. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { freePort, mockBundle, prismCommand, stop } from '../scripts/prism-mock.ts';
import { packageRoot } from '../src/package-root.ts';
import { median } from './validators-cost.ts';

/** Seconds per measurement. */
const SECONDS = 1;
/** Measurements per server, request and number of connections; the median counts. */
const ROUNDS = 3;
/** Starts per server; the median counts. */
const STARTS = 5;
const CONNECTIONS = [1, 10, 50];

/** Rates of one server. What the system does not say is not a number. */
interface Rate {
  readonly perSecond: number;
  /** Requests per second of the server's CPU: steadier than requests per second. */
  readonly perCpuSecond: number;
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
const CARD = `${CUSTOMER}/cards/card-4001`;
const BEARER = { authorization: 'Bearer any' };
const LOADS: readonly Load[] = [
  { name: 'get card', method: 'GET', path: CARD, headers: BEARER },
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

const NAMES = ['ours', 'prism', 'bare'] as const;
type Name = (typeof NAMES)[number];
type PerServer<T> = Readonly<Record<Name, T>>;

/**
 * Starts and loads the three in turn, round by round, so that whatever else the machine does falls on all of them alike;
 * the median of the rounds counts. Two tables in Markdown: the ratios are what travels from one machine to another.
 */
export async function benchMock(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-mock-'));
  const file = join(folder, 'openapi.json');
  await writeFile(file, await mockBundle());
  const bare = join(import.meta.dirname, 'mock-bare.js');
  const lines: PerServer<(port: number) => readonly string[]> = {
    ours: ourCommand,
    prism: (port) => [prismCommand(), 'mock', file, '--port', String(port)],
    bare: (port) => [bare, String(port)],
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
    for (const load of LOADS) {
      await eachServer((name) => measure(servers[name], load, 10, 1));
      for (const connections of CONNECTIONS) rates.push(await compare(servers, load, connections));
    }
    const costs = NAMES.map((name) => {
      const [start, usual] = [median(starts[name]), median(starts.prism)];
      const [peak, usualPeak] = [servers[name].peakMb(), servers.prism.peakMb()];
      return [
        name,
        shown(start),
        `${shown((100 * start) / usual)} %`,
        shown(peak),
        `${shown((100 * peak) / usualPeak)} %`,
      ];
    });
    return [table(RATES, rates), table(COSTS, costs)].join('\n');
  } finally {
    for (const server of running) await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

const RATES = [
  ...['request', 'connections', 'ours, requests/s', 'times stock Prism'],
  ...['share of bare node:http', 'times Prism per CPU second'],
];
const COSTS = [
  ...['server', 'start to first answer, ms', 'share of stock Prism'],
  ...['peak memory, MB', 'share of stock Prism'],
];

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

function shown(number: number, digits = 0): string {
  return Number.isNaN(number) ? '?' : number.toFixed(digits);
}

async function inTurn<T>(rounds: number, make: (name: Name) => Promise<T>): Promise<PerServer<T[]>> {
  const made: PerServer<T[]> = { ours: [], prism: [], bare: [] };
  for (let round = 0; round < rounds; round += 1) for (const name of NAMES) made[name].push(await make(name));
  return made;
}

async function eachServer<T>(make: (name: Name) => Promise<T>): Promise<PerServer<T>> {
  return { ours: await make('ours'), prism: await make('prism'), bare: await make('bare') };
}

async function compare(servers: PerServer<Server>, load: Load, connections: number): Promise<string[]> {
  const rates = await inTurn(ROUNDS, (name) => measure(servers[name], load, connections, SECONDS));
  const of = (name: Name, what: keyof Rate): number => median(rates[name].map((rate) => rate[what]));
  const [ours, prism, bare] = NAMES.map((name) => of(name, 'perSecond')) as [number, number, number];
  const perCpu = of('ours', 'perCpuSecond') / of('prism', 'perCpuSecond');
  const share = `${shown((100 * ours) / bare)} %`;
  return [load.name, String(connections), shown(ours), shown(ours / prism, 1), share, shown(perCpu, 1)];
}

async function measure(server: Server, load: Load, connections: number, duration: number): Promise<Rate> {
  const { name: _, path, ...request } = load;
  const before = server.cpuSeconds();
  const result = await autocannon({ url: `http://127.0.0.1:${server.port}${path}`, ...request, connections, duration });
  const after = server.cpuSeconds();
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${load.name}: ${result.non2xx} answers were no 2xx, ${result.errors} requests failed`);
  return {
    perSecond: result.requests.total / result.duration,
    perCpuSecond: after > before ? result.requests.total / (after - before) : Number.NaN,
  };
}

/** A server that was started as a process of its own. */
interface Server {
  readonly port: number;
  /** Milliseconds from the start of the process to its first 200. */
  readonly startMs: number;
  /** Seconds of CPU that the process has used; not a number where the system does not say. */
  cpuSeconds(): number;
  /** MB that the process has had in memory at most; not a number where the system does not say. */
  peakMb(): number;
  stop(): Promise<void>;
}

/** Starts a server by the command line that `line` gives for a port, and waits for its first 200. */
async function startServer(line: (port: number) => readonly string[]): Promise<Server> {
  const port = await freePort();
  const started = performance.now();
  const child = spawn(process.execPath, line(port), {
    stdio: 'ignore',
    env: { ...process.env, SCARF_ANALYTICS: 'false' },
  });
  while (!(await answers(port))) {
    if (child.exitCode !== null || performance.now() - started > 30_000)
      throw new Error(`no answer from ${line(port).join(' ')}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  return {
    port,
    startMs: performance.now() - started,
    cpuSeconds: () => cpuOf(child),
    peakMb: () => peakOf(child),
    stop: () => stop(child),
  };
}

/** The command as it is shipped, where it is built. */
function ourCommand(port: number): readonly string[] {
  const built = existsSync(join(packageRoot, 'dist/src/cli/main.js'));
  return [
    join(packageRoot, built ? 'bin/banking-api.js' : 'src/cli/main.ts'),
    'mock',
    '--any-token',
    '--port',
    String(port),
  ];
}

async function answers(port: number): Promise<boolean> {
  try {
    const reply = await fetch(`http://127.0.0.1:${port}${CARD}`, { headers: BEARER });
    await reply.arrayBuffer();
    return reply.status === 200;
  } catch {
    return false;
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
