import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readContractFolder } from '../../src/contract/read-folder.ts';
import { startMock } from '../../src/mock/start-mock.ts';
import { bearer, send } from '../mock/support/client.ts';
import { answers, api, contractFolder } from '../support/api.ts';
import { describeWith } from '../support/needs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { expectAccessible, withPage } from './browser.ts';

const CARD = '/wallet/api/customers/cust-1001/cards/card-4001';

describeWith('chromium', 'the page', () => {
  const there = withPage();

  const readCard = async (): Promise<Record<string, unknown>> =>
    (await send(there.mock, { path: CARD, headers: { authorization: await bearer(there.mock) } })).json();

  test('the state view edits a record, reports mistakes, adds many records and saves a seed', async () => {
    const page = await there.open('#/state/cards/card-4001');
    const text = page.getByLabel('The record as JSON');
    await expect.poll(() => text.inputValue()).toContain('card-4001');
    const record = JSON.parse(await text.inputValue());
    const { token } = await readCard();
    await text.fill(JSON.stringify({ ...record, alias: 'Petty cash' }));
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('It was changed').waitFor();
    expect(await readCard()).toMatchObject({ alias: 'Petty cash', token });
    await text.fill(JSON.stringify({ ...record, cardLimitDaily: 'much' }));
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.locator('.wrong', { hasText: '/cardLimitDaily' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('spinbutton').fill('250');
    await page.getByRole('button', { name: 'Add many' }).click();
    await page.getByText('253 cards').waitFor();
    expect(await page.locator('tbody tr').count()).toBe(100);
    await page.getByRole('button', { name: '153 more' }).click();
    await page.getByRole('button', { name: '53 more' }).click();
    await expect.poll(() => page.locator('tbody tr').count()).toBe(253);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as seed' }).click();
    const file = await (await download).createReadStream();
    let seed = '';
    for await (const chunk of file) seed += chunk;
    expect(JSON.stringify(parse(seed))).toContain('Petty cash');
  });

  test('the state view has a column for each member of a record, the distinctive ones first', async () => {
    await using rich = await startMock({ seedData: 'rich' });
    const page = await there.openOf(rich, '#/state/transactions');
    await page.getByRole('link', { name: 'txn-7001' }).waitFor();
    const heads = await page.locator('th').allInnerTexts();
    expect(heads.slice(0, 5)).toEqual(['transactionId', 'direction', 'amount', 'currency', 'status']);
    expect(heads.indexOf('accountId')).toBeGreaterThan(heads.indexOf('purposeCode'));
    expect(heads.slice(-6)).toContain('paymentProviderDetails.settlementDate');
    expect(await page.locator('tbody').innerText()).not.toMatch(/[{}[\]]/);
  });

  test('the state view explains that a record has changed since it was opened', async () => {
    const page = await there.open('#/state/cards/card-4001');
    const text = page.getByLabel('The record as JSON');
    await expect.poll(() => text.inputValue()).toContain('card-4001');
    const path = '/__mock/state/cards/card-4001?customerId=cust-1001';
    const record = await (await send(there.mock, { path })).json();
    const headers = { 'content-type': 'application/json' };
    const changed = JSON.stringify({ ...record, alias: 'By the application' });
    expect((await send(there.mock, { method: 'PUT', path, headers, body: changed })).status).toBe(200);
    await text.fill(JSON.stringify({ ...record, alias: 'By the reader' }));
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('This record has changed since you opened it').waitFor();
    await expectAccessible(page);
    expect(await text.inputValue()).toContain('By the reader');
    await page.getByRole('button', { name: 'Discard my text and read it again' }).click();
    await expect.poll(() => text.inputValue()).toContain('By the application');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('It was changed').waitFor();
    expect(await page.getByText('This record has changed').count()).toBe(0);
  });

  test('the reference sends a request with a seed id and a token, which does not count as coverage', async () => {
    const page = await there.open('#/reference/getCard');
    const id = page.getByRole('textbox', { name: 'cardId' });
    await expect.poll(() => id.inputValue()).toMatch(/^card-/);
    await page.getByRole('button', { name: 'Send' }).click();
    const answer = page.getByRole('region', { name: 'Answer' });
    await answer.locator('.chip', { hasText: '200' }).waitFor();
    await answer.getByRole('link', { name: /^exchange/ }).waitFor();
    await expectAccessible(page);
    await page.getByRole('combobox', { name: 'token' }).selectOption('none');
    await page.getByRole('button', { name: 'Send' }).click();
    await answer.locator('.chip', { hasText: '401' }).waitFor();
    await page.goto(`${there.mock.url}/__mock/#/reference/getToken`);
    await page.getByRole('button', { name: 'Send' }).click();
    await answer.locator('.chip', { hasText: '200' }).waitFor();
    expect(await answer.innerText()).not.toMatch(/eyJ/);
    await page.goto(`${there.mock.url}/__mock/#/audit`);
    await page.getByText('Each rule says what it needs.').waitFor();
    const rule = page.getByRole('row', { name: 'unauthorized-not-retried' });
    await rule.getByText('needs a 401 whose call is sent again').waitFor();
    await rule.getByRole('button', { name: 'Turn on unauthorized-once' }).waitFor();
  });

  test('the request form names records that exist now, and sends what another contract requires', async () => {
    const page = await there.open('#/reference/getCard');
    const id = page.getByRole('textbox', { name: 'cardId' });
    await expect.poll(() => id.inputValue()).toBe('card-4001');
    await send(there.mock, { method: 'DELETE', path: '/__mock/state/cards/card-4001?customerId=cust-1001' });
    await send(there.mock, { path: '/nothing' });
    await page.goto(`${there.mock.url}/__mock/#/reference/listClientCards`);
    await page.locator('.rail .count', { hasText: '1' }).waitFor();
    await page.goto(`${there.mock.url}/__mock/#/reference/getCard`);
    await expect.poll(() => id.inputValue()).toBe('card-4002');
    await using other = await startMock({ folder: await readContractFolder('examples/second-api') });
    const second = await there.openOf(other);
    for (const operation of ['fetchToken', 'listLofts', 'readPigeon', 'sendLetter']) {
      await second.goto(`${other.url}/__mock/#/reference/${operation}`);
      await second.getByRole('heading', { name: 'Try it' }).waitFor();
      await second.getByRole('button', { name: 'Send' }).click();
      await second.getByRole('region', { name: 'Answer' }).locator('.chip.good').waitFor();
    }
  });

  test('the reference does not say that an operation is missing before the contract is read', async () => {
    const page = await there.open('#/reference/getCard');
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route('**/contract.json', async (route) => {
      await promise;
      await route.continue();
    });
    await page.reload();
    await page.getByText('Reading the contract').waitFor();
    expect(await page.locator('main').innerText()).not.toMatch(/serves no|0 operations|No operation/);
    resolve();
    await page.getByRole('heading', { name: 'Try it' }).waitFor();
  });

  test.for(['multipart/form-data', 'application/x-www-form-urlencoded'])('the request form sends %s', async (type) => {
    const folder = await temporaryFolder();
    writeFileSync(join(folder, 'contract.yaml'), 'contract: 1\nname: uploads\nspec: openapi.json\n');
    const properties = {
      file: { type: 'string', minLength: 1 },
      tags: { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } },
    };
    const schema = { type: 'object', required: ['file', 'tags'], properties };
    const post = {
      ...{ operationId: 'upload', security: [], requestBody: { required: true, content: { [type]: { schema } } } },
      responses: { 204: { description: 'ok' } },
    };
    await using uploads = await startMock({ folder: await contractFolder(api({ '/uploads': { post } })) });
    const page = await there.openOf(uploads, '#/reference/upload');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('region', { name: 'Answer' }).locator('.chip.good').waitFor();
  });

  test.for([
    { type: 'apiKey', in: 'header', name: 'X-Key' },
    { type: 'http', scheme: 'basic' },
    { type: 'http', scheme: 'bearer' },
  ])('the request form sends the credentials of a contract without tokens: %o', async (scheme) => {
    const paths = { '/things': { get: { operationId: 'listThings', ...answers({ type: 'object' }) } } };
    const secured = { security: [{ key: [] }], components: { securitySchemes: { key: scheme } } };
    await using keys = await startMock({ folder: await contractFolder(api(paths, secured)) });
    const page = await there.openOf(keys, '#/reference/listThings');
    await page.getByRole('button', { name: 'Send' }).click();
    const answered = page.getByRole('region', { name: 'Answer' });
    await answered.locator('.chip.good').waitFor();
    // a challenge opens no dialog of the browser
    await page.getByRole('combobox', { name: 'token' }).selectOption('none');
    await page.getByRole('button', { name: 'Send' }).click();
    await answered.locator('.chip', { hasText: '401' }).waitFor();
  });

  test('the reference shows paths, plain words, and the fields before the form', async () => {
    const page = await there.open('#/reference/issueNewCard');
    const detail = page.getByRole('region', { name: 'issueNewCard' });
    await detail.getByText('Not shown in the reference: request fields, response fields').waitFor();
    const heads = await detail.getByRole('heading', { level: 3 }).allInnerTexts();
    expect(heads.slice(0, 3)).toEqual([
      expect.stringMatching(/^Request body/),
      expect.stringMatching(/^Response 2/),
      'Try it',
    ]);
    await page.locator('.map li', { hasText: '/wallet/api/customers/{customerId}/cards/{cardId}' }).first().waitFor();
  });

  test('the reference lists the rejections of an operation by status', async () => {
    const page = await there.open('#/reference/issueNewCard');
    const refused = page.getByRole('region', { name: 'Response 422' });
    await refused.getByText('card-limit', { exact: true }).waitFor();
    expect(await refused.getByRole('listitem').allInnerTexts()).toContainEqual(
      expect.stringMatching(/^unknown-reference\s+The body refers to an id that does not exist\.$/),
    );
    await page.getByRole('region', { name: 'Response 401' }).getByText('token-missing').waitFor();
    await expectAccessible(page);
  });

  test('the request form can be filled from an exchange', async () => {
    const headers = { authorization: await bearer(there.mock), 'content-type': 'application/json' };
    await send(there.mock, {
      method: 'POST',
      path: '/wallet/api/customers/cust-1001/cards',
      headers,
      body: '{"cardDesign":"mine"}',
    });
    const page = await there.open(`#/exchange/${there.mock.journal.entries().at(-1)?.seq}`);
    await page.getByRole('link', { name: 'Open in try-it' }).click();
    await expect.poll(() => page.getByRole('textbox', { name: 'body' }).inputValue()).toContain('"cardDesign": "mine"');
  });

  test('the reference shows the provenance, source and use of each field', async () => {
    await readCard();
    const page = await there.open('#/provenance/getCard');
    await expectAccessible(page);
    const detail = page.getByRole('region', { name: 'getCard' });
    const field = detail.locator('li', { hasText: 'cardLimitDaily' });
    await field.getByText('API reference, Resources, Card').waitFor();
    await field.getByText(/^spec\/schemas\/card\.yaml:\d+$/).waitFor();
    await page
      .locator('.map li', { hasText: /^GETgetCard1/ })
      .locator('.ring.documented.used')
      .waitFor();
    await page.getByTitle('response /cardLimitMonthly: documented').first().waitFor();
    // j, k and Esc move through the operations
    await page.keyboard.press('j');
    await detail.waitFor({ state: 'detached' });
    await page.keyboard.press('k');
    await detail.waitFor();
    await page.keyboard.press('Escape');
    await detail.waitFor({ state: 'detached' });
    await page.keyboard.press('/');
    await page.keyboard.type('cardLimitDaily');
    await page.getByRole('link', { name: /rejectClient/ }).waitFor({ state: 'detached' });
    expect(await page.locator('.map li').count()).toBeGreaterThan(0);
  });

  test("the audit view lists deprecated operations still in use, and the caller's score card", async () => {
    const authorization = await bearer(there.mock);
    const deprecated = (await there.mock.contract()).operations.find((one) => one.deprecated && one.method === 'GET');
    if (!deprecated?.path) throw new Error('no deprecated operation');
    const values: Record<string, string> = { customerId: 'cust-1001', clientId: 'client-2001', currency: 'GBP' };
    const path = deprecated.path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? 'x');
    await send(there.mock, { path, headers: { authorization } });
    await send(there.mock, { path: CARD });
    const page = await there.open('#/audit');
    await page.locator('tr', { hasText: 'deprecated-operation-called' }).getByText('broken').waitFor();
    await page.locator('tr', { hasText: 'token-missing' }).getByText('broken').waitFor();
    await expectAccessible(page);
    await page.locator('.chip:not(.error)', { hasText: '0 undecided' }).waitFor();
    await page.getByRole('button', { name: 'Turn on rate-limited' }).click();
    await page.getByText('rate-limited is active. Now use your application.').waitFor();
    await page.locator('tr', { hasText: 'rate-limit-ignored' }).getByText('needs a 429').waitFor();
  });

  test('the audit view updates while exchanges keep arriving', async () => {
    const page = await there.open('#/audit');
    let judged = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/__mock/audit')) judged += 1;
    });
    // at shorter intervals than between two readings, and for longer than any refresh
    for (let sent = 0; sent < 150 && judged < 3; sent += 1) {
      await send(there.mock, { path: CARD });
      await page
        .locator('.rail .count')
        .getByText(String(sent + 1), { exact: true })
        .waitFor();
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(judged).toBeGreaterThanOrEqual(3);
  });

  test('the page supports another contract', async () => {
    await using other = await startMock({ folder: await readContractFolder('examples/second-api') });
    const page = await there.openOf(other, '#/reference');
    const { operations } = await other.contract();
    const located = operations.filter(({ path }) => path !== null);
    await page.getByText(`${located.length} operations, 0 called`).waitFor();
    await send(other, { path: '/v2/lofts', headers: { 'x-post-office': 'east' } });
    for (const view of ['state', 'scenarios', 'audit', 'webhooks', 'clock', 'tokens', 'journal']) {
      await page.goto(`${other.url}/__mock/#/${view}`);
      await page.locator('main h1').first().waitFor({ state: 'attached' });
      expect(await page.locator('main').innerText()).not.toMatch(/(?<!score )\bcards?\b|wallet/i);
      await expectAccessible(page);
    }
  });
});
