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
<style>html { font-size: 30px; direction: rtl; --tone: red; --kind: red } * { letter-spacing: 3px; padding: 3px !important }
div { display: flex !important } button, h1, .card { background: rgb(1, 2, 3) } #mock { height: 600px; margin-top: 900px }</style>
<script>const pressed = []; addEventListener('keydown', ({ key }) => pressed.push(key))</script>
<script type="module" src="/msw.js"></script><h1 class="card">Cards</h1><button>Issue</button><input autofocus><div id="mock"></div>`;

/** Styles and positions of the application's elements, and its properties of the window. */
const HOST = `[...document.querySelectorAll('body, body *')].filter((one) => one.closest('#mock > *') === null).map((one) => {
  const { x, y, width, height } = one.getBoundingClientRect();
  return [one.tagName, x, y, width, height, ...[...getComputedStyle(one)].map((name) => getComputedStyle(one).getPropertyValue(name))];
}).concat([[document.title, location.href, history.length, document.activeElement.tagName, document.adoptedStyleSheets.length, scrollY]])`;

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
    // a page that ends aborts its own requests
    page.on('requestfailed', (request) => {
      if (request.failure()?.errorText !== 'net::ERR_ABORTED') left.push(request.url());
    });
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
    expect(await page.evaluate<unknown>(HOST)).toEqual(before);
    expect(await ask(CARD)).toBe(401);
    await page.locator('.row').first().waitFor();
    expect(await page.locator('.row').first().innerText()).toContain('401');
    expect(await ask('/nowhere')).toBe(404);
    await page.locator('.row').nth(1).waitFor();
    await page.locator('.row', { hasText: '/nowhere' }).click();
    await page.getByRole('heading', { name: 'Refused: no-such-path' }).waitFor();
  });

  test('the embedded page gets no style of the application, and fills its element', async () => {
    const styleOf = (selector: string, name: string): Promise<string> =>
      page.evaluate<string>(
        `getComputedStyle(document.querySelector('#mock > div').shadowRoot.querySelector('${selector}')).${name}`,
      );
    expect([await styleOf('main button', 'letterSpacing'), await styleOf('main button', 'fontSize')]).toEqual([
      'normal',
      '14px',
    ]);
    expect(await styleOf('.frame', 'direction')).toBe('ltr');
    expect(await styleOf('details > summary', 'columnGap')).toMatch(/^[5-9](?:\.\d+)?px$/);
    const inside = await page.evaluate<number[]>(
      "[document.querySelector('#mock').clientWidth, document.querySelector('#mock > div').shadowRoot.querySelector('.frame').clientWidth]",
    );
    expect(inside[1]).toBe(Number(inside[0]) - 6);
    expect(await styleOf('.cell', 'borderColor')).not.toBe('rgb(255, 0, 0)');
  });

  test('the embedded page leaves styles, title, address, history, focus and keys of the application alone', async () => {
    await page.locator('body > input').focus();
    await page.evaluate('scrollTo(0, 0)');
    expect(await page.evaluate<unknown>(HOST)).toEqual(before);
    await page.locator('body > input').blur();
    for (const key of ['?', '/', 'Escape', 'k', 'p']) await page.keyboard.press(key);
    expect(await page.locator('.popover').isVisible()).toBe(false);
    await page.getByRole('heading', { name: 'Refused: no-such-path' }).waitFor();
    // with the focus in the page, its keys work and are no shortcuts of the application; its other keys are
    await page.getByRole('button', { name: 'Copy curl' }).focus();
    await page.evaluate('void (pressed.length = 0)');
    await page.keyboard.press('?');
    await page.locator('.popover').waitFor();
    await page.keyboard.press('?');
    await page.keyboard.press('p');
    await page.keyboard.press('/');
    await page.keyboard.type('no');
    await page.keyboard.press('Control+b');
    expect(await page.evaluate<string[]>('pressed')).toEqual(['p', 'Control', 'b']);
    await page.locator('body > input').focus();
    await page.evaluate('scrollTo(0, 0)');
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

  test('a second page replaces the first one, does not scroll, and the returned function removes it', async () => {
    const mounted = await page.evaluate<unknown>(`(async () => {
      scrollTo(0, 0);
      const { mount } = await import('/page/mount.js');
      const second = document.body.appendChild(document.createElement('section'));
      globalThis.unmountSecond = mount(second, { control: '${BASE}/__mock' });
      globalThis.unmount();
      return [document.querySelector('#mock').children.length, second.children.length];
    })()`);
    expect(mounted).toEqual([0, 1]);
    await page.locator('.health > summary.good').waitFor();
    expect(await page.evaluate<number>('scrollY')).toBe(0);
    await page.evaluate('globalThis.unmountSecond()');
    expect(await page.locator('body > section').innerText()).toBe('');
    // no request passed the service worker
    expect(left).toEqual([]);
  });
});
