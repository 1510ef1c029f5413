import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import process from 'node:process';
import { freePort, stop } from '../scripts/prism-mock.ts';
import { packageRoot } from '../src/package-root.ts';

/** A server that was started as a process of its own. */
export interface Server {
  readonly port: number;
  /** Milliseconds from the start of the process to its first 200. */
  readonly startMs: number;
  /** Seconds of CPU that the process has used; null where the system does not say. */
  cpuSeconds(): number | null;
  /** MB that the process has had in memory at most; null where the system does not say. */
  peakMb(): number | null;
  stop(): Promise<void>;
}

/** Starts a server by the command line that `line` gives for a port, and waits for its first 200. */
export async function startServer(line: (port: number) => readonly string[]): Promise<Server> {
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
export function ourCommand(port: number): readonly string[] {
  const built = existsSync(join(packageRoot, 'dist/src/cli/main.js'));
  return [
    join(packageRoot, built ? 'bin/banking-api.js' : 'src/cli/main.ts'),
    'mock',
    '--any-token',
    '--port',
    String(port),
  ];
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const options = {
      port,
      host: '127.0.0.1',
      path: '/wallet/api/customers/c/cards/card-4001',
      headers: { authorization: 'Bearer any' },
    };
    request(options, (incoming) => incoming.resume().on('end', () => resolve(incoming.statusCode === 200)))
      .on('error', () => resolve(false))
      .end();
  });
}

/** `/proc/PID/stat`: user and system time in hundredths of a second, after the name in parentheses. */
function cpuOf(child: ChildProcess): number | null {
  const fields = readProc(child, 'stat')?.split(') ')[1]?.split(' ');
  return fields ? (Number(fields[11]) + Number(fields[12])) / 100 : null;
}

function peakOf(child: ChildProcess): number | null {
  const kilobytes = /VmHWM:\s+(\d+) kB/.exec(readProc(child, 'status') ?? '')?.[1];
  return kilobytes === undefined ? null : Number(kilobytes) / 1024;
}

function readProc(child: ChildProcess, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${child.pid}/${file}`, 'utf8');
  } catch {
    return undefined;
  }
}
