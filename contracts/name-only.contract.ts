import { check } from './support/check.ts';
import { answers } from './support/operations.ts';
import { operation, operations } from './support/suite.ts';

for (const { operationId, knownByNameOnly } of operations) {
  // cancelAnAccount comes last of all
  if (knownByNameOnly && operationId !== 'cancelAnAccount') answers('name-only', operationId);
}

check(
  {
    id: 'name-only.visible.getBeneficiaries',
    operationId: 'getBeneficiaries',
    reference: 'Resources, Beneficiary',
    skip: operation('getBeneficiaries').located === null ? 'not located' : null,
  },
  async (t) => {
    await t.succeed('getBeneficiaries', { query: 'visible=true' });
  },
);
