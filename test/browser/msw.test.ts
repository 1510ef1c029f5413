import { createHash, createHmac, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleForBrowsers } from '../../scripts/browser/bundle.ts';
import * as browser from '../../scripts/browser/crypto.ts';
import { packageRoot } from '../../src/package-root.ts';
import { launch } from '../support/chromium.ts';
import type { LoopbackServer } from '../support/loopback.ts';
import { describeWith } from '../support/needs.ts';
import { serveFiles } from '../support/serve-files.ts';
import type { Tools } from './msw-page.ts';

const SERVICE_WORKER = join(packageRoot, 'node_modules/msw/lib/mockServiceWorker.js');
const CARD = '/wallet/api/customers/cust-1001/cards/card-4001';

describeWith('chromium', 'the handlers for MSW in a real browser, by its service worker', () => {
  let folder: string;
  let server: LoopbackServer;
  let browser: Browser;
  let page: Page;
  const asked: string[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'msw-page-'));
    await bundleForBrowsers(join(folder, 'msw.js'), join(import.meta.dirname, 'msw-page.ts'));
    const html = '<!doctype html><title>a page</title><script type="module" src="/msw.js"></script>';
    server = await serveFiles({ '/': html }, (path) => {
      asked.push(path);
      return path === '/mockServiceWorker.js' ? SERVICE_WORKER : join(folder, basename(path));
    });
    browser = await launch();
    page = await browser.newPage();
    await page.goto(server.url);
    await page.evaluate(async () => {
      const { page } = globalThis as unknown as { page: Tools };
      const { setupWorker, handlers } = page;
      // the bank is configured on another host, and below the page itself
      const worker = setupWorker(
        ...handlers({ baseUrl: 'https://sandbox.bank.example/gateway', tokenLifetime: 60 }),
        ...handlers({ baseUrl: `${page.origin}/api`, anyToken: true, passUnknown: true }),
      );
      await worker.start({ quiet: true });
    });
  });

  afterAll(async () => {
    await browser?.close();
    await server?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  test('the handlers answer with the mock: a token is issued and accepted, and a foreign one is rejected', async () => {
    const seen = await page.evaluate(async (path) => {
      const base = 'https://sandbox.bank.example/gateway';
      const token = await fetch(`${base}/iam/oauth/token`, {
        method: 'POST',
        headers: {
          authorization: `Basic ${btoa('sandbox:sandbox-secret')}`,
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: 'grant_type=client_credentials',
      });
      const { access_token: value, ...rest } = (await token.json()) as Record<string, string>;
      const headers = { authorization: `Bearer ${value}` };
      const card = await fetch(base + path, { headers });
      const foreign = await fetch(base + path, { headers: { authorization: `Bearer ${value}x` } });
      const json = { ...headers, 'content-type': 'application/json' };
      const cards = `${base}/wallet/api/customers/cust-1001/cards`;
      const refused = await fetch(cards, {
        method: 'POST',
        headers: json,
        body: JSON.stringify({ currency: 'GBP', cardLimitDaily: 100_001 }),
      });
      const broken = await fetch(cards, { method: 'POST', headers: json, body: '{"a":1,"a":2}' });
      return {
        token: [token.status, rest.token_type, rest.expires_in, value?.split('.').length],
        card: [card.status, card.headers.get('x-mock-provenance'), ((await card.json()) as { cardId: string }).cardId],
        foreign: [foreign.status, foreign.headers.get('www-authenticate')],
        refused: [refused.status, refused.headers.get('content-type')],
        broken: [broken.status, ((await broken.json()) as { position: object }).position],
      };
    }, CARD);
    expect(seen.token).toEqual([200, 'bearer', expect.any(Number), 3]);
    expect(seen.card).toEqual([200, 'assumed', 'card-4001']);
    expect(seen.foreign).toEqual([401, expect.stringContaining('invalid_token')]);
    expect(seen.refused).toEqual([422, 'application/problem+json']);
    expect(seen.broken).toEqual([400, { line: 1, column: 8, offset: 7 }]);
  });

  test('the handlers play the packaged scenarios, which are part of the bundle', async () => {
    const statuses = await page.evaluate(async (path) => {
      const ask = async (scenario: string): Promise<number | string> => {
        const headers = { authorization: 'Bearer any', 'x-mock-scenario': scenario };
        return fetch(`/api${path}`, { headers }).then(
          ({ status }) => status,
          ({ name }: Error) => name,
        );
      };
      return [await ask('unauthorized-always'), await ask('rate-limited-always'), await ask('connection-reset')];
    }, CARD);
    expect(statuses).toEqual([401, 429, 'TypeError']);
  });

  test('the handlers pass unknown requests to the network', async () => {
    asked.length = 0;
    const status = await page.evaluate(async () => (await fetch('/api/nowhere')).status);
    expect([status, asked]).toEqual([404, ['/api/nowhere']]);
  });

  test('the handlers name features that need Prism, which does not run in a browser', async () => {
    const seen = await page.evaluate(async (path) => {
      const answer = await fetch(`/api${path}`, {
        headers: { authorization: 'Bearer any', prefer: 'dynamic=true' },
      });
      return [answer.status, ((await answer.json()) as { detail: string }).detail];
    }, CARD);
    expect(seen).toEqual([501, expect.stringContaining('does not run in a browser')]);
  });

  test('the journal of the page hides a secret in every encoding', async () => {
    const entries = await page.evaluate(async () => {
      const { startMock } = (globalThis as unknown as { page: Tools }).page;
      const password = 'hush-hush-£';
      const mock = await startMock({ listen: false, credentials: { username: 'somebody', password } });
      // one byte per character, as old forms are sent
      const spellings = [btoa(password), 'hush-hush-%A3'];
      for (const spelling of spellings) await mock.fetch(`/nowhere?x=${spelling}`);
      return { spellings, journal: JSON.stringify(mock.journal.entries()) };
    });
    for (const spelling of entries.spellings) expect(entries.journal).not.toContain(spelling);
    expect(entries.journal).toContain('/nowhere');
  });

  test('a mock in the page accepts overlays as text, and its handle ends tokens', async () => {
    const seen = await page.evaluate(async (path) => {
      const { startMock } = (globalThis as unknown as { page: Tools }).page;
      const text = `overlay: 1.0.0
info: {title: a tenant, version: "1"}
actions:
  - target: $.paths
    update:
      /here/clients:
        get: {operationId: getClients, responses: {2XX: {description: "clients"}}}
`;
      const mock = await startMock({ listen: false, anyToken: true, overlays: [{ file: 'tenant.yaml', text }] });
      const headers = { authorization: 'Bearer any' };
      const located = await mock.fetch('/here/clients', { headers });
      const card = await mock.fetch(path, { headers });
      return [located.status, card.status];
    }, CARD);
    expect(seen).toEqual([200, 200]);
  });

  test('a mock in the page has the named seed of the package, and pages of its lists', async () => {
    const seen = await page.evaluate(async () => {
      const { page } = globalThis as unknown as { page: Tools };
      const mock = await page.handlers({ baseUrl: 'https://other.example', seedData: 'rich', anyToken: true }).mock;
      const cards = '/wallet/api/customers/cust-1001/clients/client-2001/cards?page=1&size=2&sort=-alias';
      const answer = await mock.fetch(cards, { headers: { authorization: 'Bearer any' } });
      return ((await answer.json()) as unknown[]).length;
    });
    expect(seen).toBe(2);
  });
});

test('SHA-256 for browsers equals the one of Node, for every block length', () => {
  for (let size = 0; size < 200; size += 1) {
    const [bytes, key] = [randomBytes(size), randomBytes(1 + (size % 100))];
    expect(browser.createHash('sha256').update(bytes).digest('hex')).toBe(
      createHash('sha256').update(bytes).digest('hex'),
    );
    expect(browser.createHmac('sha256', key).update(bytes).digest('hex')).toBe(
      createHmac('sha256', key).update(bytes).digest('hex'),
    );
  }
});
