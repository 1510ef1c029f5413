/** Takes the pictures of the mock's page that the README shows: `npm run screenshots`. Needs a built `dist/` and Debian's chromium. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type BrowserContextOptions, chromium } from 'playwright-core';
import { createTokenProvider } from '../src/client/token-provider.ts';
import { withToken } from '../src/client/with-token.ts';
import { startMock } from '../src/mock/start-mock.ts';
import { packageRoot } from '../src/package-root.ts';

const folder = join(packageRoot, 'docs', 'images');
mkdirSync(folder, { recursive: true });

const DESKTOP = { viewport: { width: 1280, height: 800 } };
const PHONE = { viewport: { width: 420, height: 860 }, colorScheme: 'dark' } as const;
const PICTURES: readonly (readonly [name: string, view: string, BrowserContextOptions])[] = [
  ['journal', 'exchange/8', DESKTOP],
  ['provenance', 'reference', DESKTOP],
  ['scenarios', 'scenarios', DESKTOP],
  ['phone', 'reference', PHONE],
];

await using mock = await startMock();
await talk();
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
for (const [name, view, options] of PICTURES) {
  const page = await browser.newPage(options);
  await page.goto(`${mock.url}/__mock/#/${view}`);
  await page.locator('.health > summary.good').waitFor();
  await page.locator('main h1').first().waitFor({ state: 'attached' });
  // what is read after the first view has come
  await page.waitForTimeout(800);
  await page.screenshot({ path: join(folder, `page-${name}.png`) });
  await page.close();
}
await browser.close();

/** What an application says to the mock on an ordinary morning, one mistake included. */
async function talk(): Promise<void> {
  const provider = createTokenProvider({ baseUrl: mock.url, ...mock.credentials });
  const call = withToken(fetch, provider);
  const at = `${mock.url}/wallet/api/customers/cust-1001`;
  await call(`${at}/clients/client-2001/cards`);
  await call(`${at}/cards/card-4001`);
  await call(`${at}/cards/card-4002`);
  await fetch(`${at}/cards/card-4001`);
  const headers = { 'content-type': 'application/json' };
  const card = { clientId: 'client-2001', userId: 'user-3001', cardType: 'VIRTUAL', currency: 'GBP', alias: 'Travel' };
  await call(`${at}/cards`, { method: 'POST', headers, body: JSON.stringify(card) });
  await call(`${at}/cards/card-4001/suspend`, { method: 'PUT' });
  await call(`${at}/cards`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ ...card, cardType: 7, cardLimitDaily: 999_999 }),
  });
}
