/** Load on a server at 50 connections, by `wrk`, or by autocannon if `wrk` is missing. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

export const CONNECTIONS = 50;

const run = promisify(execFile);
const isHere = (tool: string, flag: string): boolean => spawnSync(tool, [flag]).error === undefined;
export const HAS_WRK: boolean = isHere('wrk', '-v');
const CAN_PIN: boolean = isHere('taskset', '--version') && availableParallelism() > 1;

/** A command line on one core, if a core is given and the system can. */
export function pinned(
  core: 0 | 1 | undefined,
  program: string,
  args: readonly string[],
): [program: string, args: string[]] {
  return CAN_PIN && core !== undefined ? ['taskset', ['-c', String(core), program, ...args]] : [program, [...args]];
}

export interface Load {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface LoadResult {
  readonly total: number;
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

/** @param core pins `wrk` to a core */
export function makeLoad(port: number, load: Load, seconds: number, core?: 0 | 1): Promise<LoadResult> {
  return HAS_WRK ? byWrk(port, load, seconds, core) : byAutocannon(port, load, seconds);
}

async function byWrk(port: number, load: Load, seconds: number, core: 0 | 1 | undefined): Promise<LoadResult> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  const script = join(folder, 'load.lua');
  const fields = Object.entries(load.headers).map(([name, value]) => `wrk.headers["${name}"]='${value}'`);
  await writeFile(script, [`wrk.method="${load.method}"`, ...fields, `wrk.body='${load.body ?? ''}'`].join('\n'));
  const options = ['-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, '--timeout', '10s', '--latency', '-s', script];
  const args = [...options, `http://127.0.0.1:${port}${load.path}`];
  const { stdout } = await run(...pinned(core, 'wrk', args));
  await rm(folder, { recursive: true });
  const failed = /Non-2xx or 3xx responses: \d+|Socket errors: .*/.exec(stdout);
  if (failed) throw new Error(`${load.name}: ${failed[0]}`);
  const of = (pattern: RegExp): string => pattern.exec(stdout)?.[1] ?? '';
  return {
    total: Number(of(/(\d+) requests in/)),
    perSecond: Number(of(/Requests\/sec:\s+([\d.]+)/)),
    p50: milliseconds(of(/ 50%\s+(\S+)/)),
    p99: milliseconds(of(/ 99%\s+(\S+)/)),
  };
}

/** `812.00us`, `1.52ms` or `1.20s`. */
function milliseconds(text: string): number {
  return Number.parseFloat(text) * (text.endsWith('us') ? 0.001 : text.endsWith('ms') ? 1 : 1000);
}

interface CannonResult {
  readonly requests: { readonly total: number };
  readonly latency: { readonly p50: number; readonly p99: number };
  readonly duration: number;
  readonly non2xx: number;
  readonly errors: number;
}

async function byAutocannon(port: number, load: Load, duration: number): Promise<LoadResult> {
  // it has no types
  const autocannon = createRequire(import.meta.url)('autocannon') as (options: object) => Promise<CannonResult>;
  const { name, path, ...request } = load;
  const url = `http://127.0.0.1:${port}${path}`;
  const result = await autocannon({ url, ...request, connections: CONNECTIONS, duration });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${name}: ${result.non2xx} answers were no 2xx, ${result.errors} requests failed`);
  const { total } = result.requests;
  return { total, perSecond: total / result.duration, p50: result.latency.p50, p99: result.latency.p99 };
}
