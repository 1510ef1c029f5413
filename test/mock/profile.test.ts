import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { yamlFiles } from '../../src/files/read.ts';
import type { Mock, MockOptions } from '../../src/mock/mock.ts';
import { startMock } from '../../src/mock/start-mock.ts';
import * as profiles from '../../src/mock/tenant/profile.ts';
import * as seeds from '../../src/mock/tenant/read-seed.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { ask, type Told } from './support/ask.ts';
import { askToken } from './support/client.ts';
import { parts } from './support/compiled.ts';
import { ASSUMED_PARAMETERS, USER_NEEDING_QUESTIONS } from './support/ids.ts';

const WALLET = '/wallet/api/customers/c';
const IAM = '/iam/api/customers/c';
const folder = await temporaryFolder();
const write = (name: string, text: string): string => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};
const { profile: DEFAULT_PROFILE, seed: generated } = parts;
const profileNames = async (): Promise<readonly string[]> => [...(await yamlFiles(parts.folder.profiles)).keys()];
const readProfile = (name: string): Promise<profiles.Profile> =>
  profiles.readProfile(name, DEFAULT_PROFILE, parts.folder);
const readSeed = (file: string): Promise<unknown> => seeds.readSeed(file, parts.entities, parts.folder);
const start = (options: MockOptions): Promise<Mock> => startMock({ listen: false, anyToken: true, ...options });

describe('a profile', () => {
  test("the packaged default profile equals the mock's default", async () => {
    const { deprecatedForms, ...rest } = await readProfile('default');
    expect(rest).toEqual({ ...DEFAULT_PROFILE, deprecatedForms: undefined });
    expect(deprecatedForms).toHaveLength(3);
  });

  test('every packaged profile is valid', async () => {
    const names = await profileNames();
    expect(names).toContain('main-banking-provider');
    for (const name of names) expect(await readProfile(name)).toMatchObject({ name });
  });

  test('the profile of the main banking provider names it and hides routing fields', async () => {
    await using mock = await start({ profile: 'main-banking-provider' });
    expect((await ask(mock, 'GET', `${IAM}/clients/client-2001`)).body.paymentProvider).toBe('main-banking-provider');
    const account = (await ask(mock, 'GET', `${WALLET}/accounts/acc-5001`)).body;
    for (const name of ['wireRoutingNumber', 'achRoutingNumber', 'ibanForSwift'])
      expect(account).not.toHaveProperty(name);
    const path = `${WALLET}/clients/client-2001/beneficiaries`;
    const made = (await ask(mock, 'POST', path, { aba: '021000021' })).body;
    for (const one of [made, ...(await ask(mock, 'GET', path)).body])
      for (const name of ['aba', 'clabe', 'ifsc', 'cnaps']) expect(one).not.toHaveProperty(name);
  });

  test('the profile of the external payment provider names it and shows routing fields', async () => {
    await using mock = await start({});
    expect((await ask(mock, 'GET', `${IAM}/clients`)).body[0].paymentProvider).toBe('external-payment-provider');
    const made = (await ask(mock, 'POST', `${WALLET}/clients/client-2001/accounts`, {})).body;
    for (const name of ['wireRoutingNumber', 'achRoutingNumber', 'ibanForSwift']) expect(made).toHaveProperty(name);
  });

  test('with the second card provider every user answers security questions before a card is issued', async () => {
    await using mock = await start({ profile: 'second-card-provider' });
    const issue = (): Promise<Told> => ask(mock, 'POST', `${WALLET}/cards`, { userId: 'user-3001' });
    const refused = await issue();
    expect([refused.status, refused.body.type]).toEqual([
      409,
      'https://banking-api-contract.invalid/problems/questions-unanswered',
    ]);
    await ask(mock, 'POST', `${IAM}/clients/client-2001/users/user-3001/credentials/securityQuestions`, {});
    expect((await issue()).status).toBe(200);
  });

  test('without card limits the mock neither accepts nor shows them', async () => {
    await using mock = await start({ profile: 'no-card-limits' });
    expect((await ask(mock, 'GET', `${WALLET}/cards/card-4001`)).body).not.toHaveProperty('cardLimitDaily');
    expect((await ask(mock, 'POST', `${WALLET}/cards`, {})).status).toBe(200);
    for (const [method, path] of [
      ['POST', `${WALLET}/cards`],
      ['PUT', `${WALLET}/client-2001/card/card-4001/updateLimits`],
    ] as const) {
      const told = await ask(mock, method, path, { cardLimitDaily: 5 });
      expect([told.status, told.body.type]).toEqual([
        422,
        'https://banking-api-contract.invalid/problems/limits-unavailable',
      ]);
    }
  });

  test('a profile sets the token lifetime, and an option overrides it', async () => {
    for (const [options, lifetime] of [
      [{ profile: 'short-tokens' }, 60],
      [{ profile: 'short-tokens', tokenLifetime: 90 }, 90],
    ] as const) {
      await using mock = await startMock(options);
      expect([lifetime - 1, lifetime]).toContain((await askToken(mock)).json().expires_in);
    }
  });

  test('a profile lists the remaining deprecated forms, and all other forms are withdrawn', async () => {
    await using mock = await start({ profile: { deprecatedForms: ['getCardFeesDeprecated'] } });
    expect((await ask(mock, 'GET', `${IAM}/client/x/card/fees/GBP`)).status).toBe(200);
    expect((await ask(mock, 'GET', `${WALLET}/client/x/account/fees/GBP`)).status).toBe(410);
    expect((await ask(mock, 'GET', `${WALLET}/clients/x/transactions/fees`)).status).toBe(410);
  });

  test('an unknown profile is rejected with a list of the known ones', async () => {
    await expect(start({ profile: 'defualt' })).rejects.toMatchObject({
      code: 'usage',
      exitCode: 2,
      message: expect.stringContaining('Did you mean default?') as string,
      hint: expect.stringContaining('main-banking-provider') as string,
    });
    await expect(start({ profile: join(folder, 'none.yaml') })).rejects.toMatchObject({ code: 'file-missing' });
  });
});

