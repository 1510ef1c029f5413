import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { cp, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pack } from '../../scripts/pack.ts';
import { packageRoot } from '../../src/package-root.ts';
import { launch } from '../support/chromium.ts';
import { installed } from '../support/from-npm.ts';
import { freePort } from '../support/loopback.ts';
import { describeWith } from '../support/needs.ts';

const EXAMPLE = join(packageRoot, 'examples/card-app');
type Versions = Readonly<Record<string, string>>;
const { dependencies, devDependencies } = JSON.parse(readFileSync(join(EXAMPLE, 'package.json'), 'utf8')) as {
  readonly dependencies: Versions;
  readonly devDependencies: Versions;
};
const packed = await mkdtemp(join(tmpdir(), 'packed-'));
const tarball = join(packed, pack(packed).filename);
const wanted = Object.entries({ ...dependencies, ...devDependencies }).map(([name, range]) =>
  name === 'banking-api-contract' ? tarball : `${name}@${range}`,
);
const { folder, missing } = await installed(wanted, undefined);
// vitest would make it a build for tests
const PRODUCTION = { ...process.env, NODE_ENV: 'production', NO_COLOR: '1', FORCE_COLOR: '0' };
const node = (script: string, ...args: string[]): string =>
  execFileSync(process.execPath, [join(folder, script), ...args], { cwd: folder, encoding: 'utf8', env: PRODUCTION });

if (missing === '') {
  await cp(EXAMPLE, folder, { recursive: true });
  node('generate.mjs');
}

test.skipIf(missing)(
  `the example is strictly typed, and its build contains no mock${missing}`,
  { timeout: 120_000 },
  () => {
    node('node_modules/typescript/bin/tsc', '--noEmit');
    node('node_modules/vite/bin/vite.js', 'build');
    const built = globSync('dist/**/*.*', { cwd: folder }).map((file) => readFileSync(join(folder, file), 'utf8'));
    expect(built.join()).toContain('Your session has ended');
    expect(
      built.join().match(/__mock|x-mock|mock\.localhost|sandbox-secret|client_credentials|bankingMock/g),
    ).toBeNull();
  },
);

interface Running extends AsyncDisposable {
  readonly url: string;
}

/** Starts a server of the example, and resolves when it prints its address. */
async function start(args: readonly string[]): Promise<Running> {
  const child = spawn(process.execPath, args, { cwd: folder, env: PRODUCTION, stdio: ['ignore', 'pipe', 'inherit'] });
  let told = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.on('close', () => reject(new Error(told)));
    child.stdout.on('data', (chunk) => {
      told += chunk;
      const [found] = /http:\/\/127\.0\.0\.1:\d+(?=\/\s)/.exec(told) ?? [];
      if (found) resolve(found);
    });
  });
  return {
    url,
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'close');
      child.kill();
      await ended;
    },
  };
}

