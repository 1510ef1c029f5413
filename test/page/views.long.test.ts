import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { startMock } from '../../src/mock/start-mock.ts';
import { packageRoot } from '../../src/package-root.ts';
import { bearer, send } from '../mock/support/client.ts';
import { describeWith } from '../support/needs.ts';
import { expectAccessible, PAGE, withPage } from './browser.ts';

const CARD = '/wallet/api/customers/cust-1001/cards/card-4001';

test('the page is at most 300 kB in all, compressed', () => {
  const folder = join(packageRoot, 'dist/page');
  const files = readdirSync(folder).filter((name) => /\.(?:js|html|css)$/.test(name));
  const sizes = files.map((name) => gzipSync(readFileSync(join(folder, name))).length);
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(300 * 1024);
});

describeWith('chromium', 'the page', () => {
  const there = withPage();

  const statusOf = async (authorization: string): Promise<number> =>
    (await send(there.mock, { path: CARD, headers: { authorization } })).status;

  test('a scenario can be turned on for one operation, counted, and turned off with all others', async () => {
    const page = await there.open('#/scenarios');
    const scope = page.getByRole('group', { name: 'For which requests' });
    await scope.getByLabel('operation').selectOption('getCard');
    await scope.getByLabel('the next').fill('1');
    await page.getByRole('searchbox').fill('server-down');
    await page.getByRole('button', { name: 'Turn on', exact: true }).first().click();
    await page.getByText('0 hits').waitFor();
    const authorization = await bearer(there.mock);
    expect(await statusOf(authorization)).toBeGreaterThanOrEqual(500);
    expect(await statusOf(authorization)).toBe(200);
    await page.getByText('1 hit', { exact: true }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'All off' }).click();
    await page.getByText('No active scenario.').waitFor();
  });

  test('the next answers of an operation get a status of choice', async () => {
    const page = await there.open('#/scenarios');
    const next = page.getByRole('region', { name: 'Next answer' });
    await next.getByLabel('operation').selectOption('getCard');
    await next.getByLabel('status').fill('409');
    await next.getByLabel('for the next').fill('2');
    await next.getByRole('button', { name: 'Set' }).click();
    await page.getByText('The next answer is 409').waitFor();
    const authorization = await bearer(there.mock);
    const statuses = [await statusOf(authorization), await statusOf(authorization), await statusOf(authorization)];
    expect(statuses).toEqual([409, 409, 200]);
    await page.getByText('No active scenario.').waitFor();
  });

  test('the keys ? and Esc close the box of keys', async () => {
    const page = await there.open();
    const box = page.locator('.popover');
    for (const key of ['?', 'Escape']) {
      await page.keyboard.press('?');
      await box.waitFor();
      await page.keyboard.press(key);
      await box.waitFor({ state: 'hidden' });
    }
  });

  test('on a phone, a row shows the end of its path and its operation', async () => {
    await send(there.mock, { path: CARD });
    const page = await there.open('', { viewport: { width: 390, height: 800 } });
    const row = page.locator('.row');
    await row.getByText('getCard').waitFor();
    const path = row.locator('.path');
    expect(await path.evaluate((node) => node.getBoundingClientRect().right)).toBeLessThanOrEqual(390);
    expect(await path.evaluate((node) => Reflect.get(globalThis, 'getComputedStyle')(node).direction)).toBe('rtl');
    await expectAccessible(page);
  });

  test('H4: the tokens view expires a token, rejects the next one, and shows no secret', async () => {
    const authorization = await bearer(there.mock);
    const page = await there.open('#/tokens');
    await page
      .getByRole('button', { name: /^Expire$/ })
      .first()
      .click();
    await page.getByText('It has expired').waitFor();
    expect(await statusOf(authorization)).toBe(401);
    await page.getByRole('button', { name: 'Refuse' }).click();
    await page.getByText('The next 1 with a good token').waitFor();
    const fresh = await bearer(there.mock);
    expect([await statusOf(fresh), await statusOf(fresh)]).toEqual([401, 200]);
    await expectAccessible(page);
    const shown = await page.evaluate<string>(`${PAGE}.innerHTML`);
    expect(shown).not.toContain(there.mock.credentials.password);
    expect(shown).not.toContain(fresh.slice(7));
    expect(await page.evaluate<number>('localStorage.length + sessionStorage.length')).toBe(0);
  });

  test('the clock view moves the clock and back', async () => {
    const authorization = await bearer(there.mock);
    const page = await there.open('#/clock');
    await expectAccessible(page);
    await page.getByRole('button', { name: '+ 1 day' }).click();
    await page.getByText("moved: the machine's clock").waitFor();
    expect(await statusOf(authorization)).toBe(401);
    await page.getByRole('button', { name: 'Back to real time' }).click();
    await page.getByText("the machine's time", { exact: true }).waitFor();
    expect(await statusOf(authorization)).toBe(200);
  });

  test('the webhook view receives events in its inbox and replays one', async () => {
    const page = await there.open('#/webhooks');
    await page.getByRole('button', { name: 'Use the inbox' }).click();
    await page.getByText('The inbox receives every event').waitFor();
    const headers = { authorization: await bearer(there.mock) };
    expect((await send(there.mock, { method: 'PUT', path: `${CARD}/suspend`, headers })).status).toBe(200);
    await page.getByText('signed', { exact: true }).first().waitFor();
    await page.getByText('delivered', { exact: true }).click();
    await page.getByRole('button', { name: 'Replay' }).click();
    await expect.poll(() => page.getByText('delivered', { exact: true }).count()).toBe(2);
    await expectAccessible(page);
  });

  test('the secret of a new webhook is copied without a clipboard, as in a page from another machine', async () => {
    const page = await there.open('#/webhooks');
    await page.evaluate(`
      Object.defineProperty(navigator, 'clipboard', { value: undefined });
      document.execCommand = () => Boolean((globalThis.copied = getSelection().toString() || document.activeElement.value));`);
    await page.getByRole('textbox', { name: 'URL' }).fill('http://127.0.0.1:9/hook');
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByText('its secret is in the clipboard').waitFor();
    expect(await page.evaluate<string>('globalThis.copied')).toMatch(/^whsec_/);
  });

  test('the page resets the mock', async () => {
    await send(there.mock, { path: CARD });
    there.mock.clock.advance(3_600);
    const page = await there.open();
    page.on('dialog', (dialog) => dialog.accept());
    await page.locator('.row').waitFor();
    await page.getByRole('button', { name: 'Reset' }).click();
    await page.getByRole('heading', { name: 'No requests yet' }).waitFor();
    expect(there.mock.clock.moved).toBe(false);
  });

  test('the page of a mock bound beyond loopback can only read without the token', async () => {
    await using far = await startMock({ host: '0.0.0.0', allowedHosts: ['127.0.0.1'] });
    const url = `http://127.0.0.1:${far.port}`;
    const page = await there.openOf({ url }, '#/clock');
    await page.getByText('This page can only read.').waitFor();
    await page.getByRole('button', { name: '+ 1 hour' }).click();
    await page.locator('.notice.error').waitFor();
    expect(far.clock.moved).toBe(false);
    // a wrong token is requested again
    await page.getByLabel('Control token').fill('no-token-of-this-mock');
    await page.getByRole('button', { name: 'Use it' }).click();
    await page.getByText('This page can only read.').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: '+ 1 hour' }).click();
    await page.getByLabel('Control token').fill(far.controlToken);
    await page.getByRole('button', { name: 'Use it' }).click();
    await page.getByRole('button', { name: '+ 1 hour' }).click();
    await expect.poll(() => far.clock.moved).toBe(true);
    const second = await there.openOf({ url }, `#token=${far.controlToken}`);
    expect(second.url()).not.toContain(far.controlToken);
  });

  test('the bar reports overlay warnings and load errors, each with its place', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'page-health-'));
    const file = join(folder, 'tenant.yaml');
    const head = "overlay: 1.0.0\ninfo: { title: x, version: '1' }\nactions:\n";
    writeFileSync(file, `${head}  - target: $.paths['/nowhere'].get\n    update: { summary: nothing }\n`);
    await using watched = await startMock({ overlays: [file] });
    const page = await there.openOf(watched);
    await page.locator('.health summary', { hasText: '1 warning' }).click();
    await page.getByText("The target $.paths['/nowhere'].get matches nothing.").waitFor();
    expect(await page.locator('.popover code').first().innerText()).toBe(`${file}:4:13`);
    await expectAccessible(page);
    writeFileSync(file, `${head}  - 5\n`);
    await watched.reload();
    await page.locator('.health summary', { hasText: 'stale' }).waitFor();
    await page.locator('.popover .error', { hasText: 'An action must be an object.' }).waitFor();
    await page.keyboard.press('Escape');
    expect(await page.locator('.popover').isVisible()).toBe(false);
    rmSync(folder, { recursive: true });
  });
});
