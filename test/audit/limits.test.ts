import { expect, test } from 'vitest';
import { findLimitBreaks } from '../../src/audit/rules/requests.ts';
import type { Contract } from '../../src/contract/contract.ts';
import { loadContract } from '../../src/contract/load.ts';
import { observed } from '../judge/observed.ts';

const recorded = observed(`  - target: "$.components.schemas.CreateNewBeneficiaryRequest"
    update:
      allOf: [{ properties: { ceiling: { $ref: '#/components/schemas/Ceiling' } } }]
  - target: "$.components.schemas"
    update:
      Ceiling: { type: number, x-maximum-by-currency: { GBP: 10, EUR: 20 } }
`);
const contract = await loadContract({ overlays: [recorded] });
const broken = (body: unknown): string[] =>
  findLimitBreaks(contract, '/components/schemas/CreateNewBeneficiaryRequest', body).map(
    ({ severity, pointer, expected }) => `${severity} ${pointer} ${expected}`,
  );

test('a violated limit is found in any request, at any place of its schema', () => {
  expect(broken({ ceiling: 11, currency: 'GBP' })).toEqual(['warning /ceiling at most GBP 10']);
  expect(broken({ ceiling: 11, currency: 'eur' })).toEqual([]);
  expect(broken({ ceiling: 21 })).toEqual(['warning /ceiling at most GBP 10, EUR 20']);
  expect(broken({ ceiling: 20 })).toEqual([]);
  expect(broken(['no object'])).toEqual([]);
});

const severities = (of: Contract, body: unknown): unknown[] =>
  findLimitBreaks(of, '/components/schemas/IssueNewCardRequest', body).map(({ severity, provenance }) => [
    severity,
    provenance,
  ]);

test('a violated limit is an assumption and an info while the reference does not show its unit', () => {
  expect(severities(contract, { cardLimitDaily: 5_000_000, currency: 'GBP' })).toEqual([['info', 'assumed']]);
  expect(severities(contract, { cardLimitDaily: 115_001 })).toEqual([['info', 'assumed']]);
});

test('a violated documented limit is an error if its unit is shown and the currency is known', async () => {
  const shown = await loadContract({
    overlays: [
      observed(`  - target: "$.components.schemas.IssueNewCardRequest['x-not-shown']"
    remove: true
`),
    ],
  });
  expect(severities(shown, { cardLimitDaily: 100_001, currency: 'GBP' })).toEqual([['error', 'documented']]);
  expect(severities(shown, { cardLimitDaily: 115_001 })).toEqual([['warning', 'documented']]);
});
