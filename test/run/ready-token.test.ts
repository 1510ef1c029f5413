import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { documentFolder } from '../../src/contract/document-folder.ts';
import { reasonText } from '../../src/model/reason.ts';
import { variablesOf } from '../../src/model/variables.ts';
import type { VerifyOptions } from '../../src/run/options.ts';
import { openSession } from '../../src/run/session.ts';
import { openTarget } from '../../src/run/target.ts';
import { fakeIo } from '../cli/io.ts';
import { serveOnLoopback } from '../support/loopback.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const READY = 'ready.token_of-the~night';
const CREDENTIALS = { username: 'keeper', password: 'long-password' };

const BEARER = 'components: { securitySchemes: { t: { type: http, scheme: bearer } } }';
const flow = (url: string): string =>
  `components: { securitySchemes: { t: { type: oauth2, flows: { clientCredentials: { tokenUrl: ${url}, scopes: {} } } } } }`;

async function documentWith(schemes: string): Promise<string> {
  const file = join(await temporaryFolder(), 'birds.yaml');
  const birds = '  /birds: { get: { operationId: listBirds, responses: { "200": { description: good } } } }';
  await writeFile(
    file,
    `openapi: 3.1.1\ninfo: { title: Birds, version: "1" }\nsecurity: [{ t: [] }]\n${schemes}\npaths:\n${birds}\n`,
  );
  return file;
}

/** Reads the birds. Returns the authorization of each request, and what the session says. */
async function read(schemes: string, options: VerifyOptions) {
  const seen: string[] = [];
  await using server = await serveOnLoopback(({ method, path, headers }, response) => {
    seen.push(`${method} ${path} ${headers.authorization ?? ''}`);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ access_token: 'issued', token_type: 'bearer', expires_in: 60 }));
    return true;
  });
  const given = { folder: documentFolder(await documentWith(schemes)), target: server.url, ...options };
  await using target = await openTarget(given);
  await using session = await openSession(target, given);
  const operation = target.contract.operation('listBirds');
  const { nothing, sentTo, redact } = session;
  if (nothing === null && operation?.path) {
    const call = {
      operationId: 'listBirds',
      effect: 'read',
      purpose: 'succeed',
      method: 'GET',
      target: '/birds',
    } as const;
    const auth = operation.auth === 'bearer' ? 'token' : 'none';
    await session.makeCall({ ...call, checkId: null, auth, headers: [], body: null, parameters: {} });
  }
  return { seen, nothing: nothing && reasonText(nothing), sentTo, redact, host: target.host };
}

test('a contract that issues no tokens gets the ready token, and not the password', async () => {
  const { seen, sentTo, host, redact } = await read(BEARER, { token: READY, credentials: CREDENTIALS });
  expect(seen).toEqual([`GET /birds Bearer ${READY}`]);
  expect(sentTo).toEqual({ credentials: [], token: [host] });
  expect(redact(`it is ${READY}`)).not.toContain(READY);
});

test('credentials get a token from the token endpoint, and the ready token is not sent', async () => {
  const { seen, sentTo, host, redact } = await read(flow('/token'), { token: READY, credentials: CREDENTIALS });
  expect(seen).toEqual([expect.stringMatching(/^POST \/token Basic /), 'GET /birds Bearer issued']);
  expect(sentTo).toEqual({ credentials: [host], token: [] });
  expect(redact(`it is ${READY}`)).not.toContain(READY);
});

test('without credentials, the ready token replaces the token endpoint', async () => {
  const { seen, sentTo, host } = await read(flow('/token'), { token: READY });
  expect(seen).toEqual([`GET /birds Bearer ${READY}`]);
  expect(sentTo).toEqual({ credentials: [], token: [host] });
});

test('the ready token replaces a token endpoint on another host, which gets nothing', async () => {
  await using other = await serveOnLoopback(() => {
    throw new Error('the other host got a request');
  });
  const schemes = flow(`${other.url.replace('127.0.0.1', 'localhost')}/token`);
  const { seen } = await read(schemes, { token: READY, credentials: CREDENTIALS });
  expect(seen).toEqual([`GET /birds Bearer ${READY}`]);
  await expect(read(schemes, { credentials: CREDENTIALS })).rejects.toThrow(/on another host/);
});

test.each([
  [BEARER, 'no credentials: set ACME_TOKEN'],
  [flow('/token'), 'no credentials: set ACME_USERNAME and ACME_PASSWORD'],
])(
  'without a token and credentials nothing is sent, and the reason names the variables: %j',
  async (schemes, reason) => {
    const { seen, nothing } = await read(schemes, { variables: variablesOf('ACME') });
    expect([seen, nothing]).toEqual([[], reason]);
  },
);

test.each([
  [
    BEARER,
    'Ignored, because the contract needs no such value: ACME_USERNAME, ACME_PASSWORD. Sent to bank.example: ACME_TOKEN, TENANT.',
  ],
  [
    flow('/token'),
    'Sent to bank.example: ACME_USERNAME, ACME_PASSWORD, TENANT. Ignored, because the contract needs no such value: ACME_TOKEN.',
  ],
])('the first line names the variables and the host that gets their values: %j', async (schemes, told) => {
  const spec = await documentWith(schemes);
  const cwd = await temporaryFolder();
  await writeFile(join(cwd, 'banking-api.config.yaml'), 'environment: ACME\nheaders: { X-Tenant: env:TENANT }\n');
  const env = {
    ...{ ACME_BASE_URL: 'https://bank.example', ACME_USERNAME: 'keeper', ACME_PASSWORD: 'long-password' },
    ...{ ACME_TOKEN: READY, TENANT: 'tenant-of-the-night' },
  };
  const io = fakeIo({ cwd, env });
  expect(await run(['verify', '--plan', '--spec', spec], io)).toBe(0);
  const [first] = io.err().split('\n');
  expect(first).toBe(`Target: https://bank.example (from ACME_BASE_URL); only reads are sent. ${told}`);
  expect(io.err() + io.out()).not.toMatch(/long-password|ready\.token|of-the-night/);
});

test('no token goes to a remote target over http, although its token endpoint has https', async () => {
  const elsewhere = { target: 'http://birds.example', tokenAllowedOn: ['issuer.example'] };
  for (const given of [{ token: READY }, { credentials: CREDENTIALS }])
    await expect(read(flow('https://issuer.example/token'), { ...elsewhere, ...given })).rejects.toMatchObject({
      code: 'config',
      message: expect.stringContaining('http://birds.example'),
      hint: expect.stringContaining('httpAllowedOn'),
    });
});

async function verifying(command: string, schemes: string, env: Record<string, string>, status: number) {
  await using server = await serveOnLoopback((_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end('{"birds":7}');
    return true;
  });
  const cwd = await temporaryFolder();
  await writeFile(join(cwd, 'banking-api.config.yaml'), 'environment: ACME\n');
  const io = fakeIo({ cwd, env });
  const spec = await documentWith(schemes);
  const code = await run([command, '--spec', spec, '--target', server.url, '--out', join(cwd, 'r.yaml')], io);
  return { code, text: `${io.out()}${io.err()}`.replaceAll(/\s+/g, ' ') };
}

test('record explains a 401 to a ready token by the name of its variable', async () => {
  const { code, text } = await verifying('record', BEARER, { ACME_TOKEN: READY }, 401);
  expect(code).toBe(4);
  expect(text).toContain('does not accept the token in ACME_TOKEN: it may have expired, and a run cannot renew it');
  expect(text).not.toContain(READY);
});
