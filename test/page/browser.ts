import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import type { Mock } from '../../src/mock/mock.ts';
import { startMock } from '../../src/mock/start-mock.ts';
import { launch } from '../support/chromium.ts';

/** The shadow root of the page, as an expression for `page.evaluate`. */
export const PAGE = "document.querySelector('.alone').shadowRoot";

export interface Opened {
  readonly page: Page;
  /** Failures in the page: errors, rejected resources, requests to other hosts. */
  readonly faults: string[];
}

/** Opens a view of a mock's page. Records faults of the page, and requests to any host except the mock. */
export async function open(
  browser: Browser,
  mock: Pick<Mock, 'url'>,
  view = '',
  options: BrowserContextOptions = {},
): Promise<Opened> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, ...options });
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (/Content Security Policy|Refused to/.test(message.text())) faults.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(mock.url) && !/^(?:data|blob):/.test(request.url()))
      faults.push(`asked ${request.url()}`);
  });
  await page.goto(`${mock.url}/__mock/${view}`);
  await page.locator('.health > summary:is(.good, .warning)').waitFor();
  return { page, faults };
}

export interface There {
  readonly mock: Mock;
  /** Opens a view of the mock's page. */
  open(view?: string, options?: BrowserContextOptions): Promise<Page>;
  /** Opens a view of another mock's page. */
  openOf(other: Pick<Mock, 'url'>, view?: string, options?: BrowserContextOptions): Promise<Page>;
}

/**
 * A mock and a browser for the tests of a file. The mock is reset before each test; after it no opened page may have
 * a fault.
 */
export function withPage(): There {
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
  let opened: Opened[] = [];
  afterEach(async () => {
    const last = opened;
    opened = [];
    for (const { page } of last) await page.close();
    expect(last.flatMap(({ faults }) => faults)).toEqual([]);
  });
  const openOf: There['openOf'] = async (other, view, options) => {
    const one = await open(browser, other, view, options);
    opened.push(one);
    return one.page;
  };
  return {
    get mock() {
      return mock;
    },
    open: (view, options) => openOf(mock, view, options),
    openOf,
  };
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Checks the view with axe-core (WCAG 2.2 AA and best practice). */
export async function expectAccessible(page: Page): Promise<void> {
  // bypasses the policy of the page, as a browser tool would
  await page.evaluate(axe);
  const violations = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }> };
    };
    return (await axe.run()).violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`,
    );
  });
  expect(violations).toEqual([]);
}
