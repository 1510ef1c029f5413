import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { connect, type IncomingHttpHeaders, type IncomingHttpStatusHeader } from 'node:http2';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { build, createLogger, createServer, type InlineConfig } from 'vite';
import { describe, expect, test, vi } from 'vitest';
import { readContractFolder } from '../../../src/contract/read-folder.ts';
import { type BankingMockOptions, bankingMock } from '../../../src/mock/vite/plugin.ts';
import { packageRoot } from '../../../src/package-root.ts';
import { describeWith } from '../../support/needs.ts';
import { makePki } from '../../support/pki.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const root = await temporaryFolder();
await writeFile(
  join(root, 'index.html'),
  '<!doctype html><title>App</title><script type="module" src="/app.js"></script>',
);
await writeFile(
  join(root, 'app.js'),
  "fetch('/wallet/api/customers/c/accounts').then(({ status }) => console.log(status));",
);

const ACCOUNTS = '/wallet/api/customers/c/accounts';
const PAGE = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' };

function project(options?: BankingMockOptions, more: InlineConfig = {}): InlineConfig {
  return { root, configFile: false, logLevel: 'silent', plugins: [bankingMock(options)], ...more };
}

interface Dev extends AsyncDisposable {
  readonly url: string;
  readonly told: readonly string[];
  ask(
    path: string,
    headers?: Record<string, string>,
    method?: string,
    sent?: string,
  ): Promise<{ answer: IncomingMessage; body: string }>;
}

async function develop(options?: BankingMockOptions, more: InlineConfig['server'] = {}): Promise<Dev> {
  const told: string[] = [];
  const tell = (line: string): void => void told.push(line);
  const customLogger = { ...createLogger('silent'), info: tell, error: tell };
  const server = await createServer(
    project(options, { customLogger, server: { port: 0, host: '127.0.0.1', ...more } }),
  );
  await server.listen();
  const url = server.resolvedUrls?.local[0]?.replace(/\/$/, '') ?? '';
  return {
    url,
    told,
    async ask(path, headers = {}, method = 'GET', sent = '') {
      const answer = await new Promise<IncomingMessage>((resolve, reject) => {
        request(url, { path, method, headers, agent: false }).on('response', resolve).on('error', reject).end(sent);
      });
      return { answer, body: await text(answer) };
    },
    [Symbol.asyncDispose]: () => server.close(),
  };
}
const statusOf = async (dev: Dev, ...asked: Parameters<Dev['ask']>): Promise<number | undefined> =>
  (await dev.ask(...asked)).answer.statusCode;

