import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Card } from '../../generated/validators/card.ts';
import type { Transaction } from '../../generated/validators/transaction.ts';
import type { createTokenProvider, withToken } from '../../src/client/client.ts';
import type { Mock } from '../../src/mock/mock.ts';
import { startMock } from '../../src/mock/start-mock.ts';
import { packageRoot } from '../../src/package-root.ts';
import { launch } from '../support/chromium.ts';
import type { LoopbackServer } from '../support/loopback.ts';
import { describeWith } from '../support/needs.ts';
import { serveFiles } from '../support/serve-files.ts';

const { exports } = JSON.parse(await readFile(join(packageRoot, 'package.json'), 'utf8')) as {
  readonly exports: Readonly<Record<string, { readonly default: string }>>;
};

/** The page's URL of the module that a user imports as `banking-api-contract/NAME`. */
function served(name: string): string | undefined {
  return exports[`./${name}`]?.default.replace('./dist', '');
}

const PAGE = `<!doctype html><title>a page</title><script type="module">
  import { createTokenProvider, withToken } from '${served('client')}';
  import { Card } from '${served('validators/card')}';
  import { Transaction } from '${served('validators/transaction')}';
  globalThis.page = { createTokenProvider, withToken, Card, Transaction };
</script>`;

interface Page {
  createTokenProvider: typeof createTokenProvider;
  withToken: typeof withToken;
  Card: typeof Card;
  Transaction: typeof Transaction;
  api?: typeof fetch;
}

describeWith('chromium', 'in a real browser', () => {
  let server: LoopbackServer;
  let mock: Mock;
  let browser: Browser;

  beforeAll(async () => {
    // the built package as files, as a frontend developer gets them, without a bundler
    server = await serveFiles({ '/': PAGE }, (path) => join(packageRoot, 'dist', path));
    mock = await startMock({ tokenLifetime: 60 });
    browser = await launch();
  });

  afterAll(async () => {
    await browser?.close();
    await mock?.close();
    await server?.[Symbol.asyncDispose]();
  });

  async function open() {
    const page = await browser.newPage();
    await page.goto(server.url);
    return page;
  }

  test('the validators work without a bundler and without eval', async () => {
    const page = await open();
    const verdicts = await page.evaluate(() => {
      const { Card, Transaction } = (globalThis as unknown as { page: Page }).page;
      const on = (settlementDate: string) => Transaction.is({ paymentProviderDetails: { settlementDate } });
      const wrong = Card.check({ token: 1 });
      return [
        Card.is({ token: 'x' }),
        wrong.valid ? [] : wrong.problems.map(({ pointer }) => pointer),
        on('2026-01-31T10:00:00Z'),
        on('2026-02-31T10:00:00Z'),
      ];
    });
    expect(verdicts).toEqual([true, ['/token'], true, false]);
  });

  test("M15: the token client and the mock's API work across origins, and a revoked token is renewed once", async () => {
    const page = await open();
    const before = mock.tokens.requests;
    const call = async () =>
      page.evaluate(
        async ({ baseUrl, username, password }) => {
          const { page } = globalThis as unknown as { page: Page };
          page.api ??= page.withToken(fetch, page.createTokenProvider({ baseUrl, username, password }));
          const answer = await page.api(`${baseUrl}/wallet/api/customers/cust-1001/cards/card-4001`);
          return { status: answer.status, basis: answer.headers.get('x-mock-provenance'), card: await answer.json() };
        },
        { baseUrl: mock.url, ...mock.credentials },
      );
    const first = await call();
    expect(first).toMatchObject({ status: 200, basis: 'assumed', card: { cardId: 'card-4001' } });
    mock.tokens.revokeAll();
    expect((await call()).status).toBe(200);
    expect(mock.tokens.requests - before).toBe(2);
  });
});
