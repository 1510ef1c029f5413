import { check, checksOf } from 'banking-api-contract/contract';

// A field that is there under a condition only, read of a record that does not fulfil it.
for (const id of checksOf('conditions')) check(id);
