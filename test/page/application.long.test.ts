import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Mock } from '../../src/mock/mock.ts';
import { startMock } from '../../src/mock/start-mock.ts';
import { launch } from '../support/chromium.ts';
import type { LoopbackServer } from '../support/loopback.ts';
import { describeWith } from '../support/needs.ts';
import { serveFiles } from '../support/serve-files.ts';
import { open } from './browser.ts';

describeWith('chromium', 'the page beside an application that talks to the mock', () => {
  let mock: Mock;
  let browser: Browser;
  let server: LoopbackServer;
  let address: string;
  beforeAll(async () => {
    mock = await startMock();
    browser = await launch();
    const html = await readFile(join(import.meta.dirname, 'application.html'), 'utf8');
    server = await serveFiles({ '/': html }, () => '');
    address = `${server.url}/?api=${encodeURIComponent(mock.url)}`;
  });
  afterAll(async () => {
    await browser?.close();
    await server?.[Symbol.asyncDispose]();
    await mock?.close();
  });

  test('the example application shows its requests, breaks on purpose, and explains rejections', async () => {
    const application = await browser.newPage();
    await application.goto(address);
    const { page, faults } = await open(browser, mock);

    // it works, and each request appears as it ends
    await application.getByRole('button', { name: 'Load' }).click();
    await application.getByRole('listitem').first().waitFor();
    await page.locator('.row', { hasText: 'listClientCards' }).waitFor();

    // its token expires: it gets a new one, and the score card has recorded that
    await page.goto(`${mock.url}/__mock/#/tokens`);
    await page.getByRole('button', { name: 'Expire all' }).click();
    await page.getByText('Every token has expired').waitFor();
    await application.getByRole('button', { name: 'Load' }).click();
    await expect.poll(() => mock.journal.entries({ status: '401' }).length).toBe(1);
    await page.goto(`${mock.url}/__mock/#/audit`);
    await page.locator('tr', { hasText: 'unauthorized-not-retried' }).getByText('kept').waitFor();

    // its records appear in the state, and changes there appear in the application
    await application.getByRole('button', { name: 'Issue' }).click();
    await application.getByText('From the application').waitFor();
    await page.goto(`${mock.url}/__mock/#/state/cards`);
    await page.locator('tr', { hasText: 'From the application' }).getByRole('link').click();
    const text = page.getByLabel('The record as JSON');
    await expect.poll(() => text.inputValue()).toContain('From the application');
    await text.fill((await text.inputValue()).replace('From the application', 'From the page'));
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('It was changed').waitFor();
    await application.getByRole('button', { name: 'Load' }).click();
    await application.getByText('From the page').waitFor();

    // a scenario breaks one operation; the answer names the exchange, and the page explains it
    await page.goto(`${mock.url}/__mock/#/scenarios`);
    const scope = page.getByLabel('operation').filter({ hasText: 'all its operations' });
    await scope.selectOption('listClientCards');
    await page.getByRole('searchbox').fill('server-down');
    await page.getByRole('button', { name: 'Turn on', exact: true }).first().click();
    await page.getByText('0 hits').waitFor();
    await application.getByRole('button', { name: 'Load' }).click();
    await application.locator('#error', { hasText: '/__mock/#/exchange/' }).waitFor();
    const [, link = ''] = /(\/__mock\/#\/exchange\/\d+)/.exec(await application.locator('#error').innerText()) ?? [];
    await page.goto(`${mock.url}${link}`);
    await page.getByRole('heading', { name: /^Refused/ }).waitFor();
    await page.getByRole('link', { name: 'server-down' }).first().waitFor();
    expect(faults).toEqual([]);
    await page.close();
    await application.close();
  });
});
