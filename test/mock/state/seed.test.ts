import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ToolError } from '../../../src/errors.ts';
import type { Mock, MockOptions } from '../../../src/mock/mock.ts';
import { startMock } from '../../../src/mock/start-mock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { ask } from '../support/ask.ts';

const folder = await temporaryFolder();

async function started(text: string, options: MockOptions = {}, name = 'seed.yaml'): Promise<Mock> {
  const file = join(folder, name);
  await writeFile(file, text);
  return startMock({ listen: false, anyToken: true, ...options, seedData: file });
}
type Records = Record<string, Record<string, unknown>[]>;
const recordsOf = async (mock: Mock, customer: string): Promise<Records> =>
  (await ask(mock, 'GET', `/__mock/state?customerId=${customer}`)).body.records;

describe('an incomplete seed', () => {
  const TEXT = `clients:
  - users: [{}, {}]
    accounts: [{ accountId: acc-1, currency: EUR, balance: 10 }, { ibanForSwift: ~ }]
    cards: [{ cardType: VIRTUAL }]
`;

  test('an incomplete seed is completed like a POST: equally at every start, differently with another seed', async () => {
    await using mock = await started(TEXT);
    const records = await recordsOf(mock, 'c');
    expect(records.user).toHaveLength(2);
    expect(records.client?.[0]).toMatchObject({ clientId: expect.stringMatching(/^client-[0-9a-f]{8}$/) });
    expect(records.account?.map(({ accountId, balance }) => [accountId, balance])).toEqual([
      ['acc-1', 10],
      [expect.stringMatching(/^acc-[0-9a-f]{8}$/), 0],
    ]);
    expect(records.account?.map((account) => 'ibanForSwift' in account)).toEqual([true, false]);
    expect(records.card?.[0]).toMatchObject({ userId: records.user?.[0]?.userId, alias: 'New virtual card' });
    expect(records.card?.[0]).not.toHaveProperty('token');
    await using again = await started(TEXT);
    expect(await recordsOf(again, 'c')).toEqual(records);
    await using other = await started(TEXT, { seed: 2 });
    expect((await recordsOf(other, 'c')).client).not.toEqual(records.client);
  });

  test('an incomplete seed is completed equally if its changes are stored in a file', async () => {
    const store = join(folder, 'state.db');
    const card = '/wallet/api/customers/c/cards';
    let made: string;
    let before: Records;
    {
      await using mock = await started(TEXT, { store });
      made = (await ask(mock, 'POST', card, { alias: 'Mine' })).body.cardId;
      before = await recordsOf(mock, 'c');
    }
    await using mock = await started(TEXT, { store });
    expect(await recordsOf(mock, 'c')).toEqual(before);
    expect((await ask(mock, 'GET', `${card}/${made}`)).body.alias).toBe('Mine');
  });
});

describe('a seed with several customers', () => {
  const TEXT = `extends: default
clients:
  - { clientId: client-2001, name: Renamed }
customers:
  - customerId: acme
    clients: [{ clientId: a, name: Acme }]
  - customerId: globex
    extends: default
    clients: [{ clientId: g, cards: [{ cardId: g-1 }] }]
    fees: { card: { CHF: [{ type: ISSUE_PHYSICAL, amount: 7 }] } }
`;
  const clients = async (mock: Mock, customer: string): Promise<string[]> =>
    (await ask(mock, 'GET', `/iam/api/customers/${customer}/clients`)).body.map(({ name }: { name: string }) => name);

  test('listed customers start with their own records, all others with the common ones', async () => {
    await using mock = await started(TEXT);
    expect(await clients(mock, 'acme')).toEqual(['Acme']);
    expect(await clients(mock, 'globex')).toEqual([
      'Harbour Street Coffee Ltd',
      'Nordlicht Design GmbH',
      expect.any(String),
    ]);
    expect(await clients(mock, 'anyone')).toEqual(['Renamed', 'Nordlicht Design GmbH']);
    expect((await ask(mock, 'GET', '/wallet/api/customers/anyone/cards/card-4001')).status).toBe(200);
    expect((await ask(mock, 'GET', '/wallet/api/customers/acme/cards/card-4001')).status).toBe(404);
    const fees = (customer: string): string => `/billing/api/customers/${customer}/client/x/card/fees/CHF`;
    expect((await ask(mock, 'GET', fees('globex'))).body.fees).toEqual([{ type: 'ISSUE_PHYSICAL', amount: 7 }]);
    expect((await ask(mock, 'GET', fees('acme'))).status).toBe(422);
  });

  test('two hundred customers each get their own records, the same at every start', async () => {
    const text = `const clients = [{ users: [{}, {}, {}], accounts: [{}, {}], cards: [{}] }];
const customers = Array.from({ length: 200 }, (_, n) => ({ customerId: \`load-\${n + 1}\`, clients }));
export default { extends: 'default', customers };`;
    await using mock = await started(text, {}, 'many.mjs');
    const { body } = await ask(mock, 'GET', '/__mock/tenants');
    expect(body.tenants).toHaveLength(201);
    const [one, two] = [await recordsOf(mock, 'load-1'), await recordsOf(mock, 'load-200')];
    expect([one.user?.length, one.account?.length, one.card?.length]).toEqual([3, 2, 1]);
    expect(one.client).not.toEqual(two.client);
    expect((await recordsOf(mock, 'load-201')).client).toHaveLength(2);
    await using again = await started(text, {}, 'many.mjs');
    expect(await recordsOf(again, 'load-200')).toEqual(two);
  });

  test('several customers are saved as one seed that restores them', async () => {
    await using mock = await started(TEXT);
    await ask(mock, 'POST', '/wallet/api/customers/acme/clients/a/accounts', { name: 'Till' });
    await ask(mock, 'POST', '/wallet/api/customers/anyone/cards', {});
    const saved = (await ask(mock, 'GET', '/__mock/seed')).text;
    await using again = await started(saved, {}, 'saved.yaml');
    for (const customer of ['acme', 'globex', 'anyone', 'another'])
      expect([customer, (await recordsOf(again, customer)).account]).toEqual([
        customer,
        (await recordsOf(mock, customer)).account,
      ]);
    expect((await recordsOf(again, 'anyone')).card).toHaveLength(4);
  });
});

