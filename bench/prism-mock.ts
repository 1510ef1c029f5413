/** The stock `prism mock`, by default on the bundle of the spec and the mock's assumptions, which our mock is compared with. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { loadContract } from '../src/contract/load.ts';
import { freePort } from '../test/support/loopback.ts';

/**
 * Starts the stock command in its own folder and resolves when it listens.
 *
 * @param given path of the document
 */
export async function startStockPrism(given?: string) {
  const folder = await mkdtemp(join(tmpdir(), 'prism-mock-'));
  const file = given ?? join(folder, 'openapi.json');
  if (given === undefined) await writeFile(file, await mockBundle());
  const port = await freePort();
  const child = spawn(process.execPath, [prismCommand(), 'mock', file, '--port', String(port)], {
    cwd: folder,
    env: { ...process.env, FORCE_COLOR: '0', SCARF_ANALYTICS: 'false' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const close = async (): Promise<void> => {
    await stop(child);
    await rm(folder, { recursive: true, force: true });
  };
  let output = '';
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    output += chunk;
    if (!output.includes('Prism is listening on')) continue;
    child.stdout.resume();
    const url = `http://127.0.0.1:${port}`;
    const printed = [...output.matchAll(/([A-Z]+) +http:\/\/[^/\s]+(\/\S*)/g)];
    return { url, routes: printed.map(([, method = '', path = '']) => ({ method, path })), close };
  }
  await close();
  throw new Error(`prism mock has ended: ${output}`);
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
