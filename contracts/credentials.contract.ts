import { answers } from './support/operations.ts';

for (const operationId of [
  'generateCustomerKey',
  'createUsername',
  'createSecurityQuestions',
  'createSecurityCode',
  'createPassword',
]) {
  answers('credentials', operationId);
}