describe('seed modules', () => {
  test.each([
    ['plain.mjs', "export default { clients: [{ clientId: 'm' }] };"],
    ['asked.mjs', "export default async () => ({ clients: [{ clientId: 'm' }] });"],
    ['typed.ts', "const id: string = 'm';\nexport default () => ({ clients: [{ clientId: id }] });"],
  ])('a seed may be a module: %s', async (name, text) => {
    await using mock = await started(text, {}, name);
    expect((await recordsOf(mock, 'c')).client).toMatchObject([{ clientId: 'm' }]);
  });

  test.each([
    ['thrown.mjs', "throw new Error('no luck');", /cannot be loaded: no luck/],
    ['nothing.mjs', 'export const seed = {};', /no default export/],
    ['circle.mjs', 'const seed = {}; seed.clients = [seed]; export default seed;', /cannot be loaded/],
    ['list.mjs', 'export default [];', /must be an object/],
    ['wrong.mjs', "export default { clients: [{ status: 'LOST' }] };", /must be one of/],
    ['type.mjs', "export default { clients: [{ accounts: [{ balance: 'much' }] }] };", /must be number or null\.$/],
    [
      'form.mjs',
      "export default { clients: [{ country: 'gb' }] };",
      /the form that is wanted here: \^\[A-Z\]\{2\}\$\.$/,
    ],
    [
      'time.mjs',
      "export default { clients: [{ transactions: [{ createdAt: 'today' }] }] };",
      /wanted here: Date-time in UTC, such as 2025-03-03T10:15:30Z\.$/,
    ],
  ])('a module is rejected if its seed is invalid: %s', async (name, text, message) => {
    await expect(started(text, {}, name)).rejects.toMatchObject({
      code: 'config',
      message: expect.stringMatching(message),
      place: { file: join(folder, name) },
    });
  });
});

describe('mistakes in a seed', () => {
  test('all mistakes of a seed are reported, in the order of the file', async () => {
    const rows = Array.from(
      { length: 300 },
      (_, index) => `      - { accountId: a-${index}, balnce: 1, currency: gbp }\n`,
    );
    const text = `clients:\n  - clientId: c\n    accounts:\n${rows.join('')}    cards: [{ userId: nobody }]\n`;
    const error = await started(text).then(
      () => undefined,
      (thrown: ToolError) => thrown,
    );
    const lines = error?.describe().split('\n') ?? [];
    expect(lines).toHaveLength(601);
    expect(lines[0]).toMatch(/seed\.yaml:4:27 \(at .*balnce\): There is no key "balnce" here\. Did you mean balance\?/);
    expect(lines[600]).toMatch(/seed\.yaml:304:23 .*There is no user "nobody" here/);
  });

  test('a wrong value in a seed is reported', async () => {
    const seedData = { clients: [{ clientId: 'a' }, { clientId: 'a', nmae: 'x' }] };
    await expect(startMock({ listen: false, seedData })).rejects.toMatchObject({ code: 'config', others: [{}] });
  });
});