describe('bankingMock()', () => {
  test('the dev server answers the paths of the contract by the mock, and shows its page', async () => {
    await using dev = await develop();
    const { answer, body } = await dev.ask(ACCOUNTS);
    expect(answer.statusCode).toBe(401);
    expect(answer.headers['x-mock-provenance']).toBe('assumed');
    expect(JSON.parse(body)).toMatchObject({ status: 401, instance: '/__mock/#/exchange/1' });
    expect(await statusOf(dev, '/wallet/api/nothing')).toBe(404);
    expect((await dev.ask('/__mock/health')).body).toContain('"status":"ok"');
    expect((await dev.ask('/')).body).toContain('<title>App</title>');
    await vi.waitFor(() =>
      expect(dev.told.join()).toContain('Mock of the API: /iam, /billing, /wallet; its page: /__mock/'),
    );
  });

  test('a navigation to a path of the API is for the application', async () => {
    await using dev = await develop();
    const { body } = await dev.ask('/wallet/cards', { 'sec-fetch-mode': 'navigate', accept: 'text/html' });
    expect(body).toContain('<title>App</title>');
  });

  test('below a base, only its paths are for the mock', async () => {
    await using dev = await develop({ base: '/api', anyToken: true });
    const headers = { authorization: 'Bearer any' };
    expect(await statusOf(dev, `/api${ACCOUNTS}?x=/api`, headers)).toBe(200);
    expect((await dev.ask(ACCOUNTS, { accept: 'text/html' })).body).toContain('<title>App</title>');
    expect(() => bankingMock({ base: 'api' })).toThrow('base must be a path like "/api", not "api".');
  });

  test('a token is added only if the options ask for it', async () => {
    await using without = await develop();
    expect(await statusOf(without, ACCOUNTS, PAGE)).toBe(401);
    await using dev = await develop({ token: true });
    const { answer, body } = await dev.ask(ACCOUNTS, PAGE);
    expect(answer.statusCode).toBe(200);
    expect(JSON.stringify(answer.rawHeaders) + body).not.toContain('Bearer');
    expect(await statusOf(dev, ACCOUNTS, { ...PAGE, origin: dev.url })).toBe(200);
  });

  test.each<[who: string, headers: Record<string, string>]>([
    ['a page of another site', { ...PAGE, 'sec-fetch-site': 'cross-site' }],
    ['a page of another port', { ...PAGE, 'sec-fetch-site': 'same-site' }],
    ['a page of another origin', { ...PAGE, origin: 'http://evil.example' }],
    ['a script', {}],
    ['a page behind a tunnel', { ...PAGE, 'x-forwarded-for': '203.0.113.7' }],
    ['a page that sends its own token', { ...PAGE, authorization: 'Bearer mine' }],
  ])('M18: %s gets no token', async (_, headers) => {
    await using dev = await develop({ token: true });
    expect(await statusOf(dev, ACCOUNTS, headers)).toBe(401);
  });

  test('the application sees one 401 after its token was revoked, and works again', async () => {
    await using dev = await develop({ token: true });
    expect(await statusOf(dev, ACCOUNTS, PAGE)).toBe(200);
    expect(await statusOf(dev, '/__mock/tokens/revoke', { 'content-type': 'application/json' }, 'POST')).toBe(204);
    expect([await statusOf(dev, ACCOUNTS, PAGE), await statusOf(dev, ACCOUNTS, PAGE)]).toEqual([401, 200]);
  });

  test('a token that has expired is replaced before the request', async () => {
    let now = Date.now();
    await using dev = await develop({ token: true, tokenLifetime: 60, clock: () => now });
    expect(await statusOf(dev, ACCOUNTS, PAGE)).toBe(200);
    now += 61_000;
    expect(await statusOf(dev, ACCOUNTS, PAGE)).toBe(200);
  });

  test('the page of the mock is refused to other machines', async () => {
    await using dev = await develop();
    expect(await statusOf(dev, '/__mock/', { 'x-forwarded-for': '203.0.113.7' })).toBe(403);
  });

  test('a connection that a scenario ends ends in the browser, too', async () => {
    await using dev = await develop({ token: true, scenarios: ['connection-reset'] });
    await expect(dev.ask(ACCOUNTS, PAGE)).rejects.toThrow(/hang up|ECONNRESET/);
  });

  test('the paths and tokens of another contract work alike', async () => {
    const folder = await readContractFolder(join(packageRoot, 'examples/second-api'));
    await using dev = await develop({ token: true, folder });
    expect(await statusOf(dev, '/v2/lofts', { ...PAGE, 'x-post-office': 'gotland' })).toBe(200);
    const headers = { ...PAGE, 'content-type': 'application/x-www-form-urlencoded' };
    const form = 'grant_type=client_credentials&client_id=sandbox&client_secret=sandbox-secret';
    expect(await statusOf(dev, '/oauth2/token', headers, 'POST', form)).toBe(200);
  });

  test('an invalid option is logged, and requests show it', async () => {
    await using dev = await develop({ scenarios: ['no-such-scenario'] });
    await vi.waitFor(() => expect(dev.told.join()).toContain('The mock does not start: There is no scenario'));
    expect(await statusOf(dev, ACCOUNTS)).toBe(500);
  });

  test('M18: a build is the same with and without the plugin', async () => {
    const outputs: string[][] = [];
    for (const plugins of [[], [bankingMock({ token: true })]]) {
      const outDir = join(root, `dist-${plugins.length}`);
      await build({ ...project(), plugins, build: { outDir } });
      const files = await readdir(outDir, { recursive: true, withFileTypes: true });
      const paths = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
      outputs.push(await Promise.all(paths.toSorted().map((path) => readFile(path, 'utf8'))));
    }
    expect(outputs[0]).toHaveLength(2);
    expect(outputs[1]).toEqual(outputs[0]);
  });

  test('no mock starts until someone asks a server that does not listen, as in vitest', async () => {
    const started = vi.fn(() => Date.now());
    const config = project({ clock: started }, { server: { middlewareMode: true } });
    const server = await createServer(config);
    await server.close();
    expect(started).not.toHaveBeenCalled();
  });

  test('the mock ends with the dev server', async () => {
    const dev = await develop();
    await vi.waitFor(() => expect(dev.told.join()).toContain('itself at'));
    const [, mock = ''] = /itself at (http:[^)]+)/.exec(dev.told.join()) ?? [];
    expect((await fetch(`${mock}/__mock/health`)).status).toBe(200);
    await dev[Symbol.asyncDispose]();
    await expect(fetch(`${mock}/__mock/health`)).rejects.toThrow('fetch failed');
  });
});

describeWith('openssl', 'bankingMock() on a dev server with https', () => {
  test('requests by HTTP/2 are answered by the mock, with a token for its own pages', async () => {
    makePki(root);
    const https = { key: await readFile(join(root, 'server.key')), cert: await readFile(join(root, 'server.pem')) };
    await using dev = await develop({ token: true }, { https });
    const ca = await readFile(join(root, 'ca.pem'));
    const session = connect(dev.url, { ca });
    const statusAndBody = async (headers: object): Promise<unknown[]> => {
      const stream = session.request({ ':path': ACCOUNTS, ...headers });
      const [answer] = (await once(stream, 'response')) as [IncomingHttpHeaders & IncomingHttpStatusHeader];
      return [answer[':status'], answer['x-mock-provenance'], Array.isArray(JSON.parse(await text(stream)))];
    };
    expect(await statusAndBody({})).toEqual([401, 'assumed', false]);
    expect(await statusAndBody(PAGE)).toEqual([200, 'assumed', true]);
    session.close();
  });
});
