/**
 * Opens the served contract in popular viewers and clicks as a user would. The page comes from another origin, and
 * the mock has no flags. `BANKING_API_VIEWERS` names a folder that already contains the viewers.
 */
import { join, normalize } from 'node:path';
import type { Browser, Locator, Page, Response } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Mock } from '../../../src/mock/mock.ts';
import { startMock } from '../../../src/mock/start-mock.ts';
import { launch } from '../../support/chromium.ts';
import { unpacked } from '../../support/from-npm.ts';
import type { LoopbackServer } from '../../support/loopback.ts';
import { describeWith } from '../../support/needs.ts';
import { serveFiles } from '../../support/serve-files.ts';
import { bearer } from '../support/client.ts';

const { folder, missing } = await unpacked(
  ['swagger-ui-dist@5', '@scalar/api-reference@1'],
  process.env.BANKING_API_VIEWERS,
);

/** The pages of docs/mock.md: each viewer with only the address of the document. */
const PAGES: Readonly<Record<string, string>> = {
  '/swagger-ui': `<!doctype html><meta charset="utf-8"><title>Swagger UI</title>
    <link rel="stylesheet" href="/swagger-ui-dist/swagger-ui.css"><div id="ui"></div>
    <script src="/swagger-ui-dist/swagger-ui-bundle.js"></script>
    <script>SwaggerUIBundle({ url: new URLSearchParams(location.search).get('url'), dom_id: '#ui' });</script>`,
  '/scalar': `<!doctype html><meta charset="utf-8"><title>Scalar</title><div id="app"></div>
    <script src="/@scalar/api-reference/dist/browser/standalone.js"></script>
    <script>Scalar.createApiReference('#app', { url: new URLSearchParams(location.search).get('url') });</script>`,
};

