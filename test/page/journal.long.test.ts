import { expect, test } from 'vitest';
import { startMock } from '../../src/mock/start-mock.ts';
import { bearer, send } from '../mock/support/client.ts';
import { describeWith } from '../support/needs.ts';
import { expectAccessible, PAGE, withPage } from './browser.ts';

const CARD = '/wallet/api/customers/cust-1001/cards/card-4001';

describeWith('chromium', 'the journal of the page', () => {
  const there = withPage();

  test("the journal view shows earlier exchanges and each new one as it ends, without the page's own", async () => {
    await send(there.mock, { path: CARD });
    const page = await there.open();
    await page.locator('.row').waitFor();
    await send(there.mock, { path: CARD, headers: { authorization: await bearer(there.mock) } });
    await page.locator('.row').nth(2).waitFor();
    expect(await page.locator('.row').allInnerTexts()).toHaveLength(3);
    await expectAccessible(page);
    expect(there.mock.journal.entries()).toHaveLength(3);
  });

  test('keys move through the journal, and the detail explains a rejection', async () => {
    await send(there.mock, { path: CARD });
    await send(there.mock, { path: '/wallet/api/nothing' });
    const page = await there.open();
    await page.locator('.row').nth(1).waitFor();
    // from the newest
    await page.keyboard.press('j');
    await page.getByRole('heading', { name: 'Refused: no-such-path' }).waitFor();
    expect(page.url()).toContain(`#/exchange/${there.mock.journal.entries()[1]?.seq}`);
    await page.keyboard.press('j');
    await page.getByRole('heading', { name: 'Refused: token-missing' }).waitFor();
    expect(await page.locator('[aria-current=step]').innerText()).toBe('token');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Copy curl' }).focus();
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: /^Refused/ }).waitFor({ state: 'detached' });
    // the focus returns to the list, and the arrow keys work there as well
    await expect.poll(() => page.evaluate<string>(`${PAGE}.activeElement?.className`)).toMatch(/^rows/);
    await page.keyboard.press('ArrowDown');
    await page.getByRole('heading', { name: 'Refused: no-such-path' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.getByRole('heading', { name: 'Refused: token-missing' }).waitFor();
    // a held key repeats before the next frame
    const first = there.mock.journal.entries()[0]?.seq;
    await page.evaluate(`(async () => {
      for (const key of ['k', 'j']) {
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
        await new Promise((resolve) => { const { port1, port2 } = new MessageChannel(); port1.onmessage = resolve; port2.postMessage(0); });
      }
    })()`);
    expect(page.url()).toContain(`#/exchange/${first}`);
    await page.keyboard.press('Escape');
  });

  test('a pressed button keeps the focus, and a detail that closes gives it back to the list', async () => {
    await send(there.mock, { path: CARD });
    const page = await there.open(`#/exchange/${there.mock.journal.entries()[0]?.seq}`);
    const focused = () => page.evaluate<string>(`${PAGE}.activeElement?.textContent`);
    const close = page.getByRole('link', { name: 'Close', exact: true });
    const opener = page.locator('[aria-current="true"] a');
    await page.locator('.rows').waitFor();
    await close.press('Enter');
    await close.waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate<string>(`${PAGE}.activeElement?.outerHTML.slice(0, 60)`)).toMatch(/"rows/);
    await page.evaluate("location.hash = '#/reference/getCard'");
    await opener.waitFor();
    await close.press('Enter');
    await expect.poll(focused).toMatch(/^GETgetCard/);
    await page.evaluate("location.hash = '#/state/cards/card-4001'");
    await opener.waitFor();
    await close.press('Enter');
    await expect.poll(focused).toBe('card-4001');
    await page.evaluate("location.hash = '#/clock'");
    await page.getByRole('button', { name: '+ 1 hour' }).press('Enter');
    await page.getByText('1 hour later').waitFor();
    expect(await focused()).toBe('+ 1 hour');
  });

  test('a row marks the exchanges that the page does not have between others', async () => {
    for (let count = 0; count < 9; count += 1) await send(there.mock, { path: CARD });
    const entries = there.mock.journal.entries();
    let connections = 0;
    const page = await there.open('#/clock');
    await page.route('**/__mock/events', async (route) => {
      connections += 1;
      const sent = entries.flatMap((entry, at) =>
        [3, 4, 5].includes(at) ? [] : [`event: exchange\nid: x.${at + 1}\ndata: ${JSON.stringify(entry)}\n\n`],
      );
      // the first stream leaves a gap, the second one stays silent, as a slow mock does
      if (connections === 1)
        await route.fulfill({ body: sent.join(''), headers: { 'content-type': 'text/event-stream' } });
    });
    await page.reload();
    await page.evaluate("location.hash = '#/journal'");
    await page.getByText('9 exchanges, 3 not kept').waitFor();
    const rows = async () =>
      (await page.locator('.row').allInnerTexts()).map((text) => /#\d+|.* shown/.exec(text)?.[0]);
    const numbers = entries.map(({ seq }) => `#${seq}`).reverse();
    expect(await rows()).toEqual([...numbers.slice(0, 3), '3 exchanges not shown', ...numbers.slice(6)]);
    // the gap stays if a filter hides the rows around it
    await page.getByRole('searchbox').fill(`${numbers.at(-1)} `);
    await expect.poll(rows).toEqual(['3 exchanges not shown', numbers.at(-1)]);
  });

  test('a link to an exchange waits for the journal, and says so if the journal has lost it', async () => {
    await send(there.mock, { path: CARD });
    const page = await there.open();
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/__mock/events', async (route) => {
      await held;
      await route.continue();
    });
    const { seq } = there.mock.journal.entries()[0] ?? {};
    await page.evaluate(`location.hash = '#/exchange/${seq}'`);
    await page.reload();
    await page.getByRole('heading', { name: 'Reading the journal' }).waitFor();
    release();
    await page.getByRole('heading', { name: 'Refused: token-missing' }).waitFor();
    await page.evaluate("location.hash = '#/exchange/999999'");
    await page.getByRole('heading', { name: 'Exchange 999999 is not here' }).waitFor();
  });

  test('a row has chips for scenario, warning and deprecation, and the headline follows the status', async () => {
    const page = await there.open();
    const headers = { authorization: await bearer(there.mock), 'content-type': 'application/json' };
    const card = { clientId: 'client-2001', userId: 'user-3001', cardType: 'VIRTUAL', currency: 'GBP', odd: 1 };
    const sent = { method: 'POST', path: '/wallet/api/customers/cust-1001/cards', headers };
    const late = (await there.mock.contract()).operations.find(
      ({ operationId }) => operationId === 'getCardFeesDeprecated',
    );
    const path = `${late?.path}`.replace(/\{(\w+)\}/g, (_, name) => (name === 'currency' ? 'GBP' : 'client-2001'));
    for (const [answer, chip, headline] of [
      [{ ...sent, body: JSON.stringify(card) }, 'warning', 'Served, with a warning'],
      [{ ...sent, body: JSON.stringify({ ...card, cardType: 7 }) }, null, 'Refused: invalid-body'],
      [{ path: CARD, headers: { ...headers, 'x-mock-scenario': 'server-down' } }, 'server-down', /^Refused/],
      [{ path, headers }, 'deprecated', null],
    ] as const) {
      await send(there.mock, answer);
      const row = page.locator('.row').first();
      await expect.poll(() => row.innerText()).toContain(`#${there.mock.journal.entries().at(-1)?.seq} `);
      if (chip) await row.locator('.chip', { hasText: chip }).waitFor();
      await row.click();
      if (headline) await page.getByRole('heading', { name: headline }).waitFor();
      await page.keyboard.press('Escape');
    }
  });

  test('the journal view filters rejections, warnings and preflights, and starts with a copyable first request', async () => {
    const page = await there.open();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy a request as curl' }).click();
    await page.getByText(/^Copied: \w+ as curl/).waitFor();
    const curl = await page.evaluate<string>('navigator.clipboard.readText()');
    const [, authorization = '', url = ''] = /^curl -H 'Authorization: (.*)' '(.*)'$/.exec(curl) ?? [];
    expect((await fetch(url, { headers: { authorization } })).status).toBe(200);
    await send(there.mock, { path: CARD });
    const preflight = { origin: 'http://localhost:1', 'access-control-request-method': 'GET' };
    await send(there.mock, { method: 'OPTIONS', path: CARD, headers: preflight });
    await page.locator('.row').nth(2).waitFor();
    await page.getByLabel('hide preflights').check();
    await page.getByText('2 of 3 exchanges').waitFor();
    await page.getByLabel('Filter').selectOption('refused');
    await page.getByText('1 of 3 exchanges').waitFor();
    await page.getByLabel('Filter').selectOption('with warning');
    await page.getByRole('heading', { name: 'No exchange is like that' }).waitFor();
  });

  test('the detail repeats a request with its repair', async () => {
    await send(there.mock, { path: CARD });
    const page = await there.open(`#/exchange/${there.mock.journal.entries()[0]?.seq}`);
    await page.getByRole('button', { name: 'Repeat with a fresh token' }).click();
    await page.getByRole('heading', { name: `200 GET ${CARD}` }).waitFor();
    expect(there.mock.journal.entries().map(({ response }) => response?.status)).toEqual([401, 200]);
  });

  test('the detail marks rejected parts and syntax errors in a body, and repeats it repaired', async () => {
    const headers = { authorization: await bearer(there.mock), 'content-type': 'application/json' };
    const sent = { method: 'POST', path: '/wallet/api/customers/cust-1001/cards', headers };
    await send(there.mock, { ...sent, body: '{\n  "alias": "<b>",\n  "cardType" 7\n}' });
    const card = { clientId: 'client-2001', userId: 'user-3001', cardType: 7, currency: 'GBP', alias: 'Travel' };
    await send(there.mock, { ...sent, body: JSON.stringify(card) });
    const page = await there.open(`#/exchange/${there.mock.journal.entries().at(-2)?.seq}`);
    await page.locator('mark', { hasText: '7' }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('k');
    await page.locator('.json-line.is-wrong', { hasText: '"cardType": 7' }).waitFor();
    await page.getByRole('button', { name: 'Repeat with the body repaired' }).click();
    await page.getByRole('heading', { name: '200 POST' }).waitFor();
    expect(there.mock.journal.entries().at(-1)?.response?.status).toBe(200);
  });

  test('H1: hostile values appear as text', async () => {
    const hostile = `<img src=x onerror=alert(1)></script>\u202e`;
    const authorization = await bearer(there.mock);
    await send(there.mock, {
      method: 'POST',
      path: `/wallet/api/customers/cust-1001/cards?${encodeURIComponent(hostile)}`,
      headers: { authorization, 'content-type': 'application/json', 'x-odd': '<b>bold</b>' },
      body: JSON.stringify({ [hostile]: hostile }),
    });
    const page = await there.open(`#/exchange/${there.mock.journal.entries().at(-1)?.seq}`);
    await page.locator('.json').first().waitFor();
    expect(await page.locator('article img, article b b, article script').count()).toBe(0);
    const shown = await page.locator('.json').first().innerText();
    expect(shown).toContain('onerror');
    // a character that reverses text appears, without effect
    expect(shown).toContain('\\u202e');
    expect(shown).not.toContain('\u202e');
  });

  test('the view continues by itself after the mock restarts', async () => {
    const first = await startMock();
    await send(first, { path: CARD });
    const page = await there.openOf(first);
    await page.locator('.row').waitFor();
    await first.close();
    await page.getByRole('alert').waitFor();
    await using second = await startMock({ port: first.port });
    await page.getByText('The mock was started again.').waitFor();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'No requests yet' }).waitFor();
    await send(second, { path: CARD });
    await page.locator('.row').waitFor();
  });

  test('the document has at most 200 rows, for any number of exchanges', async () => {
    const page = await there.open();
    for (let count = 0; count < 1_000; count += 50)
      await Promise.all(Array.from({ length: 50 }, () => send(there.mock, { path: CARD })));
    await page.getByText('1000 exchanges').waitFor();
    expect(await page.locator('.row').count()).toBeLessThanOrEqual(200);
    await page.getByRole('searchbox').fill('no such thing');
    await page.getByRole('heading', { name: 'No exchange is like that' }).waitFor();
    await page.getByRole('searchbox').fill('getcard 401');
    await page.getByText('1000 exchanges').waitFor();
    // a number also matches sequence numbers, and a word matches in one place or the other
    await page.getByRole('searchbox').fill('getcard #99');
    await page.getByText('11 of 1000 exchanges').waitFor();
    await page.getByRole('searchbox').fill('#99 nothing');
    await page.getByRole('heading', { name: 'No exchange is like that' }).waitFor();
    await page.getByRole('searchbox').fill('');
    await page.getByText('1000 exchanges').waitFor();
    // the whole list can be scrolled, and stays in place while newer rows arrive
    const oldest = there.mock.journal.entries()[0]?.seq;
    await page.evaluate(`${PAGE}.querySelector('.rows').scrollTop = 1e9`);
    await page.locator(`#row-${oldest}`).waitFor();
    await expectAccessible(page);
    await page.evaluate(`${PAGE}.querySelector('.rows').scrollTop = 17_000`);
    const row = page.locator(`#row-${Number(oldest) + 490}`);
    await row.waitFor();
    const before = await row.boundingBox();
    for (let count = 0; count < 5; count += 1) await send(there.mock, { path: CARD });
    await page.getByText('1005 exchanges').waitFor();
    await expect.poll(() => row.boundingBox()).toEqual(before);
    expect(await page.locator('.row').count()).toBeLessThanOrEqual(200);
  });

  test('after a burst, the page has the newest exchange within a second, and all that the mock still has', async () => {
    const busy = await there.open();
    const rows = (page: typeof busy) =>
      expect
        .poll(() => page.evaluate<number>(`Number(${PAGE}.querySelector('.row')?.ariaSetSize)`), { timeout: 5_000 })
        .toBeGreaterThanOrEqual(1_000);
    let sent = 0;
    const caller = async (): Promise<void> => {
      while (sent < 5_000) {
        sent += 1;
        await send(there.mock, { path: CARD });
      }
    };
    await Promise.all(Array.from({ length: 20 }, caller));
    const newest = there.mock.journal.entries({ limit: 1 })[0]?.seq;
    expect(newest).toBeGreaterThan(4_980);
    await busy.getByText('5000 exchanges').waitFor({ timeout: 1_000 });
    await busy.locator(`#row-${newest}`).waitFor({ timeout: 1_000 });
    await rows(busy);
    const later = await there.open();
    await later.locator(`#row-${newest}`).waitFor({ timeout: 1_000 });
    await rows(later);
    await later.getByText('5000 exchanges, 4000 not kept').waitFor();
    await later.locator('.rows').evaluate((list) => Object.assign(list, { scrollTop: 1e9 }));
    await later.getByText('4000 exchanges not shown').waitFor();
  });

  test('a large body opens at once, and loads more lines on demand', async () => {
    const headers = { authorization: await bearer(there.mock) };
    const type = { 'content-type': 'application/json' };
    await send(there.mock, {
      method: 'POST',
      path: '/__mock/state/cards?customerId=cust-1001&count=400',
      headers: type,
      body: '{}',
    });
    await send(there.mock, { path: '/wallet/api/customers/cust-1001/clients/client-2001/cards', headers });
    const page = await there.open(`#/exchange/${there.mock.journal.entries().at(-1)?.seq}`);
    await page.locator('.json-line').nth(400).waitFor();
    expect(await page.evaluate<number>(`${PAGE}.querySelectorAll('*').length`)).toBeLessThan(6_000);
    await page.getByRole('button', { name: /more lines$/ }).click();
    await page.locator('.json-line').nth(900).waitFor();
  });
});
