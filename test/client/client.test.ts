import { execFile } from 'node:child_process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as client from '../../src/client/client.ts';
import { systemClock } from '../../src/client/clock.ts';
import { FaultServer } from './fault-server.ts';

const entry = fileURLToPath(new URL('../../src/client/client.ts', import.meta.url));

describe('the module', () => {
  it('the module has the exports of its page', () => {
    expect(Object.keys(client).sort()).toEqual(['TokenError', 'createTokenProvider', 'withToken']);
  });

  it('the module imports no package and no part of Node, fits into 8 kB, minified and gzipped, and bundles for browsers', async () => {
    const { outputFiles, metafile } = await build({
      entryPoints: [entry],
      bundle: true,
      minify: true,
      write: false,
      metafile: true,
      format: 'esm',
      platform: 'browser',
    });
    expect(Object.keys(metafile.inputs).filter((file) => file.includes('node_modules'))).toEqual([]);
    const code = outputFiles[0]?.contents ?? new Uint8Array();
    const { gzipSync } = await import('node:zlib');
    expect(gzipSync(code).length).toBeLessThan(8 * 1024);
    expect(new TextDecoder().decode(code)).not.toMatch(/\b(?:process|Buffer|require|eval)\b|new Function/);
  });
});

describe('T18: a process that uses the client exits by itself', () => {
  const server = new FaultServer({
    good(socket) {
      const body = '{"access_token":"a","token_type":"bearer","expires_in":3600}';
      socket.write(
        `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
    },
  });
  beforeAll(() => server.listen());
  afterAll(() => server.close());

  /** Runs a script that uses `provider`; returns its output. */
  async function run(script: string, options = ''): Promise<string> {
    const code = `
      import { createTokenProvider } from ${JSON.stringify(pathToFileURL(entry))};
      const provider = createTokenProvider({ baseUrl: '${server.url}/good', username: 'u', password: 'p', ${options} });
      ${script}`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], {
      timeout: 30_000,
    });
    return stdout;
  }

  it('the process exits after it got its token', async () => {
    expect(await run(`console.log((await provider.getToken()).expiresIn)`)).toBe('3600\n');
  });

  it('the process exits while an unawaited request is running', async () => {
    expect(
      await run(`provider.getToken().catch(() => {}); console.log('end')`, 'fetch: () => new Promise(() => {})'),
    ).toBe('end\n');
  });

  it('the process does not exit during a retry that a caller awaits', async () => {
    const fetch = `fetch: (() => { let calls = 0; return async () => calls++ === 0
      ? new Response('', { status: 503, headers: { 'retry-after': '1' } })
      : Response.json({ access_token: 'a', token_type: 'bearer', expires_in: 60 }); })()`;
    expect(await run(`provider.getToken().then(({ expiresIn }) => console.log(expiresIn))`, fetch)).toBe('60\n');
  });

  it('the process does not exit while a store hangs', async () => {
    const store = 'store: { get: () => new Promise(() => {}), set: async () => {}, lock: async () => null }';
    expect(await run(`console.log((await provider.getToken()).expiresIn)`, store)).toBe('3600\n');
  });
});

describe('the platform clock', () => {
  it('sleep wakes at once when its signal aborts', async () => {
    const started = performance.now();
    await systemClock.sleep(20);
    expect(performance.now() - started).toBeGreaterThanOrEqual(15);
    const controller = new AbortController();
    const sleep = systemClock.sleep(60_000, controller.signal);
    controller.abort();
    await sleep;
    await systemClock.sleep(60_000, AbortSignal.abort());
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it('T7: a sleep beyond 2^31-1 ms does not end at once', async () => {
    const controller = new AbortController();
    let awake = false;
    const sleep = systemClock.sleep(2 ** 40, controller.signal).then(() => (awake = true));
    await systemClock.sleep(20);
    expect(awake).toBe(false);
    controller.abort();
    await sleep;
  });
});