describeWith('chromium', `"Try it" of the served contract${missing}`, () => {
  let server: LoopbackServer;
  let browser: Browser;
  let page: Page;
  let mock: Mock;

  beforeAll(async () => {
    server = await serveFiles(PAGES, (path) => join(folder, 'node_modules', normalize(path)));
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.[Symbol.asyncDispose]();
  });
  afterEach(async () => {
    await page?.close();
    await mock?.close();
  });

  /** A viewer page of an origin, with the contract of a new mock; `at` is the viewer's link to a place in it. */
  async function open(path: string, host = '127.0.0.1', at = ''): Promise<void> {
    mock = await startMock();
    page = await browser.newPage({ viewport: { width: 1400, height: 1200 } });
    page.setDefaultTimeout(20_000);
    // blocks requests to other machines
    await page.route(
      ({ hostname }) => !['127.0.0.1', host].includes(hostname),
      (route) => route.abort(),
    );
    const { port } = server;
    const url = encodeURIComponent(`${mock.url}/__mock/contract.json`);
    await page.goto(`http://${host}:${port}${path}?url=${url}${at}`);
  }

  const typedToken = async (): Promise<string> => (await bearer(mock)).slice('Bearer '.length);

  /** The status of the request that a click makes the viewer send. */
  async function answerTo(click: () => Promise<void>): Promise<number> {
    const isAsked = (response: Response): boolean => response.request().method() !== 'OPTIONS';
    const [response] = await Promise.all([page.waitForResponse(isAsked), click()]);
    return response.status();
  }

  /** The requests that the mock received for an operation. */
  const heard = (operationId: string) =>
    mock.journal.entries({ operationId }).map(({ method, path, request, response }) => ({
      asked: `${method} ${path}`,
      authorization: request.headers.find(([name]) => name === 'authorization')?.[1],
      body: request.body?.kind === 'json' ? request.body.json : undefined,
      status: response?.status,
    }));

  const TOKEN: unknown = expect.stringMatching(/^Bearer \[redacted/);
  const CUSTOMER = '/wallet/api/customers/cust-1001';
  const FEES = '/iam/api/customers/cust-1001/client/client-2001/card/fees/GBP';

  describe.skipIf(missing)('Swagger UI', { timeout: 120_000 }, () => {
    const tryOut = async (id: string): Promise<Locator> => {
      const block = page.locator(`.opblock[id$="-${id}"]`);
      await block.locator('.opblock-summary-control').click();
      await block.getByRole('button', { name: 'Try it out' }).click();
      expect(await block.locator('.opblock-description').innerText()).toMatch(/Provenance: .*documented/);
      return block;
    };

    const execute = async (block: Locator): Promise<string> => {
      const status = await answerTo(() => block.getByRole('button', { name: 'Execute' }).click());
      await block.locator('.live-responses-table .response-col_status', { hasText: `${status}` }).waitFor();
      return block.locator('.live-responses-table').innerText();
    };

    /** Fills in and submits the form of a security scheme. */
    const authorize = async (fields: Readonly<Record<string, string>>): Promise<void> => {
      await page.locator('.scheme-container .authorize').first().click();
      for (const [id, value] of Object.entries(fields)) await page.locator(`#${id}`).fill(value);
      const form = page.locator('.auth-container', { has: page.locator(`#${Object.keys(fields)[0]}`) });
      await form.locator('button.authorize').click();
      await page.locator('.modal-ux button', { hasText: 'Logout' }).waitFor();
      await page.locator('.modal-ux .close-modal').click();
    };

    test('Swagger UI is rejected without a token, fetches one itself, and sends the values of its forms', async () => {
      await open('/swagger-ui', 'localhost');
      const card = await tryOut('getCard');
      expect(await execute(card)).toContain('401');
      const { username, password } = mock.credentials;
      await authorize({ client_id_clientCredentials: username, client_secret_clientCredentials: password });
      expect(heard('getToken').map(({ status }) => status)).toEqual([200]);

      expect(await execute(card)).toContain('"cardId": "card-4001"');
      await card.locator('tr[data-param-name="cardId"] input').fill('card-4002');
      expect(await execute(card)).toContain('"cardId": "card-4002"');
      expect(heard('getCard').slice(1)).toEqual([
        { asked: `GET ${CUSTOMER}/cards/card-4001`, authorization: TOKEN, status: 200 },
        { asked: `GET ${CUSTOMER}/cards/card-4002`, authorization: TOKEN, status: 200 },
      ]);
    });

    test('Swagger UI sends a typed token, a changed body, and a deprecated form', async () => {
      await open('/swagger-ui');
      await authorize({ 'auth-bearer-value': await typedToken() });
      const issue = await tryOut('issueNewCard');
      const written = issue.locator('textarea.body-param__text');
      const body = { ...(JSON.parse(await written.inputValue()) as object), alias: 'Of Swagger UI' };
      await written.fill(JSON.stringify(body));
      expect(await execute(issue)).toContain('"alias": "Of Swagger UI"');
      expect(heard('issueNewCard')).toEqual([
        { asked: `POST ${CUSTOMER}/cards`, authorization: TOKEN, body, status: 200 },
      ]);

      const fees = await tryOut('getCardFeesDeprecated');
      expect(await fees.getAttribute('class')).toContain('opblock-deprecated');
      expect(await execute(fees)).toMatch(/deprecation: @\d+/);
      expect(heard('getCardFeesDeprecated')).toEqual([{ asked: `GET ${FEES}`, authorization: TOKEN, status: 200 }]);
    });
  });

  describe.skipIf(missing)('Scalar', { timeout: 120_000 }, () => {
    const client = (): Locator => page.getByRole('dialog', { name: 'API Client' });

    /**
     * Opens the client of an operation by its link, not by the menu. Each click there toggles a group, and sections
     * that load on scrolling move the target.
     */
    const testRequest = async (operation: string, host?: string): Promise<void> => {
      await open('/scalar', host, `#tag/${operation}`);
      page.setDefaultTimeout(60_000);
      const section = page.locator(`section[id$="/tag/${operation}"]`);
      await section
        .getByText(/Provenance: .*documented/)
        .first()
        .waitFor();
      await section.getByRole('button', { name: 'Test Request' }).click();
      await client().waitFor();
    };

    /** Sends until the new answer is drawn: the old one stays until then, and typed text is applied with a delay. */
    const sendFor = async (wanted: string): Promise<void> => {
      const shown = client().getByRole('region', { name: 'Response', exact: true });
      const send = client().getByRole('button', { name: /^Send \w+ request to/ });
      const drawn = async (): Promise<string> => {
        await answerTo(() => send.click());
        await expect
          .poll(() => shown.innerText(), { timeout: 5_000 })
          .toContain(wanted)
          .catch(() => {});
        return shown.innerText();
      };
      await expect.poll(drawn, { timeout: 60_000 }).toContain(wanted);
    };

    test('Scalar sends a typed token and a body', async () => {
      await testRequest('cards/POST/wallet/api/customers/{customerId}/cards');
      await client()
        .getByPlaceholder('Token')
        .first()
        .fill(await typedToken());
      await sendFor('"alias": "Office supplies"');
      expect(heard('issueNewCard').at(-1)).toEqual({
        asked: `POST ${CUSTOMER}/cards`,
        authorization: TOKEN,
        body: expect.objectContaining({ alias: 'Office supplies', currency: 'GBP' }),
        status: 200,
      });
    });

    test('Scalar sends a deprecated form', async () => {
      await testRequest('fees/GET/iam/api/customers/{customerId}/client/{clientId}/card/fees/{currency}');
      await client()
        .getByPlaceholder('Token')
        .first()
        .fill(await typedToken());
      await sendFor('200 OK');
      expect(heard('getCardFeesDeprecated').at(-1)).toEqual({
        asked: `GET ${FEES}`,
        authorization: TOKEN,
        status: 200,
      });
    });
  });
});
