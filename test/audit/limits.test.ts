import { expect, test } from 'vitest';
import { findLimitBreaks } from '../../src/audit/rules/requests.ts';
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

test('a violated documented limit is an error if the currency is known', () => {
  const schema = '/components/schemas/IssueNewCardRequest';
  const severities = (body: unknown): unknown[] =>
    findLimitBreaks(contract, schema, body).map(({ severity, source }) => [severity, contract.provenanceOf(source)]);
  expect(severities({ cardLimitDaily: 100_001, currency: 'GBP' })).toEqual([['error', 'documented']]);
  expect(severities({ cardLimitDaily: 115_001 })).toEqual([['warning', 'documented']]);
});
