import { check, checksOf } from 'banking-api-contract/contract';

// Last of the suite, from the smallest to the largest: what is gone cannot be asked.
for (const id of checksOf('removal')) check(id);
