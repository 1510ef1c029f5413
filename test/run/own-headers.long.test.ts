import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { fakeIo } from '../cli/io.ts';
import { until } from '../proxy/support.ts';
import { serveOnLoopback } from '../support/loopback.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { CARD, CREDENTIALS, json, PARAMETERS, type Sandbox, type Seen, startSandbox } from './sandbox.ts';

const KEY = 'PLANTED-subscription-key-4711';
const SHORT = 'PL4NT';
const ENV = {
  BANKING_API_USERNAME: CREDENTIALS.username,
  BANKING_API_PASSWORD: CREDENTIALS.password,
  KEY,
  SHORT,
};
const CARD_PATH = '/wallet/api/customers/c-1/cards/k-4';
const HEADERS = `headers:
  Ocp-Apim-Subscription-Key: { value: env:KEY, token: true }
  X-Tenant: acme
  X-Branch: env:SHORT
  X-Correlation-Id: uuid
`;

const open: AsyncDisposable[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each[Symbol.asyncDispose]();
});

/** A sandbox that requires the key and returns it in every answer. */
async function demanding(): Promise<{ sandbox: Sandbox; cwd: string }> {
  const sandbox = await startSandbox({
    bodies: { [`GET ${CARD_PATH}`]: { ...CARD, cardLimitDaily: `of ${KEY}`, branch: SHORT } },
    fault: ({ headers }, response) => {
      response.setHeader('x-echo', `${headers['ocp-apim-subscription-key']} ${headers['x-branch']}`);
      if (headers['ocp-apim-subscription-key'] === KEY) return false;
      return json(response, 403, { error: 'no key' });
    },
  });
  open.push(sandbox);
  const cwd = await temporaryFolder();
  const parameters = `parameters: ${JSON.stringify(PARAMETERS)}\n`;
  await writeFile(join(cwd, 'banking-api.config.yaml'), HEADERS + parameters);
  return { sandbox, cwd };
}

const isToken = ({ path }: Seen): boolean => path === '/iam/oauth/token';

function expectHeaders(seen: readonly Seen[]): void {
  for (const each of seen) {
    expect(each.headers['ocp-apim-subscription-key']).toBe(KEY);
    const others = ['x-tenant', 'x-branch', 'x-correlation-id'].map((name) => each.headers[name]);
    if (isToken(each)) expect(others).toEqual([undefined, undefined, undefined]);
    else expect(others).toEqual(['acme', SHORT, expect.stringMatching(/^[0-9a-f-]{36}$/)]);
  }
}

test('verify sends custom headers to the target, only configured ones to the token endpoint, and shows no secret', async () => {
  const { sandbox, cwd } = await demanding();
  const io = fakeIo({ cwd, env: ENV });
  const formats = ['json', 'html', 'sarif', 'junit', 'markdown'].map((format) => `--report=${format}=out.${format}`);
  const code = await run(['verify', '--target', sandbox.url, '--journal', 'j.ndjson', ...formats, '--report=text'], io);
  expect(code).toBe(1);
  expect(sandbox.seen.filter(isToken)).not.toEqual([]);
  expectHeaders(sandbox.seen);
  const api = sandbox.seen.filter((each) => !isToken(each));
  expect(new Set(api.map(({ headers }) => headers['x-correlation-id'])).size).toBe(api.length);

  const report = await readFile(join(cwd, 'out.json'), 'utf8');
  const journal = await readFile(join(cwd, 'j.ndjson'), 'utf8');
  const files = await Promise.all(
    ['html', 'sarif', 'junit', 'markdown'].map((each) => readFile(join(cwd, `out.${each}`), 'utf8')),
  );
  expect(report).toContain('cardLimitDaily');
  expect(journal).toContain('"ocp-apim-subscription-key"');
  for (const text of [report, journal, ...files, io.out(), io.err()]) {
    expect(text).not.toContain(KEY);
    expect(text.replaceAll(/PLANTED[^K]/g, '')).not.toContain(Buffer.from(KEY).toString('base64'));
  }
  // too short to be found by value: its name identifies it
  const sent = journal
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line).request.headers);
  expect(JSON.stringify(sent)).not.toContain(SHORT);
  expect(JSON.stringify(sent)).toContain('acme');
});

test('record sends custom headers', async () => {
  const { sandbox, cwd } = await demanding();
  const io = fakeIo({ cwd, env: ENV });
  expect(await run(['record', '--target', sandbox.url, '--samples', '1', '--out', 'r.yaml'], io)).toBe(0);
  expectHeaders(sandbox.seen);
  expect((await readFile(join(cwd, 'r.yaml'), 'utf8')) + io.out() + io.err()).not.toContain(KEY);
});

test('proxy adds the custom headers that its caller does not send', async () => {
  const { sandbox, cwd } = await demanding();
  const interruption = new AbortController();
  const io = fakeIo({ cwd, env: ENV, signal: interruption.signal });
  const ended = run(['proxy', '--target', sandbox.url, '--port', '0', '--journal', 'j.ndjson'], io);
  await until(() => /listens on (\S+)/.test(io.err()), 15_000);
  const url = /listens on (\S+)/.exec(io.err())?.[1];
  const basic = Buffer.from(`${CREDENTIALS.username}:${CREDENTIALS.password}`).toString('base64');
  const issued = await fetch(`${url}/iam/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
    body: 'grant_type=client_credentials',
  });
  const { access_token } = (await issued.json()) as { access_token: string };
  const authorization = `Bearer ${access_token}`;
  expect((await fetch(`${url}${CARD_PATH}`, { headers: { authorization } })).status).toBe(200);
  expectHeaders(sandbox.seen);
  await fetch(`${url}${CARD_PATH}`, { headers: { authorization, 'x-tenant': 'other' } });
  expect(sandbox.seen.at(-1)?.headers['x-tenant']).toBe('other');
  interruption.abort('SIGINT');
  expect(await ended).toBe(0);
  expect((await readFile(join(cwd, 'j.ndjson'), 'utf8')) + io.out() + io.err()).not.toContain(KEY);
});

test('a redirect to another origin is not followed and gets no custom header', async () => {
  const { sandbox, cwd } = await demanding();
  let others = 0;
  const elsewhere = await serveOnLoopback((_, response) => {
    others += 1;
    response.end('{}');
  });
  open.push(elsewhere);
  const redirecting = await startSandbox({
    fault: ({ path }, response) => {
      if (path === '/iam/oauth/token') return false;
      response.writeHead(307, { location: `${elsewhere.url}${path}` }).end();
      return true;
    },
  });
  open.push(redirecting);
  await run(['verify', '--target', redirecting.url], fakeIo({ cwd, env: ENV }));
  expectHeaders(redirecting.seen);
  expect([redirecting.seen.length > 3, others, sandbox.seen.length]).toEqual([true, 0, 0]);
});

test('an unset variable exits with 2 and its name, before anything is sent', async () => {
  const { sandbox, cwd } = await demanding();
  const io = fakeIo({ cwd, env: { ...ENV, KEY: '' } });
  expect(await run(['verify', '--target', sandbox.url], io)).toBe(2);
  expect(io.err()).toMatch(/config\.yaml:2:30 .*: The environment variable KEY is not set\./);
  expect(sandbox.seen).toEqual([]);
});
