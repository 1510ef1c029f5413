import { check, checksOf } from 'banking-api-contract/contract';

// Each operation that takes a token refuses to serve without one, and with one that nobody issued.
for (const id of checksOf('unauthorised')) check(id);
