import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { packageRoot } from '../../../src/package-root.ts';

/** `banking-api mock` as a separate process. */
export interface MockCommand {
  readonly child: ChildProcess;
  /** NaN if it ended before it listened. */
  readonly port: number;
  readonly credentials: { readonly username: string; readonly password: string };
  /** The exit code, once all output is read. */
  readonly ended: Promise<number | null>;
  readonly stdout: () => string;
  readonly stderr: () => string;
}

/**
 * Starts the command on a free port unless a flag sets one. Waits until it listens or ends, and kills it after the
 * test.
 */
export async function mockCommand(cwd: string, ...flags: readonly string[]): Promise<MockCommand> {
  const anyPort = flags.includes('--port') ? [] : ['--port', '0'];
  const args = [join(packageRoot, 'bin', 'banking-api.js'), 'mock', ...anyPort, ...flags];
  const child = spawn(process.execPath, args, { cwd });
  onTestFinished(() => void child.kill('SIGKILL'));
  let [stdout, stderr] = ['', ''];
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk;
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const firstLine = new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk;
      if (stdout.includes('\n')) resolve();
    });
  });
  await Promise.race([firstLine, ended]);
  const port = Number(/:(\d+)/.exec(stdout)?.[1]);
  const credentials = { username: 'sandbox', password: 'sandbox-secret' };
  return { child, port, credentials, ended, stdout: () => stdout, stderr: () => stderr };
}
