import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createServer, type TlsOptions } from 'node:tls';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { packageRoot } from '../../src/package-root.ts';
import { fakeIo } from '../cli/io.ts';
import { until } from '../proxy/support.ts';
import { type CompanyProxy, startCompanyProxy } from '../support/company-proxy.ts';
import { listenOnLoopback } from '../support/loopback.ts';
import { describeWith } from '../support/needs.ts';
import { makePki } from '../support/pki.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { CREDENTIALS, PARAMETERS, type Sandbox, startSandbox } from './sandbox.ts';

const ENV = { BANKING_API_USERNAME: CREDENTIALS.username, BANKING_API_PASSWORD: CREDENTIALS.password };
const PROXY_SECRET = 'PLANTED-proxy-pass';
const PARTS = `parameters: ${JSON.stringify(PARAMETERS)}\ntimeouts: { connect: 2, firstByte: 2, dead: 3 }\nlimits: { backoff: 0.01 }\n`;
const TLS = 'network: { ca: ca.pem, cert: client.pem, key: locked.key, passphrase: env:OPENS }\n';

const open: AsyncDisposable[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each[Symbol.asyncDispose]();
});
const opened = async <T extends AsyncDisposable>(starting: Promise<T>): Promise<T> => {
  const started = await starting;
  open.push(started);
  return started;
};

let pki: string;
const pem = (name: string): Buffer => readFileSync(join(pki, name));

/** A sandbox behind TLS that requires a client certificate by default. */
async function bank(options: TlsOptions = {}): Promise<{ url: string; sandbox: Sandbox }> {
  const sandbox = await opened(startSandbox());
  const asks = { requestCert: true, rejectUnauthorized: true, ca: pem('ca.pem') };
  const server = createServer({ key: pem('server.key'), cert: pem('server.pem'), ...asks, ...options }, (socket) => {
    const behind = connect(Number(new URL(sandbox.url).port), '127.0.0.1');
    socket.pipe(behind).pipe(socket);
    for (const end of [socket, behind]) end.on('error', () => end.destroy());
  });
  server.on('tlsClientError', () => {});
  const { port } = await opened(listenOnLoopback(server));
  return { url: `https://bank.test:${port}`, sandbox };
}

async function command(argv: readonly string[], config: string, env: Record<string, string> = {}, cwd = pki) {
  await writeFile(join(cwd, 'config.yaml'), config + PARTS);
  const io = fakeIo({ cwd, env: { ...ENV, OPENS: 'PLANTED-open', ...env } });
  const code = await run([...argv, '--config', 'config.yaml'], io);
  for (const secret of [PROXY_SECRET, 'PLANTED-open']) expect(io.out() + io.err()).not.toContain(secret);
  return { code, out: io.out(), err: io.err() };
}

const proxied = ({ host }: CompanyProxy, credentials = ''): Record<string, string> => ({
  HTTPS_PROXY: `http://${credentials}${host}`,
});

