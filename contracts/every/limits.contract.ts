import { check, checksOf } from 'banking-api-contract/contract';

// One above each maximum is refused; all maxima of a currency together are not.
for (const id of checksOf('limits')) check(id);
