import { describe, expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { judge } from '../../src/judge/judge.ts';
import type { Finding } from '../../src/model/finding.ts';
import { call } from './calls.ts';
import { observed } from './observed.ts';

const RECORDED = `  - target: "$.paths['/wallet/api/customers/{customerId}/cards/{cardId}'].get.responses"
    update:
      '200':
        description: recorded
        content:
          application/json:
            schema:
              type: object
              required: [cardId, openedOn, homeAddress, lastTransactions]
              properties:
                cardId: { type: string }
                openedOn: { type: string }
                nickName: { type: string }
                tags: { type: array, items: { type: string } }
                lastTransactions:
                  type: array
                  items:
                    type: object
                    required: [bookedOn, amount]
                    properties: { bookedOn: { type: string }, amount: { type: number } }
                homeAddress:
                  type: object
                  required: [streetName, city, geo]
                  properties:
                    streetName: { type: string }
                    city: { type: string }
                    geo: { type: object, required: [lat, lon], properties: { lat: {}, lon: {} } }
`;
const CARD = {
  cardId: 'k',
  openedOn: 'x',
  lastTransactions: [{ bookedOn: 'x', amount: 1 }],
  homeAddress: { streetName: 's', city: 'c', geo: { lat: 1, lon: 2 } },
};

const contract = await loadContract({ overlays: [observed(RECORDED)] });

const found = (...answers: unknown[]): readonly Finding[] => {
  const calls = answers.map((json) => call('getCard', { json }));
  return judge({ contract, calls, redact: (text) => text }).findings;
};
const brief = (...answers: unknown[]): string[] =>
  found(...answers).map(
    ({ severity, rule, pointer, expected, actual }) => `${severity} ${rule} ${pointer} | ${expected} | ${actual}`,
  );

/** Renames every member, at every depth. */
function renamed(value: unknown, by: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, by));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, child]) => [by(name), renamed(child, by)]));
}
const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

describe('names in another style are one finding', () => {
  test('the finding names the style of the answer even if only lists share it', () => {
    const { cardId, ...rest } = CARD;
    const one = { ...rest, card_id: cardId, lastTransactions: [{ booked_on: 'x', amount: 1 }] };
    expect(brief(one)).toEqual(['warning fields-renamed  | cardId | the same in snake_case']);
  });

  test('the fingerprint does not depend on the optional fields and items of an answer', () => {
    const full = { ...CARD, nickName: 'n' };
    const [one, two, three] = [full, CARD, { ...CARD, lastTransactions: [] }].map((card) =>
      found(renamed(card, snake)),
    );
    expect(one?.[0]?.fingerprint).toBe(two?.[0]?.fingerprint);
    expect(one?.[0]?.fingerprint).toBe(three?.[0]?.fingerprint);
    expect(found(renamed(full, snake), renamed(CARD, snake))).toMatchObject([{ occurrences: 2 }]);
  });

  test('renaming a documented field is an error, also without a recording; a recorded new name is not', async () => {
    const json = { card_limit_daily: 5, cardDesign: 'x' };
    const plain = judge({ contract: await loadContract(), calls: [call('getCard', { json })], redact: String });
    expect(plain.findings.map(({ severity, rule, expected }) => `${severity} ${rule} ${expected}`)).toEqual([
      'error fields-renamed cardLimitDaily',
    ]);
    const both = { ...CARD, card_id: 'k' };
    expect(brief(both)).toEqual(['warning unrecorded-field /card_id | no such field | string']);
    const known = RECORDED.replace('nickName: { type: string }', 'card_limit_daily: { type: integer }');
    const recorded = await loadContract({ overlays: [observed(known)] });
    const calls = [call('getCard', { json: { ...CARD, card_limit_daily: 5 } })];
    expect(judge({ contract: recorded, calls, redact: String }).findings).toEqual([]);
  });
});

test('an empty list under another name is one finding if it is the only one, with the same fingerprint', () => {
  const { lastTransactions, ...rest } = CARD;
  const [empty] = found({ ...rest, entries: [] });
  expect(empty?.rule).toBe('fields-renamed');
  expect(found({ ...rest, entries: lastTransactions })[0]?.fingerprint).toBe(empty?.fingerprint);
  expect(brief({ ...rest, entries: [], more: [] })).toHaveLength(3);
});

test('an envelope around a list is one finding, also for an empty list', () => {
  const { lastTransactions, ...rest } = CARD;
  const moved =
    'warning fields-moved /lastTransactions | the list at this level | the same inside /lastTransactions/data';
  for (const data of [lastTransactions, []]) {
    const wrapped = { ...rest, lastTransactions: { data, total: 1 } };
    expect(brief(wrapped).map((text) => text.replace('inside /data', 'inside /lastTransactions/data'))).toEqual([
      moved,
    ]);
  }
  expect(found({ ...rest, lastTransactions: { data: [{ other: 1 }] } }).map(({ rule }) => rule)).toEqual([
    'type-contradicted',
  ]);
});
