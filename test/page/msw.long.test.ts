import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleForBrowsers } from '../../scripts/browser/bundle.ts';
import { packageRoot } from '../../src/package-root.ts';
import { launch } from '../support/chromium.ts';
import type { LoopbackServer } from '../support/loopback.ts';
import { describeWith } from '../support/needs.ts';
import { serveFiles } from '../support/serve-files.ts';
import type { Tools } from './msw-page.ts';

const BASE = 'https://sandbox.bank.example/gateway';
const CARD = '/wallet/api/customers/cust-1001/cards/card-4001';
const APPLICATION = `<!doctype html><html lang="en"><title>an application</title><link rel="stylesheet" href="/page/page.css">
<style>html { font-size: 30px } * { letter-spacing: 3px } button, h1, .card { background: rgb(1, 2, 3) } main { height: 600px }</style>
<script type="module" src="/msw.js"></script><h1 class="card">Cards</h1><button>Issue</button><input autofocus><main id="mock"></main>`;

/** Styles and positions of the application's elements, and its properties of the window. */
const HOST = `[...document.querySelectorAll('body, body *')].filter((one) => one.closest('#mock > *') === null).map((one) => {
  const { x, y, width, height } = one.getBoundingClientRect();
  return [one.tagName, x, y, width, height, ...[...getComputedStyle(one)].map((name) => getComputedStyle(one).getPropertyValue(name))];
}).concat([[document.title, location.href, history.length, document.activeElement.tagName, document.adoptedStyleSheets.length]])`;

describeWith('chromium', 'the page of the mock in an application, behind the service worker of MSW', () => {
  let folder: string;
  let server: LoopbackServer;
  let browser: Browser;
  let page: Page;
  let before: unknown;
  const left: string[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'page-msw-'));
    await bundleForBrowsers(join(folder, 'msw.js'), join(import.meta.dirname, 'msw-page.ts'));
    // an application with its bundle, the service worker of MSW, and the shipped page
    server = await serveFiles({ '/': APPLICATION }, (path) => {
      if (path === '/mockServiceWorker.js') return join(packageRoot, 'node_modules/msw/lib', path);
      return join(path.startsWith('/page/') ? join(packageRoot, 'dist') : folder, path);
    });
    browser = await launch();
    page = await browser.newPage();
    page.on('requestfailed', (request) => left.push(request.url()));
    await page.goto(server.url);
    await page.locator('body > input').focus();
    before = await page.evaluate<unknown>(HOST);
    await page.evaluate(async (baseUrl) => {
      const { tools } = globalThis as unknown as { tools: Tools };
      const api = tools.handlers({ baseUrl });
      await tools.setupWorker(...api).start({ quiet: true });
      Object.assign(globalThis, { mock: await api.mock });
      const { mount } = (await import('/page/mount.js' as string)) as {
        mount(root: unknown, options: { control: string }): () => void;
      };
      const { document } = globalThis as unknown as { document: { getElementById(id: string): unknown } };
      Object.assign(globalThis, { unmount: mount(document.getElementById('mock'), { control: `${baseUrl}/__mock` }) });
    }, BASE);
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await server?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  /** The application's code. */
  const ask = (path: string): Promise<number> =>
    page.evaluate(
      async (url) => (await fetch(url, { headers: { authorization: 'Bearer other' } })).status,
      BASE + path,
    );

  test('the embedded page shows each exchange of the application as it ends, and explains rejections', async () => {
    await page.locator('.health > summary.good').waitFor();
    expect(await ask(CARD)).toBe(401);
    await page.locator('.row').first().waitFor();
    expect(await page.locator('.row').first().innerText()).toContain('401');
    expect(await ask('/nowhere')).toBe(404);
    await page.locator('.row').nth(1).waitFor();
    await page.locator('.row', { hasText: '/nowhere' }).click();
    await page.getByRole('heading', { name: 'Refused: no-such-path' }).waitFor();
  });

  test('the embedded page leaves styles, title, address, history, focus and keys of the application alone', async () => {
    await page.locator('body > input').focus();
    expect(await page.evaluate<unknown>(HOST)).toEqual(before);
    await page.locator('body > input').blur();
    for (const key of ['?', '/', 'Escape', 'k', 'p']) await page.keyboard.press(key);
    expect(await page.locator('.popover').isVisible()).toBe(false);
    await page.getByRole('heading', { name: 'Refused: no-such-path' }).waitFor();
    const inside = "getComputedStyle(document.querySelector('#mock > div').shadowRoot.querySelector('main button'))";
    expect(await page.evaluate<string>(`${inside}.letterSpacing + ${inside}.fontSize`)).toBe('normal14px');
    // with the focus in the page, its keys work
    await page.getByRole('button', { name: 'Copy curl' }).focus();
    await page.keyboard.press('?');
    await page.locator('.popover').waitFor();
    await page.keyboard.press('?');
    await page.locator('body > input').focus();
    expect(await page.evaluate<unknown>(HOST)).toEqual(before);
  });

  test('changes in the embedded page affect the application and its handle', async () => {
    const seen = await page.evaluate(async (base) => {
      const { mock } = globalThis as unknown as { mock: import('../../src/mock/mock.ts').Mock };
      const change = await fetch(`${base}/__mock/clock/advance`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"seconds":3600}',
      });
      return [change.status, mock.clock.moved];
    }, BASE);
    expect(seen).toEqual([200, true]);
    await page.getByRole('link', { name: 'Scenarios' }).click();
    await page.getByText('rate-limited-always').first().waitFor();
    await page.evaluate(() =>
      (globalThis as unknown as { mock: import('../../src/mock/mock.ts').Mock }).mock.scenario('rate-limited-always'),
    );
    expect(await ask(CARD)).toBe(429);
  });

  test('the returned function unmounts the page', async () => {
    await page.evaluate(() => (globalThis as unknown as { unmount(): void }).unmount());
    expect(await page.locator('#mock').innerText()).toBe('');
    // only the ended event streams passed the service worker
    expect(left.filter((url) => !url.endsWith('/__mock/events'))).toEqual([]);
  });
});
