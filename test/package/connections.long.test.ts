import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packageRoot } from '../../src/package-root.ts';
import { CREDENTIALS, PARAMETERS, type Sandbox, startSandbox } from '../run/sandbox.ts';
import { startCompanyProxy } from '../support/company-proxy.ts';
import { describeWith } from '../support/needs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const COMMAND = join(packageRoot, 'bin/banking-api.js');
const CALLER = join(packageRoot, 'examples/audit/caller.mjs');
const SECOND_API = join(packageRoot, 'examples/second-api');

let folder: string;
let sandbox: Sandbox;
beforeAll(async () => {
  folder = await temporaryFolder();
  sandbox = await startSandbox();
  await writeFile(join(folder, 'config.yaml'), `parameters: ${JSON.stringify(PARAMETERS)}\n`);
  await writeFile(join(folder, 'card.json'), '{}');
});
afterAll(() => sandbox[Symbol.asyncDispose]());

/** Addresses with ports of all connections and datagrams, from strace. */
function addressesIn(trace: string): string[] {
  const four = trace.matchAll(/sin_port=htons\((\d+)\), sin_addr=inet_addr\("([^"]+)"\)/g);
  const six = trace.matchAll(/sin6_port=htons\((\d+)\),.*?inet_pton\(AF_INET6, "([^"]+)"/g);
  return [...four, ...six].map(([, port, address]) => `${address} ${port}`);
}

interface Traced {
  readonly code: number | null;
  /** The command's output on both streams. */
  readonly told: string;
  readonly addresses: readonly string[];
}

/** Runs the real command and its child processes under strace. Ends a serving command after its first answer. */
async function traced(argv: readonly string[], { serves = false, variables = {} } = {}): Promise<Traced> {
  const file = join(folder, `${argv[0]}${Object.keys(variables).join('')}.strace`);
  const strace = ['-f', '-qq', '-e', 'trace=connect,sendto,sendmsg,sendmmsg', '-o', file, process.execPath, COMMAND];
  const env = {
    ...process.env,
    BANKING_API_USERNAME: CREDENTIALS.username,
    BANKING_API_PASSWORD: CREDENTIALS.password,
    ...variables,
  };
  const child = spawn('strace', [...strace, ...argv], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let told = '';
  const hear = async (text: string) => {
    told += text;
    const url = serves ? /listens on (http:\/\/127\.0\.0\.1:\d+)/.exec(told)?.[1] : undefined;
    if (!url) return;
    serves = false;
    await (await fetch(`${url}/wallet/api/customers/c-1/cards/k-4`)).text();
    // strace does not forward a signal, so the whole group gets it.
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
  };
  child.stdout.setEncoding('utf8').on('data', hear);
  child.stderr.setEncoding('utf8').on('data', hear);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, told, addresses: addressesIn(await readFile(file, 'utf8')) };
}

describeWith('strace', 'where connections go', () => {
  // Name lookups are excluded as well: a loopback resolver would get them at port 53.
  const local = /^(127\.0\.0\.1|::1) (?!53$)\d+$/;

  test.each<[name: string, argv: () => string[], codes: number[]]>([
    ['verify against the mock', () => ['verify', '--target', 'mock', '--report', 'json=report.json'], [0]],
    ['verify against a URL', () => ['verify', '--target', sandbox.url, '--config', 'config.yaml'], [0]],
    ['record', () => ['record', '--target', sandbox.url, '--config', 'config.yaml', '--out', 'recording.yaml'], [0]],
    ['audit', () => ['audit', '--drive', '--', process.execPath, CALLER], [0, 1]],
    ['diff', () => ['diff', 'recording.yaml', 'recording.yaml'], [0]],
    ['accept', () => ['accept', 'report.json', '--reason', 'tried', '--expires', '2099-01-01'], [0, 2]],
    ['report', () => ['report', 'markdown', 'report.json'], [0]],
    ['lint', () => ['lint'], [0]],
    ['spec', () => ['spec'], [0]],
    ['generate', () => ['generate', '--contract', SECOND_API, '--out', 'made'], [0]],
    ['validate', () => ['validate', 'Card', 'card.json'], [0, 1]],
  ])('%s connects to loopback only', { timeout: 240_000 }, async (_, argv, codes) => {
    const { code, addresses } = await traced(argv());
    expect(codes).toContain(code);
    expect(addresses.filter((address) => !local.test(address))).toEqual([]);
  });

  test.each<[name: string, argv: () => string[]]>([
    ['mock', () => ['mock', '--port', '0']],
    ['proxy', () => ['proxy', '--port', '0', '--target', sandbox.url]],
  ])('%s connects to loopback only', { timeout: 120_000 }, async (_, argv) => {
    const { told, addresses } = await traced(argv(), { serves: true });
    expect(told).toMatch(/listens on http:\/\/127\.0\.0\.1:\d+/);
    expect(addresses.filter((address) => !local.test(address))).toEqual([]);
  });

  test('through a proxy verify connects to the proxy only, and looks up no name', { timeout: 240_000 }, async () => {
    await using proxy = await startCompanyProxy();
    const { port } = new URL(sandbox.url);
    await writeFile(join(folder, 'by.yaml'), `httpAllowedOn: [bank.test]\nparameters: ${JSON.stringify(PARAMETERS)}\n`);
    const argv = ['verify', '--target', `http://bank.test:${port}`, '--config', 'by.yaml'];
    const { code, addresses } = await traced(argv, { variables: { HTTP_PROXY: proxy.host } });
    expect(code).toBe(0);
    expect(addresses.filter((address) => !local.test(address))).toEqual([]);
    expect(addresses).toContain(proxy.host.replace(':', ' '));
    expect(addresses).not.toContain(`127.0.0.1 ${port}`);
  });

  test('the test sees the connections of a run against a URL', () => {
    const file = readFile(join(folder, 'verify.strace'), 'utf8');
    return expect(file.then(addressesIn)).resolves.toContain(`127.0.0.1 ${new URL(sandbox.url).port}`);
  });
});
