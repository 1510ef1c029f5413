import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { ToolError } from '../errors.ts';

export interface ProgramOptions {
  readonly command: readonly string[];
  /** Whether the system's shell runs the command. */
  readonly shell?: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly timeout: number;
  /** Ends the program early, with all processes that it started. */
  readonly signal: AbortSignal;
  readonly onLine: (line: string) => void;
}

/** Exited with a code, killed by a signal from outside, or stopped by this tool. */
export type Ending =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'killed'; readonly signal: string }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'stopped' };

const GRACE = 2_000;

/**
 * Runs a program in its own process group, so that no process outlives its situation. Throws `ToolError('usage')` if it
 * cannot start.
 */
export async function runProgram(options: ProgramOptions): Promise<Ending> {
  const [file = '', ...args] = options.command;
  const child = spawn(file, args, {
    cwd: options.cwd,
    env: options.env,
    shell: options.shell ?? false,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
  });
  const lines = [child.stdout, child.stderr].map((stream) => {
    const reader = createInterface({ input: stream });
    reader.on('line', options.onLine);
    return reader;
  });
  let stopped: 'timeout' | 'stopped' | undefined;
  let hardStop: NodeJS.Timeout | undefined;
  const stop = (why: 'timeout' | 'stopped'): void => {
    stopped ??= why;
    killGroup(child, 'SIGTERM');
    hardStop ??= setTimeout(() => killGroup(child, 'SIGKILL'), GRACE);
  };
  const onAbort = (): void => stop('stopped');
  const timer = setTimeout(() => stop('timeout'), options.timeout);
  options.signal.addEventListener('abort', onAbort, { once: true });
  if (options.signal.aborted) onAbort();
  try {
    return await new Promise<Ending>((resolve, reject) => {
      child.once('error', (cause: NodeJS.ErrnoException) => {
        const message = `The program ${JSON.stringify(file)} cannot be started (${cause.code ?? 'unknown'}).`;
        const hint = 'The command after -- runs without a shell.';
        reject(new ToolError('usage', message, { hint, cause }));
      });
      // not `close`: a process that it left behind may keep its output open
      child.once('exit', (code, signal) => {
        if (stopped !== undefined) resolve({ kind: stopped });
        else resolve(code === null ? { kind: 'killed', signal: signal ?? 'unknown' } : { kind: 'exited', code });
      });
    });
  } finally {
    clearTimeout(timer);
    clearTimeout(hardStop);
    options.signal.removeEventListener('abort', onAbort);
    killGroup(child, 'SIGKILL');
    // the last lines may still be in the pipe
    await new Promise((resolve) => setTimeout(resolve, 20));
    for (const reader of lines) reader.close();
    child.stdout.destroy();
    child.stderr.destroy();
  }
}

function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  if (process.platform === 'win32') {
    // there are no groups; this ends what the program has started, while the program lives
    const ended = child.exitCode !== null || child.signalCode !== null;
    if (!ended) spawn('taskkill', ['/pid', String(child.pid), '/t', '/f'], { stdio: 'ignore' }).on('error', () => {});
    return;
  }
  try {
    process.kill(-child.pid, signal);
  } catch {
    // it has gone already
  }
}
