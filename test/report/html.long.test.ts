import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Report } from '../../src/model/report.ts';
import { HTML_LIMIT, renderHtml } from '../../src/report/html.ts';
import { describeWith } from '../support/needs.ts';
import { check, finding, fullReport, report } from '../support/report-samples.ts';
import { HOSTILE, saying } from './hostile.ts';

const RUN = { verdict: 'drift', exitCode: 1, findings: { error: 1, warning: 2, info: 0 }, accepted: 0 } as const;
const RICH: Report = fullReport({
  findings: [
    finding(),
    finding({ fingerprint: '00000000000000b2', severity: 'warning', operationId: 'getClient', pointer: '/a' }),
    finding({ fingerprint: '00000000000000c3', severity: 'info', operationId: 'getClient', pointer: '/b' }),
  ],
  history: { runs: [18, 19, 20].map((day) => ({ ...RUN, startedAt: `2026-11-${day}T02:00:00.000Z` })), gone: [] },
});

/** Every element of a page, by a strict parse of its tags. */
function tags(page: string): string[] {
  const body = page.replace(/<style>[\s\S]*?<\/style>/, '').replace(/<script>[\s\S]*?<\/script>/, '');
  return [...body.matchAll(/<\/?([a-z!][\w]*)[^>]*>/gi)].map(([tag]) => tag);
}

const MANY: Report = report({
  exitCode: 1,
  verdict: 'drift',
  findings: Array.from({ length: 10_000 }, (_, n) =>
    finding({
      fingerprint: n.toString(16).padStart(16, '0'),
      operationId: `operation${n % 45}`,
      pointer: `/items/*/field${n}`,
      severity: (['error', 'warning', 'info'] as const)[n % 3] ?? 'info',
    }),
  ),
});

