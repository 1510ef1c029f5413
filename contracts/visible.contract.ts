import { check, operation, parameters } from 'banking-api-contract/contract';
import { spec } from 'pactum';
import { describe } from 'vitest';

describe('Beneficiaries can be filtered by visible (API reference, Resources, Beneficiary)', () => {
  // The reference gives only the name: an overlay locates it.
  const { operationId, method, path } = operation('getBeneficiaries');

  check('name-only.visible.getBeneficiaries', { operationId }, async () => {
    await spec()
      .withMethod(method ?? '')
      .withPath(path ?? '')
      .withPathParams(parameters)
      .withQueryParams('visible', 'true')
      .expect('success');
  });
});