if (missing === '')
  describeWith('chromium', 'the example application in a browser', () => {
    let vite: Running;
    let url: string;
    let browser: Browser;
    let page: Page;
    beforeAll(async () => {
      vite = await start(['node_modules/vite/bin/vite.js', '--host', '127.0.0.1', '--port', '0']);
      url = vite.url;
      browser = await launch();
      page = await browser.newPage();
      page.setDefaultTimeout(10_000);
      await page.goto(url);
      await cards().first().waitFor();
    }, 120_000);
    afterAll(async () => {
      await browser?.close();
      await vite?.[Symbol.asyncDispose]();
    });

    const cards = (): Locator => page.getByRole('region', { name: 'Cards' }).getByRole('row');
    const alerts = (): Locator => page.getByRole('alert');
    const press = (name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();
    const control = async <T>(path: string, body: object = {}, headers = {}): Promise<T> => {
      const sent = { 'content-type': 'application/json', ...headers };
      const answer = await fetch(url + path, { method: 'POST', headers: sent, body: JSON.stringify(body) });
      expect(answer.ok).toBe(true);
      return (answer.status === 204 ? undefined : await answer.json()) as T;
    };

    test('the cards of a company have pages', async () => {
      const first = await cards().allInnerTexts();
      expect(first).toHaveLength(3);
      await press('Next');
      await page.getByText('Page 2').waitFor();
      await expect.poll(() => cards().allInnerTexts()).not.toEqual(first);
      await press('Previous');
      await expect.poll(() => cards().allInnerTexts()).toEqual(first);
    });

    test('a card is issued, and a limit above the maximum is refused', async () => {
      await page.getByLabel('Alias').fill('Aardvarks');
      await page.getByLabel('Daily limit').fill('100001');
      await press('Issue');
      await alerts().filter({ hasText: 'must be at most 100000 GBP' }).waitFor();
      await page.getByLabel('Alias').fill('Aardvarks');
      await page.getByLabel('Daily limit').fill('100');
      await press('Issue');
      await page.getByText('Aardvarks is issued.').waitFor();
      await cards().filter({ hasText: 'Aardvarks' }).waitFor();
      expect(await alerts().count()).toBe(0);
    });

    test('a card is suspended and activated', async () => {
      const card = cards().filter({ hasText: 'Aardvarks' });
      await card.getByRole('button', { name: 'Suspend' }).click();
      await card.getByText('SUSPENDED').waitFor();
      await card.getByRole('button', { name: 'Activate' }).click();
      await card.getByText('ACTIVE', { exact: true }).waitFor();
    });

    test('a session that ends shows it once, and goes on', async () => {
      await control('/__mock/tokens/revoke');
      await press('Refresh');
      await alerts().filter({ hasText: 'Your session has ended' }).first().waitFor();
      await press('Refresh');
      await expect.poll(() => alerts().count()).toBe(0);
    });

    test('a payment is made, and settles after three days', async () => {
      const balance = page.getByLabel('Balance');
      const before = await balance.innerText();
      await page.getByLabel('Amount').fill('1.5');
      await press('Pay');
      await page.getByLabel('Payment').getByText('PENDING').waitFor();
      await control('/__mock/clock/advance', { seconds: 3 * 86_400 });
      await press('Refresh');
      await page.getByLabel('Payment').getByText('SETTLED').waitFor();
      await expect.poll(() => balance.innerText()).not.toBe(before);
    });

    test('a webhook updates the page after a change by someone else', async () => {
      await control('/__mock/webhooks', { url: `${url}/hooks` });
      const { access_token } = await control<{ access_token: string }>('/__mock/tokens');
      const card = cards().filter({ hasText: 'Aardvarks' });
      const { cardId } = await page.evaluate(async () => {
        const answer = await fetch('/wallet/api/customers/cust-1001/clients/client-2001/cards?alias=Aardvarks');
        return ((await answer.json()) as { cardId: string }[])[0] as { cardId: string };
      });
      await card.getByText('ACTIVE', { exact: true }).waitFor();
      const answer = await fetch(`${url}/wallet/api/customers/cust-1001/cards/${cardId}/suspend`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${access_token}` },
      });
      expect(answer.status).toBe(200);
      await card.getByText('SUSPENDED').waitFor();
    });

    test('the page of the mock is at the dev server, and shows the exchanges of the application', async () => {
      const mock = await browser.newPage();
      await mock.goto(`${url}/__mock/`);
      await mock.locator('.row', { hasText: 'suspendCard' }).first().waitFor();
      expect(await page.context().storageState()).toEqual({ cookies: [], origins: [] });
    });

    test('a story shows a component with the answers of the mock', { timeout: 120_000 }, async () => {
      const dispatcher = 'node_modules/storybook/dist/bin/dispatcher.js';
      await using storybook = await start([
        dispatcher,
        'dev',
        '--ci',
        '--host',
        '127.0.0.1',
        '--port',
        `${await freePort()}`,
      ]);
      const story = await browser.newPage();
      await story.goto(`${storybook.url}/iframe.html?viewMode=story&id=cards--first-page`);
      await story.getByRole('row').nth(2).waitFor();
      await story.goto(`${storybook.url}/iframe.html?viewMode=story&id=cards--unknown-company`);
      await story.getByRole('alert').filter({ hasText: 'there is no client' }).waitFor();
    });
  });
