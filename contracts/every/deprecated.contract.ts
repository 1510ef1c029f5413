import { check, checksOf } from 'banking-api-contract/contract';

// A deprecated form still answers, in the shape of its successor; where the method changed, each takes its own only.
for (const id of checksOf('deprecated')) check(id);
