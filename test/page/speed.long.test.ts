import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { CDPSession, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { packageRoot } from '../../src/package-root.ts';
import { send } from '../mock/support/client.ts';
import { describeWith } from '../support/needs.ts';
import { PAGE, withPage } from './browser.ts';

const CARD = '/wallet/api/customers/cust-1001/cards/card-4001';
/** Every other one empties the list of some of its rows, or fills it. */
const FILTERS = ['401', '#9', 'nothing like this', 'getcard #99', '', '#8 401', '#12', 'wallet'];

test('the page is at most 300 kB in all, compressed', () => {
  const folder = join(packageRoot, 'dist/page');
  const bytes = readdirSync(folder)
    .filter((name) => !name.endsWith('.d.ts') && !name.endsWith('.txt'))
    .reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, name))).length, 0);
  console.log(`the page is ${Math.round(bytes / 1024)} kB, compressed`);
  expect(bytes).toBeLessThan(300 * 1024);
});

/** What one change of the page cost. */
interface Cost {
  /** Milliseconds from the change until the frame that shows it was made. */
  readonly shown: number;
  /** Milliseconds that the main thread worked, whatever else the machine did. */
  readonly worked: number;
}

async function costOf(page: Page, session: CDPSession, change: string): Promise<Cost> {
  const worked = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1_000;
  };
  const before = await worked();
  const shown = await page.evaluate<number>(`(async () => {
    const frame = () => new Promise(requestAnimationFrame);
    const task = () => new Promise((resolve) => { const { port1, port2 } = new MessageChannel(); port1.onmessage = resolve; port2.postMessage(0); });
    const page = ${PAGE};
    await frame();
    await task();
    const began = performance.now();
    ${change}
    await frame();
    await task();
    const shown = performance.now() - began;
    await frame();
    return shown;
  })()`);
  return { shown, worked: (await worked()) - before };
}

function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[values.length >> 1] ?? Number.NaN;
}

describeWith('chromium', 'with 10,000 exchanges', () => {
  const there = withPage();

  test('at most 200 rows are in the document, and a filter costs less than its rows would as plain text', async () => {
    const page = await there.open();
    for (let count = 0; count < 10_000; count += 100)
      await Promise.all(Array.from({ length: 100 }, () => send(there.mock, { path: CARD })));
    await page.getByText('10000 exchanges').waitFor();
    expect(await page.locator('.row').count()).toBeLessThanOrEqual(200);
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    const filters: Cost[] = [];
    const references: Cost[] = [];
    for (let round = 0; round < 3; round += 1) {
      for (const words of FILTERS) {
        const input = `const field = page.querySelector('main [type=search]');
          field.value = ${JSON.stringify(words)};
          field.dispatchEvent(new Event('input', { bubbles: true }));`;
        filters.push(await costOf(page, session, input));
      }
      // the reference: the same rows once more, as plain text of the document, and nothing looked for
      for (const { length } of FILTERS) {
        const draw = `const box = page.querySelector('.rows');
          const rows = document.createElement('div');
          rows.innerHTML = box.innerHTML.replaceAll('card', 'card${length + round}');
          page.querySelector('.reference')?.remove();
          rows.className = 'reference';
          box.append(rows);`;
        references.push(await costOf(page, session, draw));
      }
      await page.evaluate(`${PAGE}.querySelector('.reference')?.remove()`);
    }
    const told = (costs: readonly Cost[], what: keyof Cost): number =>
      Math.round(median(costs.map((one) => one[what])));
    const ratio = told(filters, 'worked') / told(references, 'worked');
    console.log(
      `at fourfold throttling a filter is shown after ${told(filters, 'shown')} ms, two frames are 33 (the slowest ${Math.round(Math.max(...filters.map(({ shown }) => shown)))}); it works ${told(filters, 'worked')} ms, ${ratio.toFixed(2)} of what its rows cost as plain text`,
    );
    expect(ratio).toBeLessThan(1);
    expect(await page.locator('.row').count()).toBeLessThanOrEqual(200);
  }, 90_000);
});