describeWith('openssl', 'a company network', () => {
  beforeAll(async () => {
    pki = await temporaryFolder();
    makePki(pki);
  });

  test('verify uses the proxy, the private CA and the client certificate, also for token requests', async () => {
    const { url, sandbox } = await bank();
    const proxy = await opened(startCompanyProxy({ credentials: `me:${PROXY_SECRET}` }));
    const { code, out, err } = await command(
      ['verify', '--target', url, '--journal', 'j.ndjson'],
      TLS,
      proxied(proxy, `me:${PROXY_SECRET}@`),
    );
    expect(out).toContain('AGREES');
    expect(code).toBe(0);
    expect(err.split('\n')[1]).toBe(`Proxy: http://${proxy.host} (HTTPS_PROXY).`);
    expect(new Set(proxy.asked)).toEqual(new Set([`CONNECT ${new URL(url).host}`]));
    expect(sandbox.seen.map(({ path }) => path)).toContain('/iam/oauth/token');
    expect(JSON.stringify(sandbox.seen)).not.toContain('proxy-authorization');
    expect(await readFile(join(pki, 'j.ndjson'), 'utf8')).not.toContain('proxy-authorization');
  });

  test('init uses the network settings of an existing configuration, and keeps them', async () => {
    const { url } = await bank();
    const proxy = await opened(startCompanyProxy({ credentials: `me:${PROXY_SECRET}` }));
    await writeFile(join(pki, 'banking-api.config.yaml'), TLS + PARTS);
    const env = { ...ENV, OPENS: 'PLANTED-open', ...proxied(proxy, `me:${PROXY_SECRET}@`) };
    const io = fakeIo({ cwd: pki, env });
    expect(await run(['init', '--target', url, '--ci', 'none', '--yes', '--force'], io)).toBe(0);
    expect(io.out()).toContain('AGREES');
    expect(io.err()).toContain(`Proxy: http://${proxy.host} (HTTPS_PROXY).`);
    expect(new Set(proxy.asked)).toEqual(new Set([`CONNECT ${new URL(url).host}`]));
    const written = await readFile(join(pki, 'banking-api.config.yaml'), 'utf8');
    expect(written).toMatch(/^network: \{ ca: ca\.pem, cert: client\.pem/);
    for (const secret of [PROXY_SECRET, 'PLANTED-open']) expect(io.out() + io.err() + written).not.toContain(secret);
    await rm(join(pki, 'banking-api.config.yaml'));
  });

  test('the real verify and record commands use them as well, with PKCS #12 and its passphrase from a file', async () => {
    const { url, sandbox } = await bank();
    const proxy = await opened(startCompanyProxy());
    await writeFile(join(pki, 'pass.txt'), 'PLANTED-open\n');
    const network = `network: { proxy: env:VIA, noProxy: [.elsewhere.test], ca: [other.pem, ca.pem], pfx: client.pfx, passphrase: file:pass.txt }\n`;
    await writeFile(join(pki, 'real.yaml'), network + PARTS);
    for (const argv of [['verify'], ['record', '--samples', '1', '--out', 'r.yaml']]) {
      const before = sandbox.seen.length;
      const child = spawn(
        process.execPath,
        [join(packageRoot, 'bin/banking-api.js'), ...argv, '--target', url, '--config', 'real.yaml'],
        {
          cwd: pki,
          env: { ...ENV, VIA: proxy.host, NO_PROXY: '*', PATH: process.env.PATH },
        },
      );
      let told = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (told += chunk));
      const [code] = await once(child, 'close');
      expect([code, told]).toEqual([0, expect.stringContaining(`Proxy: http://${proxy.host} (VIA).`)]);
      expect(sandbox.seen.length).toBeGreaterThan(before);
    }
  });

  test('the CA and the client certificate also work without a proxy', async () => {
    const { url, sandbox } = await bank();
    const { code } = await command(['verify', '--target', url.replace('bank.test', '127.0.0.1')], TLS);
    expect([code, sandbox.seen.length > 5]).toEqual([0, true]);
  });

  test('the proxy command uses the company proxy, the CA and the client certificate', async () => {
    const { url, sandbox } = await bank();
    const company = await opened(startCompanyProxy());
    await writeFile(join(pki, 'config.yaml'), TLS + PARTS);
    const interruption = new AbortController();
    const env = { ...ENV, OPENS: 'PLANTED-open', https_proxy: `http://${company.host}` };
    const io = fakeIo({ cwd: pki, env, signal: interruption.signal });
    const ended = run(['proxy', '--target', url, '--port', '0', '--config', 'config.yaml'], io);
    await until(() => /listens on (\S+)/.test(io.err()), 15_000);
    expect(io.err()).toContain(`Proxy: http://${company.host} (https_proxy).`);
    const here = /listens on (\S+)/.exec(io.err())?.[1];
    const answers = [await fetch(`${here}/a`), await fetch(`${here}/b`, { method: 'POST', body: 'x' })];
    expect(answers.map(({ status }) => status)).toEqual([401, 403]);
    expect(sandbox.seen.map(({ path }) => path)).toEqual(['/a']);
    interruption.abort('SIGINT');
    expect(await ended).toBe(0);
  });

  test('a plain http target is requested from the proxy by its absolute URL', async () => {
    const sandbox = await opened(startSandbox());
    const proxy = await opened(startCompanyProxy({ credentials: `me:${PROXY_SECRET}` }));
    const { port } = new URL(sandbox.url);
    const config = 'httpAllowedOn: [bank.test]\n';
    const argv = ['verify', '--target', `http://bank.test:${port}`];
    const good = await command(argv, config, { HTTP_PROXY: `me:${PROXY_SECRET}@${proxy.host}` });
    expect(good.code).toBe(0);
    expect(proxy.asked).toContain(`POST http://bank.test:${port}/iam/oauth/token`);
    expect(sandbox.seen[0]?.headers).toMatchObject({ host: `bank.test:${port}` });
    const bad = await command(argv, config, { HTTP_PROXY: proxy.host });
    expect([bad.code, bad.out]).toEqual([4, expect.stringContaining('asks for credentials (407)')]);
  });

  describe('network failures make a run inconclusive and name the setting', () => {
    test.each<[name: string, how: { credentials?: string; refuse?: number }, via: string, said: RegExp]>([
      ['the proxy asks for credentials', { credentials: 'a:b' }, '', /\(HTTPS_PROXY\) asks for credentials \(407\)/],
      [
        'the proxy rejects the credentials',
        { credentials: 'a:b' },
        `me:${PROXY_SECRET}@`,
        /\(HTTPS_PROXY\) does not accept its credentials/,
      ],
      ['the proxy blocks the target', { refuse: 403 }, '', /\(HTTPS_PROXY\) answers 403 to CONNECT bank\.test/],
    ])('%s', async (_, how, via, said) => {
      const { url, sandbox } = await bank();
      const proxy = await opened(startCompanyProxy(how));
      const { code, out } = await command(['verify', '--target', url], TLS, proxied(proxy, via));
      expect(out.replaceAll(/\s+/g, ' ')).toMatch(said);
      expect([code, sandbox.seen]).toEqual([4, []]);
    });

    test('the proxy does not run', async () => {
      const proxy = await startCompanyProxy();
      await proxy[Symbol.asyncDispose]();
      const { code, out } = await command(['verify', '--target', 'https://bank.test'], '', proxied(proxy));
      expect(out.replaceAll(/\s+/g, ' ')).toContain(
        `there is no connection to the proxy http://${proxy.host} (HTTPS_PROXY) (ECONNREFUSED)`,
      );
      expect(code).toBe(4);
    });

    test.each<[name: string, network: string, options: () => TlsOptions, said: RegExp]>([
      ['no setting trusts the CA', '', () => ({ requestCert: false }), /name one under network\.ca/],
      [
        'another CA is trusted',
        'network: { ca: other.pem }\n',
        () => ({ requestCert: false }),
        /no authority in network\.ca/,
      ],
      [
        'the certificate has expired',
        TLS,
        () => ({ key: pem('expired.key'), cert: pem('expired.pem') }),
        /has expired/,
      ],
    ])('%s', async (_, network, options, said) => {
      const { url, sandbox } = await bank(options());
      const proxy = await opened(startCompanyProxy());
      const { code, out } = await command(['verify', '--target', url], network, proxied(proxy));
      expect(out.replaceAll(/\s+/g, ' ')).toMatch(said);
      expect([code, sandbox.seen]).toEqual([4, []]);
    });

    test.each([
      [
        'the client certificate is missing',
        'network: { ca: ca.pem }\n',
        /name one under network\.cert and network\.key/,
      ],
      [
        'the client certificate is rejected',
        `${TLS.replace('ca.pem', 'ca.pem')}`,
        /does not accept the client certificate of network\.cert/,
      ],
    ])('%s', async (_, network, said) => {
      const files = ['-key', 'server.key', '-cert', 'server.pem', '-CAfile', 'other.pem'];
      const server = spawn(
        'openssl',
        ['s_server', '-accept', '127.0.0.1:0', '-Verify', '1', '-verify_return_error', '-www', ...files],
        { cwd: pki },
      );
      open.push({ [Symbol.asyncDispose]: async () => void server.kill() });
      let told = '';
      server.stdout.on('data', (chunk) => (told += chunk));
      await until(() => /ACCEPT \S+:(\d+)/.test(told), 15_000);
      const port = /ACCEPT \S+:(\d+)/.exec(told)?.[1];
      const proxy = await opened(startCompanyProxy());
      const { code, out } = await command(['verify', '--target', `https://bank.test:${port}`], network, proxied(proxy));
      expect(out.replaceAll(/\s+/g, ' ')).toMatch(said);
      expect(code).toBe(4);
    });
  });

  test.each<[network: string, file: string, said: RegExp]>([
    ['{ ca: absent.pem }', 'absent.pem', /does not exist/],
    ['{ ca: client.key }', 'client.key', /no certificate in PEM/],
    ['{ cert: client.pem, key: server.key }', 'server.key', /not a key in PEM for client\.pem: key values mismatch/],
    ['{ cert: client.pem, key: locked.key }', 'locked.key', /If a passphrase locks it/],
    ['{ cert: client.pem, key: locked.key, passphrase: env:WRONG }', 'locked.key', /Check network\.passphrase/],
    ['{ pfx: client.pfx, passphrase: env:WRONG }', 'client.pfx', /Check network\.passphrase/],
    ['{ pfx: client.pfx }', 'client.pfx', /If a passphrase locks it/],
    ['{ pfx: ca.pem }', 'ca.pem', /not PKCS #12/],
    ['{ cert: client.pem }', 'config.yaml:1:', /property key when property cert is present/],
    ['{ passphrase: env:OPENS }', 'config.yaml:1:', /required property 'key'/],
    ['{ pfx: client.pfx, passphrase: env:UNSET }', 'config.yaml:1:', /UNSET is not set/],
    ['{ pfx: client.pfx, passphrase: PLANTED-open }', 'config.yaml:1:', /Credentials do not belong/],
    ['{ proxy: "http://me:PLANTED-proxy-pass@proxy.test" }', 'config.yaml:1:', /Credentials do not belong/],
    ['{ proxy: "socks5://proxy.test" }', 'config.yaml:1:', /socks5:\/\/ are not supported/],
    ['{ proxi: a }', 'config.yaml:1:', /Did you mean .*proxy/],
  ])('network: %s exits with 2 and names the file', async (network, file, said) => {
    const { code, err } = await command(['verify', '--target', 'https://bank.test'], `network: ${network}\n`, {
      WRONG: 'wrong',
    });
    expect(err).toMatch(said);
    expect([code, err]).toEqual([2, expect.stringContaining(join(pki, file))]);
  });
});

describe('without a proxy', () => {
  test('a target on this machine is called directly, and the run prints this', async () => {
    const { url, seen } = await opened(startSandbox());
    const proxy = await opened(startCompanyProxy());
    const cwd = await temporaryFolder();
    const { code, err } = await command(['verify', '--target', url], '', { HTTP_PROXY: proxy.host }, cwd);
    expect(err.split('\n')[1]).toBe(
      `Proxy: none for ${new URL(url).host}: 127.0.0.1 is this machine; HTTP_PROXY is not used.`,
    );
    expect([code, proxy.asked, seen.length > 0]).toEqual([0, [], true]);
  });

  test('an unusable proxy exits with 2 and names its variable without its value', async () => {
    const cwd = await temporaryFolder();
    const argv = ['verify', '--target', 'https://bank.test'];
    const { code, err } = await command(argv, '', { HTTPS_PROXY: `socks5://me:${PROXY_SECRET}@proxy.test` }, cwd);
    expect([code, err]).toEqual([2, expect.stringContaining('HTTPS_PROXY: Proxies of socks5:// are not supported')]);
  });
});
