// Generated from spec/ by `node scripts/generate-validators.ts`. Do not edit.
export { formatProblem, ValidationError } from '../validation-error.ts';
export type * from '../validator.ts';
export { Token } from './token.ts';
export { Account } from './account.ts';
export { Client } from './client.ts';
export { Transaction } from './transaction.ts';
export { PaymentProviderDetails } from './payment-provider-details.ts';
export { Beneficiary } from './beneficiary.ts';
export { CreateNewBeneficiaryRequest } from './create-new-beneficiary-request.ts';
export { Card } from './card.ts';
export { IssueNewCardRequest } from './issue-new-card-request.ts';
