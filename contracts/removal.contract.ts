import { answers } from './support/operations.ts';

// Last of the suite, from the smallest to the largest: what is gone cannot be asked, and a client takes everything with it.
answers('name-only', 'cancelAnAccount');
answers('cards', 'deleteCard');
for (const operationId of ['rejectClient', 'deleteClient']) answers('clients', operationId);
