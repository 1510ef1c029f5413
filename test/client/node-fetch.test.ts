import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type ServerOptions } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTokenProvider, withToken } from '../../src/client/client.ts';
import { createNodeFetch } from '../../src/client/node/node.ts';
import { startCompanyProxy } from '../support/company-proxy.ts';
import { type LoopbackServer, listenOnLoopback } from '../support/loopback.ts';
import { makePki } from '../support/pki.ts';
import { ApiServer } from './api-server.ts';
import { tokenError } from './support.ts';

let folder: string;
const pki = (name: string): Buffer => readFileSync(join(folder, name));
const servers: LoopbackServer[] = [];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pki-'));
  makePki(folder);
});
afterAll(async () => {
  for (const server of servers) await server[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

/** A bank over TLS: a token endpoint, and an operation that returns the caller's name. */
async function bank(options: ServerOptions = {}): Promise<string> {
  const server = createServer({ key: pki('server.key'), cert: pki('server.pem'), ...options }, (request, response) => {
    if (request.url === '/iam/oauth/token') {
      response.setHeader('content-type', 'application/json');
      response.end('{"access_token":"t","token_type":"bearer","expires_in":60}');
      return;
    }
    const { CN } = (request.socket as TLSSocket).getPeerCertificate().subject ?? {};
    response.end(`${request.headers.authorization}, ${CN ?? 'nobody'}`);
  });
  const listening = await listenOnLoopback(server);
  servers.push(listening);
  return listening.url.replace('http:', 'https:');
}

const asked = async (baseUrl: string, options: Parameters<typeof createNodeFetch>[0]): Promise<string> => {
  await using network = createNodeFetch(options);
  const provider = createTokenProvider({ baseUrl, username: 'u', password: 'p', retries: 0, fetch: network.fetch });
  const response = await withToken(network.fetch, provider)(`${baseUrl}/who`);
  return response.text();
};

it('a private CA is trusted only by the client that configures it', async () => {
  const url = await bank();
  expect(await asked(url, { ca: pki('ca.pem') })).toBe('Bearer t, nobody');
  const error = await tokenError(asked(url, {}));
  expect(error).toMatchObject({ code: 'unreachable', retryable: false });
});

it('a client certificate is sent, as PEM and as PKCS #12', async () => {
  const url = await bank({ requestCert: true, rejectUnauthorized: true, ca: pki('ca.pem') });
  const ca = pki('ca.pem');
  expect(await asked(url, { ca, cert: pki('client.pem'), key: pki('client.key') })).toBe('Bearer t, client');
  expect(await asked(url, { ca, pfx: pki('client.pfx'), passphrase: 'PLANTED-open' })).toBe('Bearer t, client');
  await expect(asked(url, { ca })).rejects.toMatchObject({ code: 'unreachable' });
});

describe('proxies', () => {
  it('the client uses a proxy, with credentials, to a bank with a private CA and client certificates', async () => {
    const url = await bank({ requestCert: true, rejectUnauthorized: true, ca: pki('ca.pem') });
    await using company = await startCompanyProxy({ credentials: 'me:secret' });
    const through = `http://me:secret@${company.host}`;
    const network = { ca: pki('ca.pem'), cert: pki('client.pem'), key: pki('client.key'), proxy: through };
    expect(await asked(url, network)).toBe('Bearer t, client');
    expect(new Set(company.asked)).toEqual(new Set([`CONNECT ${new URL(url).host}`]));
    await expect(asked(url, { ...network, proxy: through.replace('secret', 'wrong') })).rejects.toMatchObject({
      code: 'unreachable',
      message: 'The token endpoint could not be reached (PROXY_407)',
      retryable: false,
    });
    await using refused = createNodeFetch({ ...network, proxy: through.replace('secret', 'wrong') });
    await expect(refused.fetch(url, {})).rejects.toThrow('the proxy does not accept its credentials (407)');
  });

  it('the hosts of noProxy bypass the proxy, and the environment is ignored', async () => {
    const url = await bank();
    await using company = await startCompanyProxy();
    const through = `http://${company.host}`;
    const before = process.env.HTTPS_PROXY;
    process.env.HTTPS_PROXY = 'http://127.0.0.1:9';
    try {
      expect(await asked(url, { ca: pki('ca.pem'), proxy: through, noProxy: '127.0.0.1' })).toBe('Bearer t, nobody');
      expect(await asked(url, { ca: pki('ca.pem') })).toBe('Bearer t, nobody');
    } finally {
      if (before === undefined) delete process.env.HTTPS_PROXY;
      else process.env.HTTPS_PROXY = before;
    }
    expect(company.asked).toEqual([]);
  });
});

it('the Node fetch sends every body type of fetch', async () => {
  const server = await new ApiServer().listen();
  await using network = createNodeFetch();
  const provider = createTokenProvider({ baseUrl: server.url, username: 'u', password: 'p', fetch: network.fetch });
  const api = withToken(network.fetch, provider);
  const form = new FormData();
  form.set('a', 'b');
  const bodies = ['text', new TextEncoder().encode('bytes'), new URLSearchParams({ c: 'd' }), new Blob(['blob']), form];
  for (const body of bodies) expect((await api(`${server.url}/x`, { method: 'POST', body })).status).toBe(200);
  const [text, bytes, params, blob, parts] = server.seen;
  expect([text?.body, bytes?.body, params?.body, blob?.body]).toEqual(['text', 'bytes', 'c=d', 'blob']);
  expect(parts?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
  expect(parts?.body).toContain('name="a"');
  await server.close();
});
