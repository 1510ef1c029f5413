import { expect, test } from 'vitest';
import type { FieldCoverage } from '../../src/model/report.ts';
import { coverageInWords } from '../../src/report/sections/coverage.ts';
import { verify } from '../../src/run/verify.ts';
import { OPTIONS } from '../corpus/drive.ts';
import { startStandIn } from '../corpus/stand-in.ts';
import { TENANT } from '../corpus/world.ts';
import { report } from '../support/report-samples.ts';

const documented = (pointer: string, seen: number, of: number): FieldCoverage => {
  return { pointer, provenance: 'documented', seen, of };
};

function wordsOf(...fields: readonly FieldCoverage[]): string {
  const operation = { operationId: 'getLetter', located: 'documented', exercised: true, goodAnswers: 2, notShown: [] };
  return coverageInWords(report({ coverage: { operations: [{ ...operation, located: 'documented', fields }] } }));
}

test.each<[name: string, empty: boolean, fields: readonly FieldCoverage[]]>([
  ['an object without any of its fields', true, [documented('/stamp', 2, 2), documented('/stamp/price', 0, 2)]],
  ['an object with one of its fields', false, [documented('/stamp', 2, 2), documented('/stamp/price', 1, 2)]],
  ['an object that is missing', false, [documented('/stamp', 0, 2), documented('/stamp/price', 0, 0)]],
  ['a list without items', false, [documented('/stamps', 2, 2), documented('/stamps/*/price', 0, 0)]],
  [
    'an object that only a recording describes',
    false,
    [
      { ...documented('/stamp', 2, 2), provenance: 'observed' },
      { ...documented('/stamp/price', 0, 2), provenance: 'observed' },
    ],
  ],
])('the first lines name an empty documented object (%s: %s)', (_, isEmpty, fields) => {
  expect(wordsOf(...fields).includes('empty: /stamp in getLetter')).toBe(isEmpty);
});

test('verify names a documented object that comes empty, although it is no finding', async () => {
  await using sandbox = await startStandIn(3, {
    body: { getTransaction: (body) => ({ ...body, paymentProviderDetails: {} }) },
  });
  const found = await verify({ ...OPTIONS, target: sandbox.url, overlays: [TENANT] });
  expect(coverageInWords(found)).toContain('empty: /paymentProviderDetails in getTransaction');
});
