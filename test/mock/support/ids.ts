import { ASSUMED_PARAMETERS, PARAMETER_ROLES } from '../../../src/mock/tenant/assumed-parameters.ts';

export { ASSUMED_PARAMETERS };

const idOf = (role: string, name: string): string => {
  const id = PARAMETER_ROLES[role]?.[name];
  if (id === undefined) throw new Error(`nothing plays ${name} of ${role}`);
  return id;
};

export const CUSTOMER_ID = idOf('parameters', 'customerId');
export const CLIENT_ID = idOf('parameters', 'clientId');
export const USER_ID = idOf('parameters', 'userId');
export const USER_NEEDING_QUESTIONS = idOf('users', 'userNeedingQuestions');
export const PHYSICAL_CARD_ID = idOf('parameters', 'cardId');
export const VIRTUAL_CARD_ID = idOf('cards', 'virtualCard');
export const ACCOUNT_ID = idOf('parameters', 'accountId');
export const BENEFICIARY_ID = idOf('parameters', 'beneficiaryId');
export const TRANSACTION_ID = idOf('parameters', 'transactionId');
