// Generated from spec/ by `node scripts/generate-validators.ts`. Do not edit.
import type { CurrencyValidator, Validator } from '../validator.ts';
import { Token } from './token.ts';
import { Account } from './account.ts';
import { Client } from './client.ts';
import { Transaction } from './transaction.ts';
import { PaymentProviderDetails } from './payment-provider-details.ts';
import { Beneficiary } from './beneficiary.ts';
import { CreateNewBeneficiaryRequest } from './create-new-beneficiary-request.ts';
import { Card } from './card.ts';
import { IssueNewCardRequest } from './issue-new-card-request.ts';

/** Every validator under the name of its schema. */
export const VALIDATORS: Readonly<Record<string, Validator<unknown> | CurrencyValidator<unknown>>> = {
  Token,
  Account,
  Client,
  Transaction,
  PaymentProviderDetails,
  Beneficiary,
  CreateNewBeneficiaryRequest,
  Card,
  IssueNewCardRequest,
};
