import { check, checksOf } from 'banking-api-contract/contract';

// Each operation answers, whoever located it. What its answer says is for the judge.
for (const id of checksOf('operations')) check(id);
