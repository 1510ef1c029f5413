import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, type Server } from 'node:http';
import { createServer as createHttpsServer, type ServerOptions } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTokenProvider, withToken } from '../../src/client/client.ts';
import { createNodeFetch } from '../../src/client/node/node.ts';
import { ApiServer } from './api-server.ts';
import { tokenError } from './support.ts';

/** A private CA with a certificate of a server and one of a client, made for this run. */
function createPki(folder: string): (name: string) => Buffer {
  const openssl = (...args: string[]): void => void execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const leaf = (name: string, subject: string, extension: string): void => {
    openssl('req', '-newkey', 'rsa:2048', '-nodes', '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', subject);
    writeFileSync(join(folder, `${name}.ext`), extension);
    openssl(
      'x509',
      '-req',
      '-in',
      `${name}.csr`,
      '-CA',
      'ca.pem',
      '-CAkey',
      'ca.key',
      '-CAcreateserial',
      '-days',
      '2',
      '-out',
      `${name}.pem`,
      '-extfile',
      `${name}.ext`,
    );
  };
  openssl(
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
    '-subj',
    '/CN=test CA',
    '-days',
    '2',
  );
  leaf('server', '/CN=bank', 'subjectAltName=DNS:localhost,IP:127.0.0.1');
  leaf('client', '/CN=a tenant', 'extendedKeyUsage=clientAuth');
  openssl(
    'pkcs12',
    '-export',
    '-out',
    'client.pfx',
    '-inkey',
    'client.key',
    '-in',
    'client.pem',
    '-passout',
    'pass:open',
  );
  return (name) => readFileSync(join(folder, name));
}

let folder: string;
let pki: (name: string) => Buffer;
const servers: Server[] = [];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pki-'));
  pki = createPki(folder);
});
afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  rmSync(folder, { recursive: true });
});

async function listen(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** A bank over TLS: a token endpoint, and an operation that says who called. */
async function bank(options: ServerOptions = {}): Promise<string> {
  const server = createHttpsServer(
    { key: pki('server.key'), cert: pki('server.pem'), ...options },
    (request, response) => {
      if (request.url === '/iam/oauth/token') {
        response.setHeader('content-type', 'application/json');
        response.end('{"access_token":"t","token_type":"bearer","expires_in":60}');
        return;
      }
      const { CN } = (request.socket as TLSSocket).getPeerCertificate().subject ?? {};
      response.end(`${request.headers.authorization}, ${CN ?? 'nobody'}`);
    },
  );
  return `https://localhost:${await listen(server as unknown as Server)}`;
}

/** An HTTP proxy that counts its tunnels; with credentials where it asks for them. */
async function proxy(credentials?: string): Promise<{ url: string; tunnels: string[] }> {
  const tunnels: string[] = [];
  const server = createHttpServer((_, response) => void response.writeHead(405).end());
  server.on('connect', (request, socket: Socket, head) => {
    const wanted = credentials && `Basic ${Buffer.from(credentials).toString('base64')}`;
    if (wanted !== undefined && request.headers['proxy-authorization'] !== wanted) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n');
      return;
    }
    tunnels.push(String(request.url));
    const [, port] = String(request.url).split(':');
    const upstream = connect(Number(port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      upstream.write(head);
      upstream.pipe(socket).pipe(upstream);
    });
    for (const end of [socket, upstream]) end.on('error', () => end.destroy());
    servers.push({ closeAllConnections: () => upstream.destroy(), close: () => socket.destroy() } as unknown as Server);
  });
  return { url: `http://${credentials ? `${credentials}@` : ''}127.0.0.1:${await listen(server)}`, tunnels };
}

const asked = async (baseUrl: string, options: Parameters<typeof createNodeFetch>[0]): Promise<string> => {
  await using network = createNodeFetch(options);
  const provider = createTokenProvider({ baseUrl, username: 'u', password: 'p', retries: 0, fetch: network.fetch });
  const response = await withToken(network.fetch, provider)(`${baseUrl}/who`);
  return response.text();
};

describe('a private CA', () => {
  it('is trusted where it is given, and nowhere else', async () => {
    const url = await bank();
    expect(await asked(url, { ca: pki('ca.pem') })).toBe('Bearer t, nobody');
    const error = await tokenError(asked(url, {}));
    expect(error).toMatchObject({ code: 'unreachable', retryable: false });
  });
});

describe('a client certificate', () => {
  it('is shown: as PEM, and as PKCS #12', async () => {
    const url = await bank({ requestCert: true, rejectUnauthorized: true, ca: pki('ca.pem') });
    const ca = pki('ca.pem');
    expect(await asked(url, { ca, cert: pki('client.pem'), key: pki('client.key') })).toBe('Bearer t, a tenant');
    expect(await asked(url, { ca, pfx: pki('client.pfx'), passphrase: 'open' })).toBe('Bearer t, a tenant');
    await expect(asked(url, { ca })).rejects.toMatchObject({ code: 'unreachable' });
  });
});

describe('a proxy', () => {
  it('is gone by, with its credentials, to a bank with a private CA and client certificates', async () => {
    const url = await bank({ requestCert: true, rejectUnauthorized: true, ca: pki('ca.pem') });
    const { url: through, tunnels } = await proxy('me:secret');
    const network = { ca: pki('ca.pem'), cert: pki('client.pem'), key: pki('client.key'), proxy: through };
    expect(await asked(url, network)).toBe('Bearer t, a tenant');
    expect(new Set(tunnels)).toEqual(new Set([new URL(url).host]));
    await expect(asked(url, { ...network, proxy: through.replace('secret', 'wrong') })).rejects.toMatchObject({
      code: 'unreachable',
      message: 'The token endpoint could not be reached (PROXY_407)',
      retryable: false,
    });
    await using refused = createNodeFetch({ ...network, proxy: through.replace('secret', 'wrong') });
    await expect(refused.fetch(url, {})).rejects.toThrow('the proxy does not accept its credentials (407)');
  });

  it('is left out for the hosts of noProxy, and the environment does not count', async () => {
    const url = await bank();
    const { url: through, tunnels } = await proxy();
    const before = process.env.HTTPS_PROXY;
    process.env.HTTPS_PROXY = 'http://127.0.0.1:9';
    try {
      expect(await asked(url, { ca: pki('ca.pem'), proxy: through, noProxy: 'localhost' })).toBe('Bearer t, nobody');
      expect(await asked(url, { ca: pki('ca.pem') })).toBe('Bearer t, nobody');
    } finally {
      if (before === undefined) delete process.env.HTTPS_PROXY;
      else process.env.HTTPS_PROXY = before;
    }
    expect(tunnels).toEqual([]);
  });
});

describe('as a fetch', () => {
  it('sends every body that fetch takes', async () => {
    const server = await new ApiServer().listen();
    await using network = createNodeFetch();
    const provider = createTokenProvider({ baseUrl: server.url, username: 'u', password: 'p', fetch: network.fetch });
    const api = withToken(network.fetch, provider);
    const form = new FormData();
    form.set('a', 'b');
    const bodies = [
      'text',
      new TextEncoder().encode('bytes'),
      new URLSearchParams({ c: 'd' }),
      new Blob(['blob']),
      form,
    ];
    for (const body of bodies) expect((await api(`${server.url}/x`, { method: 'POST', body })).status).toBe(200);
    const [text, bytes, params, blob, parts] = server.seen;
    expect([text?.body, bytes?.body, params?.body, blob?.body]).toEqual(['text', 'bytes', 'c=d', 'blob']);
    expect(parts?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(parts?.body).toContain('name="a"');
    await server.close();
  });
});
