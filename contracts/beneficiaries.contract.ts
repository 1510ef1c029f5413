import { check } from 'banking-api-contract/contract';

// Resources, Beneficiary: the list can be asked for those that are visible.
check({
  id: 'name-only.visible.getBeneficiaries',
  operationId: 'getBeneficiaries',
  calls: [{ parameters: { visible: 'true' } }],
});