describe('the HTML page', () => {
  test('H2: the policy permits only our own style and script, by hash, and nothing names a URL to load', () => {
    const page = renderHtml(RICH);
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1]?.replaceAll('&#39;', "'");
    const hash = (tag: string): string => {
      const text = page.split(`<${tag}>`)[1]?.split(`</${tag}>`)[0] ?? '';
      return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    };
    expect(policy).toBe(
      `default-src 'none'; style-src ${hash('style')}; script-src ${hash('script')}; base-uri 'none'; form-action 'none'`,
    );
    expect(tags(page).filter((tag) => /\s(src|style|on\w+|srcset|action|background)\s*=/i.test(tag))).toEqual([]);
    expect(tags(page).filter((tag) => /^<(link|img|iframe|object|embed|base|form|video|audio)/i.test(tag))).toEqual([]);
    expect(page).not.toMatch(/url\(|@import/);
  });

  test('H5: the page sends no referrer', () => {
    expect(renderHtml(RICH)).toContain('<meta name="referrer" content="no-referrer">');
  });

  test.each(HOSTILE)('H1: %j adds no element and no attribute to the page', (text) => {
    const harmless = tags(renderHtml(saying('harmless'))).map((tag) => tag.replace(/"[^"]*"/g, '""'));
    const hostile = tags(renderHtml(saying(text))).map((tag) => tag.replace(/"[^"]*"/g, '""'));
    expect(new Set(hostile).difference(new Set(harmless))).toEqual(new Set());
    expect(renderHtml(saying(text))).not.toMatch(/[\p{Cf}\u2028\u2029]/u);
    for (const [, address] of renderHtml(saying(text)).matchAll(/href="([^"]*)"/g)) {
      expect(address).toMatch(
        /^(#[\w-]+|https:\/\/unpkg\.com\/banking-api-contract@0\.1\.0\/docs\/rules\/[\w%.-]+\.md)$/,
      );
    }
  });

  test('H6: no page is larger than its limit, and it counts omitted findings', () => {
    expect(Buffer.byteLength(renderHtml(MANY))).toBeLessThan(HTML_LIMIT);
    const long = 'ä'.repeat(100_000);
    const worst = {
      ...saying(long),
      findings: MANY.findings.map((each) => ({ ...each, message: long, expected: long, actual: long, pointer: long })),
      checks: MANY.findings.map((each) => check({ id: `${each.fingerprint}.${long}`, reason: long })),
      stale: MANY.findings.map(({ fingerprint }) => ({ fingerprint, why: long })),
    };
    const page = renderHtml(worst, {
      redactor: { text: (value: string) => value, target: (value: string) => value } as never,
    });
    expect(Buffer.byteLength(page)).toBeLessThan(HTML_LIMIT);
    expect(page).toMatch(/\d+ more in the JSON report\./);
  });
});

describeWith('chromium', 'the HTML page in Chromium', () => {
  let browser: Browser;
  let folder: string;
  beforeAll(async () => {
    const { chromium } = await import('playwright-core');
    folder = mkdtempSync(join(tmpdir(), 'report-html-'));
    browser = await chromium.launch({
      executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
      args: '--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync'.split(
        ' ',
      ),
    });
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function open(
    given: Report,
    over: { width?: number; colorScheme?: 'light' | 'dark'; javaScriptEnabled?: boolean } = {},
  ): Promise<{ page: Page; said: string[]; asked: string[]; ms: number }> {
    const { width = 1200, colorScheme = 'light', javaScriptEnabled = true } = over;
    const file = join(folder, `${Math.random()}.html`);
    writeFileSync(file, renderHtml(given));
    const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme, javaScriptEnabled });
    const page = await context.newPage();
    const said: string[] = [];
    const asked: string[] = [];
    page.on('console', (message) => said.push(message.text()));
    page.on('dialog', (dialog) => void dialog.dismiss().then(() => said.push('dialog')));
    page.on('pageerror', (error) => said.push(String(error)));
    page.on('request', (request) => asked.push(request.url()));
    const start = performance.now();
    await page.goto(pathToFileURL(file).href);
    if (javaScriptEnabled) {
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    }
    return { page, said, asked, ms: performance.now() - start };
  }

  test.each([
    [1200, 'light'],
    [1200, 'dark'],
    [360, 'light'],
    [360, 'dark'],
  ] as const)('H2: at %d pixels, %s, the page fits, loads nothing and logs no error', async (width, colorScheme) => {
    const { page, said, asked } = await open(RICH, { width, colorScheme });
    await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    expect(asked.filter((url) => !url.startsWith('file:'))).toEqual([]);
    expect(said).toEqual([]);
    const [ink, paper] = await page.evaluate<string[]>(
      '[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]',
    );
    const light = (color = ''): number => Number(/\d+/.exec(color)?.[0]);
    expect(light(ink) > light(paper)).toBe(colorScheme === 'dark');
    await page.context().close();
  });

  test('on a phone no word of a table is broken', async () => {
    const { page } = await open(RICH, { width: 360 });
    await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");
    const broken = await page.evaluate<
      string[]
    >(`[...document.querySelectorAll('#history td, #coverage td')].flatMap((cell) => {
      const words = [];
      const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) for (const match of walker.currentNode.data.matchAll(/[\\w-]+/g)) {
        const range = document.createRange();
        range.setStart(walker.currentNode, match.index);
        range.setEnd(walker.currentNode, match.index + match[0].length);
        if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) words.push(match[0]);
      }
      return words;
    })`);
    expect(broken).toEqual([]);
    await page.context().close();
  });

  test('a long hostile name also fits on a phone', async () => {
    for (const text of ['x'.repeat(3000), HOSTILE.at(-1) ?? '']) {
      const { page } = await open(saying(text), { width: 360 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
      await page.context().close();
    }
  });

  test('findings can be searched by severity and by words', async () => {
    const { page } = await open(RICH);
    const seen = (): Promise<number> => page.locator('#findings .f:visible').count();
    expect(await seen()).toBe(2);
    await page.locator('#q').fill('error');
    expect(await seen()).toBe(1);
    await page.locator('#q').fill('getclient /a');
    expect(await seen()).toBe(1);
    expect(await page.locator('#q-out').textContent()).toBe('1 of 2');
    await page.locator('#q').fill('');
    expect(await seen()).toBe(2);
    await page.context().close();
  });

  test('without JavaScript everything except the search works', async () => {
    const { page } = await open(RICH, { javaScriptEnabled: false });
    expect(await page.locator('#findings .f:visible').count()).toBe(2);
    expect(await page.locator('#q').isVisible()).toBe(false);
    await page.locator('#coverage summary').first().click();
    expect(await page.getByText('Not shown by the reference').isVisible()).toBe(true);
    await page.context().close();
  });

  test('H1: no hostile string runs, sends a request or leaves the page', async () => {
    for (const text of HOSTILE) {
      const { page, said, asked } = await open(saying(text));
      expect([text, said]).toEqual([text, []]);
      expect(asked).toHaveLength(1);
      expect(await page.locator('img,iframe,object,embed,form,base,main script,main style').count()).toBe(0);
      expect(await page.evaluate("document.querySelectorAll('script,style').length")).toBe(2);
      await page.context().close();
    }
  }, 120_000);

  test('H6: 10,000 findings open in less than 2 seconds', async () => {
    const runs: number[] = [];
    for (let run = 0; run < 3; run++) {
      const { page, ms } = await open(MANY);
      runs.push(ms);
      await page.context().close();
    }
    expect(Math.min(...runs)).toBeLessThan(2000);
  }, 60_000);
});
