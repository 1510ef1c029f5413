import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { brotliCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { packageRoot } from '../../src/package-root.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { CREDENTIALS, PARAMETERS, startSandbox } from './sandbox.ts';

const MOST_MB = 350;

/** The process and its descendants, from /proc. */
function treeOf(root: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? read(`/proc/${name}/stat`) : undefined;
    if (stat) parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
  }
  const isBelow = (pid: number): boolean => pid === root || (parents.has(pid) && isBelow(parents.get(pid) ?? 0));
  return [...parents.keys()].filter(isBelow);
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** MB that a process tree holds now. Shared pages count proportionally for each process. */
function heldBy(root: number): number {
  const kilobytes = treeOf(root).map((pid) => /^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`) ?? '')?.[1] ?? 0);
  return kilobytes.reduce<number>((sum, each) => sum + Number(each), 0) / 1024;
}

/** Runs the real `verify` against a URL; returns its peak memory in MB and its exit code. */
async function peakOfVerify(url: string): Promise<{ code: number | null; peakMb: number }> {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'config.yaml'), `parameters: ${JSON.stringify(PARAMETERS)}\n`);
  const env = {
    ...process.env,
    NODE_OPTIONS: '',
    BANKING_API_USERNAME: CREDENTIALS.username,
    BANKING_API_PASSWORD: CREDENTIALS.password,
  };
  const command = [join(packageRoot, 'bin/banking-api.js'), 'verify', '--target', url, '--config', 'config.yaml'];
  const child = spawn(process.execPath, command, { cwd: folder, env, stdio: 'ignore' });
  let peakMb = 0;
  const watching = setInterval(() => {
    if (child.pid !== undefined) peakMb = Math.max(peakMb, heldBy(child.pid));
  }, 25);
  const [code] = (await once(child, 'close')) as [number | null];
  clearInterval(watching);
  return { code, peakMb };
}

const MB = 2 ** 20;
const many = (count: number, member: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => member(index)).join(',');

/** A body generated while it is sent, so that the server needs little memory. */
function endless(megabytes: number): Readable {
  const piece = `${'{"id":"x","cardProgramme":"p"},'.repeat(2000)}`;
  return Readable.from(
    (function* () {
      yield '[';
      for (let sent = 0; sent < megabytes * MB; sent += piece.length) yield piece;
      yield '{}]';
    })(),
  );
}

let squeezed: Buffer | undefined;

const BODIES: Record<string, () => { headers?: Record<string, string>; body: string | Buffer | Readable }> = {
  'a gigabyte of JSON': () => ({ body: endless(1024) }),
  'a number of 9 MB': () => ({ body: `{"id":${'9'.repeat(9 * MB)}}` }),
  'a text of 5 MB': () => ({ body: `{"id":"${'x'.repeat(5 * MB)}"}` }),
  '300,000 members': () => ({ body: `{${many(300_000, (index) => `"member${index}":${index}`)}}` }),
  'a list of 60,000 items, each with a unique member': () => ({
    body: `[${many(60_000, (index) => `{"m${index}":1}`)}]`,
  }),
  'a brotli bomb': () => {
    squeezed ??= brotliCompressSync(Buffer.alloc(400 * MB, '['));
    return { headers: { 'content-encoding': 'br' }, body: squeezed };
  },
};

async function send(
  response: ServerResponse,
  { headers = {}, body }: ReturnType<(typeof BODIES)[string]>,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/json', ...headers });
  // the client disconnects at its limit
  if (body instanceof Readable) await pipeline(body, response).catch(() => {});
  else response.end(body);
}

describe.skipIf(!existsSync('/proc/self/status'))('the memory of a run does not grow with the size of answers', () => {
  test.each(Object.entries(BODIES))('%s', { timeout: 300_000 }, async (_, make) => {
    await using sandbox = await startSandbox({
      fault: ({ method, path, authorization }, response) => {
        if (method !== 'GET' || !path.includes('/cards') || !authorization.startsWith('Bearer ey')) return false;
        void send(response, make());
        return true;
      },
    });
    const { code, peakMb } = await peakOfVerify(sandbox.url);
    // a long text is a normal text. Every other body contradicts the contract or cannot be checked.
    expect([0, 1, 4]).toContain(code);
    expect(peakMb).toBeLessThan(MOST_MB);
    expect(sandbox.seen.some(({ path }) => path.includes('/cards'))).toBe(true);
  });
});