describe('a seed', () => {
  test('the packaged seed is valid and contains every id that has a role', async () => {
    await using mock = await start({});
    expect(await readSeed('mocks/seed.yaml')).toEqual(generated);
    const text = JSON.stringify(generated);
    for (const [name, id] of Object.entries(ASSUMED_PARAMETERS))
      if (name !== 'customerId') expect(text).toContain(`"${id}"`);
    expect(text).toContain(USER_NEEDING_QUESTIONS);
    expect((await ask(mock, 'GET', `${IAM}/clients`)).body).toHaveLength(2);
  });

  test('a seed file replaces the packaged seed', async () => {
    const file = write('own.yaml', 'clients:\n  - { clientId: "7", name: Seven, country: GB }\n');
    await using mock = await start({ seedData: file });
    expect(
      (await ask(mock, 'GET', `${IAM}/clients`)).body.map(({ clientId }: { clientId: string }) => clientId),
    ).toEqual(['7']);
    expect((await ask(mock, 'POST', `${WALLET}/cards`, {})).body).toMatchObject({ clientId: '7' });
    expect((await ask(mock, 'GET', `${IAM}/partnerProducts`)).body).toEqual([]);
    expect((await ask(mock, 'GET', '/billing/api/customers/c/client/7/card/fees/GBP')).body).toEqual({
      currency: 'GBP',
      fees: [],
    });
  });

  test('a seed without a client that could have a card rejects a new card', async () => {
    const clients = [{ clientId: '7', name: 'Seven', country: 'GB', status: 'REJECTED' as const }];
    await using mock = await start({ seedData: { clients } });
    expect((await ask(mock, 'POST', `${WALLET}/cards`, {})).status).toBe(422);
  });

  test('seedIds replaces ids of the seed', async () => {
    await using mock = await start({ seedIds: { cardId: '4711', clientId: 'c-9' } });
    expect((await ask(mock, 'GET', `${WALLET}/cards/4711`)).body).toMatchObject({ cardId: '4711', clientId: 'c-9' });
    expect((await ask(mock, 'GET', `${WALLET}/cards/card-4001`)).status).toBe(404);
  });
});

const CLIENT = 'clients:\n  - clientId: a\n    name: A\n    country: GB\n';
const USER = '      - { userId: u, firstName: F, lastName: L, email: e, phone: p }\n';
const cards = (extra: string): string =>
  `    cards:\n      - { cardId: k, providerCardId: p, ${extra}, cardProgramme: p, cardDesign: d, currency: GBP, alias: a, maskedNumber: m, expires: 2029-08 }\n`;

test.each<[option: 'profile' | 'seedData', what: string, text: string, line: number, column: number, meant?: string]>([
  ['profile', 'an unknown key', 'cardLimit: true\n', 1, 1, 'cardLimits'],
  ['profile', 'a wrong word', 'description: x\ncardProvider: third\n', 2, 15],
  ['profile', 'a wrong form', 'deprecatedForms:\n  - getCardFeesDeprecated\n  - getCard\n', 3, 5],
  ['profile', 'broken YAML', 'cardProvider: [\n', 2, 1],
  ['seedData', 'an unknown key', `${CLIENT}    nmae: x\n`, 5, 5],
  ['seedData', 'a duplicate id', `${CLIENT}${CLIENT.replace('clients:\n', '')}`, 5, 15],
  ['seedData', 'a duplicate user', `${CLIENT}    users:\n${USER}${USER}`, 7, 19],
  ['seedData', 'a card of another user', `${CLIENT}${cards('userId: nobody, cardType: VIRTUAL')}`, 6, 49],
  ['seedData', 'a virtual card with a token', `${CLIENT}${cards('cardType: VIRTUAL, token: t')}`, 6, 67],
  ['seedData', 'an unknown seed to extend', 'extends: other\n', 1, 10],
  ['seedData', 'a customer without an id', 'customers:\n  - clients: []\n', 2, 5],
])('%s with %s is rejected with file, line and column', async (option, _, text, line, column, meant) => {
  const file = write('wrong.yaml', text);
  await expect(start({ [option]: file })).rejects.toMatchObject({
    code: 'config',
    exitCode: 2,
    place: { file, line, column },
    ...(meant === undefined ? {} : { hint: expect.stringContaining(meant) as string }),
  });
});
