import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Mock } from '../../src/mock/mock.ts';
import { startMock } from '../../src/mock/start-mock.ts';
import { packageRoot } from '../../src/package-root.ts';
import { send } from '../mock/support/client.ts';
import { describeWith } from '../support/needs.ts';
import { launch, open } from './browser.ts';

const CARD = '/wallet/api/customers/cust-1001/cards/card-4001';

test('the page is at most 300 kB in all, compressed', () => {
  const folder = join(packageRoot, 'dist/page');
  const bytes = readdirSync(folder)
    .filter((name) => !name.endsWith('.d.ts') && !name.endsWith('.txt'))
    .reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, name))).length, 0);
  console.log(`the page is ${Math.round(bytes / 1024)} kB, compressed`);
  expect(bytes).toBeLessThan(300 * 1024);
});

describeWith('chromium', 'with 10,000 exchanges', () => {
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

  test('at most 200 rows are in the document, and the time of a filter is told', async () => {
    const { page, faults } = await open(browser, mock);
    for (let count = 0; count < 10_000; count += 100)
      await Promise.all(Array.from({ length: 100 }, () => send(mock, { path: CARD })));
    await page.getByText('10000 exchanges').waitFor();
    expect(await page.locator('.row').count()).toBeLessThanOrEqual(200);
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    // until the frame after the one in which the list has changed
    const took = await page.evaluate<number[]>(`(async () => {
      const field = document.querySelector('main [type=search]');
      const frame = () => new Promise(requestAnimationFrame);
      const times = [];
      for (const words of ['401', '#9', 'nothing like this', 'getcard #99', '']) {
        await frame();
        await frame();
        const began = performance.now();
        field.value = words;
        field.dispatchEvent(new Event('input', { bubbles: true }));
        await frame();
        await new Promise((resolve) => { const { port1, port2 } = new MessageChannel(); port1.onmessage = resolve; port2.postMessage(0); });
        times.push(performance.now() - began);
      }
      return times;
    })()`);
    console.log(
      `a filter takes ${took.map((ms) => Math.round(ms)).join(', ')} ms at fourfold throttling; two frames are 33`,
    );
    expect(await page.locator('.row').count()).toBeLessThanOrEqual(200);
    expect(faults).toEqual([]);
    await page.close();
  });
});
