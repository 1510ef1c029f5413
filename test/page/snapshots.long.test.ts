import { deflateRawSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { startMock } from '../../src/mock/start-mock.ts';
import { ask } from '../mock/support/ask.ts';
import { bearer, send } from '../mock/support/client.ts';
import { describeWith } from '../support/needs.ts';
import { expectAccessible, withPage } from './browser.ts';

const CARD = '/wallet/api/customers/cust-1001/cards/card-4001';
const NOW = '/__mock/snapshot';

function linkOf(snapshot: unknown): string {
  return `#/snapshots/${deflateRawSync(JSON.stringify(snapshot)).toString('base64url')}`;
}

describeWith('chromium', 'snapshots', () => {
  const there = withPage();
  const permissions = ['clipboard-read', 'clipboard-write'];
  const clipboard = (page: Page): Promise<string> => page.evaluate('navigator.clipboard.readText()');
  const suspend = async (): Promise<unknown> => {
    const headers = { authorization: await bearer(there.mock) };
    return send(there.mock, { method: 'PUT', path: `${CARD}/suspend`, headers });
  };

  test('the snapshots view saves the state under a name, returns to it and removes it', async () => {
    await suspend();
    const page = await there.open('#/snapshots');
    await page.getByLabel('name').fill('suspended card');
    await page.getByRole('button', { name: 'Save the current state' }).click();
    const saved = page.getByRole('list', { name: 'Saved' }).getByRole('listitem').filter({ hasText: 'suspended card' });
    await saved.waitFor();
    await there.mock.reset();
    page.once('dialog', (dialog) => void dialog.accept());
    await saved.getByRole('button', { name: 'Open' }).click();
    await page.getByText('The mock is at suspended card').waitFor();
    expect((await ask(there.mock, 'GET', NOW)).text).toContain('SUSPENDED');
    await saved.getByRole('button', { name: 'Remove' }).click();
    await saved.waitFor({ state: 'detached' });
  });

  test("a link brings state, scenario and clock to a colleague's mock, after a preview", async () => {
    await suspend();
    await there.mock.scenario('latency-fixed');
    there.mock.clock.set('2031-05-01T00:00:00Z');
    const page = await there.open('#/snapshots', { permissions });
    await page.getByRole('button', { name: 'Copy a link to the current state' }).click();
    await page.getByText('Copied: the link').waitFor();
    const link = await clipboard(page);
    expect(link.length).toBeLessThan(100_000);
    await using colleague = await startMock();
    const before = (await ask(colleague, 'GET', NOW)).text;
    const other = await there.openOf(colleague, '#/snapshots');
    const changes: string[] = [];
    other.on('request', (request) => {
      if (request.method() !== 'GET') changes.push(request.url());
    });
    await other.getByLabel('a link from someone else').fill(link);
    await other.getByRole('button', { name: 'Preview' }).click();
    const preview = other.getByRole('region', { name: 'Preview of the link' });
    await preview.getByText('none → latency-fixed').waitFor();
    await preview.getByText("the machine's time → 2031-05-01 00:00:").waitFor();
    expect(await preview.getByRole('row', { name: 'cards' }).locator('td').allInnerTexts()).toEqual([
      ...['cust-1001', 'cards', '3', '3', '0', '1', '0'],
    ]);
    await expectAccessible(other);
    expect((await ask(colleague, 'GET', NOW)).text).toBe(before);
    expect(changes).toEqual([]);
    await preview.getByRole('button', { name: 'Change the mock' }).click();
    await other.getByText('The link is open.').waitFor();
    expect((await ask(colleague, 'GET', NOW)).body).toMatchObject({ scenarios: [{ name: 'latency-fixed' }] });
    expect((await ask(colleague, 'GET', `/__mock/state/cards/card-4001?customerId=cust-1001`)).body.status).toBe(
      'SUSPENDED',
    );
    // once open, the same link changes no record
    await other.goto(link.replace(there.mock.url, colleague.url));
    await preview.getByText('The records stay as they are.').waitFor();
    other.once('dialog', (dialog) => void dialog.accept());
    await other
      .getByRole('listitem')
      .filter({ hasText: 'before the link' })
      .getByRole('button', { name: 'Open' })
      .click();
    await other.getByText('The mock is at before the link').waitFor();
    expect((await ask(colleague, 'GET', NOW)).body.scenarios).toEqual([]);
  });

  test('the preview ignores the order of members, and reports moved and generated records', async () => {
    const { body: now } = await ask(there.mock, 'GET', NOW);
    const turned = (value: unknown): unknown =>
      Array.isArray(value)
        ? value.map(turned)
        : Object(value) === value
          ? Object.fromEntries(
              Object.entries(value as object)
                .reverse()
                .map(([name, one]) => [name, turned(one)]),
            )
          : value;
    const page = await there.open(linkOf(turned(now)));
    const preview = page.getByRole('region', { name: 'Preview of the link' });
    await preview.getByText('The records stay as they are.').waitFor();
    const [first, second] = structuredClone(now.state['cust-1001'].clients);
    first.cards.push(second.cards.pop());
    const moved = { ...now, state: { 'cust-1001': { clients: [first, second] } } };
    const cells = async () => (await preview.getByRole('row').locator('td').allInnerTexts()).slice(0, 7);
    await page.goto(`${there.mock.url}/__mock/${linkOf(moved)}`);
    await expect.poll(cells).toEqual(['cust-1001', 'cards', '3', '3', '0', '1', '0']);
    now.state['cust-1001'].clients[0].transactions.push({ count: 8, accountId: 'acc-5001' });
    await page.goto(`${there.mock.url}/__mock/${linkOf(now)}`);
    await expect.poll(cells).toEqual(['cust-1001', 'transactions', '1', '9', '8', '0', '0']);
    await preview.getByRole('button', { name: 'Change the mock' }).click();
    await page.getByText('The link is open.').waitFor();
    const { body: made } = await ask(there.mock, 'GET', '/__mock/state/transactions?customerId=cust-1001');
    expect(made.records).toHaveLength(9);
  });

  test('H1: a hostile link runs no script and changes nothing before it is confirmed', async () => {
    const script = '<img src=x onerror="globalThis.pwned=1"><script>globalThis.pwned=1</script>';
    const before = (await ask(there.mock, 'GET', NOW)).text;
    const hostile = {
      scenarios: [{ name: script, rules: [{ operations: ['*'], answer: { status: 500, body: script } }] }],
      state: { [script]: { cards: [{ cardId: script, ['__proto__']: { polluted: true } }], [script]: [script] } },
    };
    const page = await there.open(linkOf(hostile));
    const preview = page.getByRole('region', { name: 'Preview of the link' });
    await preview.getByText(`none → ${script}`).waitFor();
    await preview.getByText('The scenarios in full').click();
    expect(await page.evaluate('globalThis.pwned ?? ({}).polluted')).toBeUndefined();
    expect((await ask(there.mock, 'GET', NOW)).text).toBe(before);
    await preview.getByRole('button', { name: 'Change the mock' }).click();
    await page.locator('.notice.error').waitFor();
    expect((await ask(there.mock, 'GET', NOW)).text).toBe(before);
    await preview.getByRole('link', { name: 'Do not open' }).click();
    await preview.waitFor({ state: 'detached' });
  });

  test.for([
    ['damaged', '#/snapshots/AAAA', 'This link is damaged.'],
    ['a bomb', linkOf('0'.repeat(60_000_000)), 'This link holds more than 1 MB.'],
    ['too long', `#/snapshots/${'A'.repeat(100_001)}`, 'This link is larger than 100 kB.'],
  ] as const)('a link that cannot be read gets a plain sentence: %s', async ([, view, words]) => {
    const page = await there.open(view);
    await page.getByText(words).waitFor({ timeout: 5_000 });
    expect(await page.getByRole('button', { name: 'Change the mock' }).count()).toBe(0);
  });
});
