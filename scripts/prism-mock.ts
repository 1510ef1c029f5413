/**
 * Starts the stock `prism mock` on the bundle of the spec and the mock's assumptions, in its own folder:
 * `node scripts/prism-mock.ts [--port PORT]`. It shows that the bundle is plain OpenAPI. Our mock is compared with it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { loadContract } from '../src/contract/load.ts';

export interface StockPrism {
  readonly url: string;
  readonly process: ChildProcess;
  close(): Promise<void>;
}

/** Writes the bundle, starts the stock command with it and resolves when it listens. */
export async function startStockPrism(
  options: { readonly port?: number; readonly quiet?: boolean } = {},
): Promise<StockPrism> {
  const folder = await mkdtemp(join(tmpdir(), 'prism-mock-'));
  const file = join(folder, 'openapi.json');
  await writeFile(file, await mockBundle());
  const port = options.port ?? (await freePort());
  const child = spawn(process.execPath, [prismCommand(), 'mock', file, '--port', String(port)], {
    cwd: folder,
    env: { ...process.env, FORCE_COLOR: '0', SCARF_ANALYTICS: 'false' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const close = async (): Promise<void> => {
    await stop(child);
    await rm(folder, { recursive: true, force: true });
  };
  const listening = new Promise<void>((resolve, reject) => {
    const hear = (chunk: Buffer): void => {
      if (!options.quiet) process.stdout.write(chunk);
      output = `${output}${chunk}`.slice(-4_000);
      if (/Prism is listening on/.test(output)) resolve();
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`prism mock ended with ${code}: ${output}`)));
  });
  try {
    await listening;
  } catch (error) {
    await close();
    throw error;
  }
  return { url: `http://127.0.0.1:${port}`, process: child, close };
}

/** The bundle of spec and assumptions as JSON text: the mock's document as plain OpenAPI. */
export async function mockBundle(): Promise<string> {
  const { document } = await loadContract({ assumed: true });
  return JSON.stringify(document);
}

export function prismCommand(): string {
  const manifest = createRequire(import.meta.url).resolve('@stoplight/prism-cli/package.json');
  return join(dirname(manifest), 'dist', 'index.js');
}

export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** For a server that does not report the port that the system chose. */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}

if (import.meta.main) {
  const at = process.argv.indexOf('--port');
  const prism = await startStockPrism({ port: at === -1 ? 4010 : Number(process.argv[at + 1]) });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => prism.close());
}
