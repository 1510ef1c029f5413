import { answers } from './support/operations.ts';

// Last of the suite: a client that is gone takes everything with it.
for (const operationId of ['rejectClient', 'deleteClient']) answers('clients', operationId);
