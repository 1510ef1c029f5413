import type { BrowserContextOptions } from 'playwright-core';
import { expect, test } from 'vitest';
import { bearer, send } from '../mock/support/client.ts';
import { describeWith } from '../support/needs.ts';
import { expectAccessible, PAGE, withPage } from './browser.ts';

const CARDS = '/wallet/api/customers/cust-1001/cards';
/** Each view with a text that appears once it has loaded. */
const VIEWS = [
  ['journal', '.row'],
  ['scenarios', '.tiles li'],
  ['state/cards/card-4001', 'textarea'],
  ['snapshots', 'li'],
  ['tokens', 'tbody tr'],
  ['clock', 'time'],
  ['reference/issueNewCard', '.field'],
  ['reference', '.map li'],
  ['audit', 'tbody tr'],
  ['webhooks', 'li'],
  ['exchange/none', '.empty'],
  ['reference/none', '.empty'],
] as const;
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const SMALLEST = { ...PHONE, viewport: { width: 320, height: 640 } };
const READERS: readonly (readonly [name: string, options: BrowserContextOptions])[] = [
  ['light', {}],
  ['dark', { colorScheme: 'dark' }],
  ['forced colours', { forcedColors: 'active' }],
  ['a phone', SMALLEST],
  ['a dark phone', { ...PHONE, colorScheme: 'dark' }],
];

const LEGEND = ['documented', 'observed', 'assumed'];

/** Visible controls of less than 24 pixels outside of sentences (WCAG 2.5.8). */
const SMALL = `[...${PAGE}.querySelectorAll('a, button, select, input, textarea, summary')].filter((one) => {
  const { width, height } = one.matches('[type=checkbox]') ? one.closest('label').getBoundingClientRect() : one.getBoundingClientRect();
  const isInText = one.matches('p:not(.line) a');
  return one.checkVisibility() && width > 1 && Math.min(width, height) < 24 && !isInText;
}).map((one) => one.outerHTML.slice(0, 90))`;

/** Words outside of code that a line break splits. */
const BROKEN = `(() => {
  const walker = document.createTreeWalker(${PAGE}, NodeFilter.SHOW_TEXT);
  const broken = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!node.parentElement.checkVisibility() || node.parentElement.closest('code, pre, dl, .json, .off-screen, option')) continue;
    for (const { index, 0: word } of node.data.matchAll(/[A-Za-z]+/g)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) broken.push(word);
    }
  }
  return broken;
})()`;

describeWith('chromium', 'every view of the page', () => {
  const there = withPage();

  test.for(READERS)(
    'the view has one heading and a legend, breaks no word, fits and passes axe: %s',
    async ([, options]) => {
      const headers = { authorization: await bearer(there.mock), 'content-type': 'application/json' };
      await send(there.mock, { method: 'POST', path: CARDS, headers, body: '{"cardType":7}' });
      const inbox = { method: 'POST', path: '/__mock/webhooks', headers: { 'content-type': 'application/json' } };
      await send(there.mock, { ...inbox, body: '{"url":"inbox:"}' });
      await send(there.mock, { method: 'PUT', path: '/__mock/snapshots/before%20payday' });
      await send(there.mock, { method: 'PUT', path: `${CARDS}/card-4001/suspend`, headers });
      const refused = there.mock.journal.entries({ status: '422' })[0]?.seq;
      const page = await there.open('', options);
      for (const [view, shown] of [...VIEWS, [`exchange/${refused}`, '.told'] as const]) {
        await page.goto(`${there.mock.url}/__mock/#/${view}`);
        await page.locator(`main ${shown}`).first().waitFor();
        expect(await page.locator('h1').count(), view).toBe(1);
        await expectAccessible(page);
        expect(await page.evaluate<string[]>(BROKEN), view).toEqual([]);
        expect(await page.locator('.legend .provenance:visible').allInnerTexts(), view).toEqual(LEGEND);
        expect(await page.locator('.rail a:visible').count(), view).toBe(9);
        const { width, height } = page.viewportSize() ?? {};
        const size = '((one) => [one.scrollWidth, one.scrollHeight])';
        expect(await page.evaluate<number[]>(`${size}(document.documentElement)`), view).toEqual([width, height]);
        expect(await page.evaluate<number[]>(`${size}(${PAGE}.firstElementChild)`), view).toEqual([width, height]);
        if (options.hasTouch) expect(await page.evaluate<string[]>(SMALL), view).toEqual([]);
      }
    },
  );
});
