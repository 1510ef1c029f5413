import { check, checksOf } from 'banking-api-contract/contract';

// Each located operation answers. The judge decides what its answer means.
for (const id of checksOf('operations')) check(id);
