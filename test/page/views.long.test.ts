import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Mock } from '../../src/mock/mock.ts';
import { startMock } from '../../src/mock/start-mock.ts';
import { bearer, send } from '../mock/support/client.ts';
import { describeWith } from '../support/needs.ts';
import { expectAccessible, launch, open } from './browser.ts';

const CARD = '/wallet/api/customers/cust-1001/cards/card-4001';

describeWith('chromium', 'the page', () => {
  let mock: Mock;
  let browser: Browser;
  beforeAll(async () => {
    mock = await startMock();
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    await mock?.close();
  });
  beforeEach(() => mock.reset());

  const statusOf = async (authorization: string): Promise<number> =>
    (await send(mock, { path: CARD, headers: { authorization } })).status;

  test('turns a scenario on for the next request of an operation, counts it, and turns all off', async () => {
    const { page, faults } = await open(browser, mock, '#/scenarios');
    await page.getByLabel('operation').selectOption('getCard');
    await page.getByLabel('the next').fill('1');
    await page.getByRole('searchbox').fill('server-down');
    await page.getByRole('button', { name: 'Turn on', exact: true }).first().click();
    await page.getByText('0 hits').waitFor();
    const authorization = await bearer(mock);
    expect(await statusOf(authorization)).toBeGreaterThanOrEqual(500);
    expect(await statusOf(authorization)).toBe(200);
    await page.getByText('1 hit', { exact: true }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'All off' }).click();
    await page.getByText('None: the mock behaves.').waitFor();
    expect(faults).toEqual([]);
    await page.close();
  });

  test('H4: expires a token, refuses the next, and shows no secret', async () => {
    const authorization = await bearer(mock);
    const { page, faults } = await open(browser, mock, '#/tokens');
    await page
      .getByRole('button', { name: /^Expire$/ })
      .first()
      .click();
    await page.getByText('It has expired').waitFor();
    expect(await statusOf(authorization)).toBe(401);
    await page.getByRole('button', { name: 'Refuse' }).click();
    await page.getByText('The next 1 with a good token').waitFor();
    const fresh = await bearer(mock);
    expect([await statusOf(fresh), await statusOf(fresh)]).toEqual([401, 200]);
    await expectAccessible(page);
    const shown = await page.content();
    expect(shown).not.toContain(mock.credentials.password);
    expect(shown).not.toContain(fresh.slice(7));
    expect(await page.evaluate<number>('localStorage.length + sessionStorage.length')).toBe(0);
    expect(faults).toEqual([]);
    await page.close();
  });

  test('moves the clock to what happens next, and back', async () => {
    const authorization = await bearer(mock);
    const { page, faults } = await open(browser, mock, '#/clock');
    await expectAccessible(page);
    await page.locator('li', { hasText: 'expires' }).getByRole('button', { name: 'Go there' }).last().click();
    await page.getByText("moved: the machine's clock").waitFor();
    expect(await statusOf(authorization)).toBe(401);
    await page.getByRole('button', { name: 'Back to real time' }).click();
    await page.getByText("the machine's time", { exact: true }).waitFor();
    expect(await statusOf(authorization)).toBe(200);
    expect(faults).toEqual([]);
    await page.close();
  });

  test('receives events in its inbox, with the signature judged, and replays one', async () => {
    const { page, faults } = await open(browser, mock, '#/webhooks');
    await page.getByRole('button', { name: 'Use the inbox' }).click();
    await page.getByText('The inbox receives every event').waitFor();
    const headers = { authorization: await bearer(mock) };
    expect((await send(mock, { method: 'PUT', path: `${CARD}/suspend`, headers })).status).toBe(200);
    await page.getByText('signature holds').waitFor();
    await page.getByText('delivered').click();
    await page.getByRole('button', { name: 'Replay' }).click();
    await page.getByText('a repeat').waitFor();
    await expectAccessible(page);
    expect(faults).toEqual([]);
    await page.close();
  });

  test('puts the mock back to its start', async () => {
    await send(mock, { path: CARD });
    mock.clock.advance(3_600);
    const { page, faults } = await open(browser, mock);
    page.on('dialog', (dialog) => dialog.accept());
    await page.locator('.row').waitFor();
    await page.getByRole('button', { name: 'Reset' }).click();
    await page.getByRole('heading', { name: 'Nothing was asked yet' }).waitFor();
    expect(mock.clock.moved).toBe(false);
    expect(faults).toEqual([]);
    await page.close();
  });

  test('of a mock that is bound beyond loopback reads, and changes with the token only', async () => {
    await using far = await startMock({ host: '0.0.0.0', allowedHosts: ['127.0.0.1'] });
    const url = `http://127.0.0.1:${far.port}`;
    const { page } = await open(browser, { url }, '#/clock');
    await page.getByText('This page can only read.').waitFor();
    await page.getByRole('button', { name: '+ 1 hour' }).click();
    await page.locator('.notice.is-bad').waitFor();
    expect(far.clock.moved).toBe(false);
    await page.getByLabel('Control token').fill(far.controlToken);
    await page.getByRole('button', { name: 'Use it' }).click();
    await page.getByRole('button', { name: '+ 1 hour' }).click();
    await expect.poll(() => far.clock.moved).toBe(true);
    await page.close();
    const second = await open(browser, { url }, `#token=${far.controlToken}`);
    expect(second.page.url()).not.toContain(far.controlToken);
    await second.page.close();
  });
});
