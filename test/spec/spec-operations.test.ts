import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/package-root.ts';
import type { Contract } from '../../src/spec/contract.ts';
import { loadContract } from '../../src/spec/load.ts';

/** The reference's tables of endpoints, typed from it a second time: nothing here is derived from the spec. */
const LOCATED: readonly (readonly [operationId: string, name: string, method: string, path: string])[] = [
  ['getToken', 'Token endpoint', 'POST', '/iam/oauth/token'],
  ['rejectClient', 'Reject client', 'PUT', '/iam/api/customers/{customerId}/clients/{clientId}/reject'],
  ['deleteClient', 'Delete client', 'DELETE', '/iam/api/customers/{customerId}/companies/{clientId}'],
  ['createUser', 'Create user', 'POST', '/iam/api/customers/{customerId}/clients/{clientId}/users/create'],
  [
    'generateCustomerKey',
    'Generate customer key',
    'POST',
    '/iam/api/customers/{customerId}/credentials/generateCustomerKey',
  ],
  [
    'createUsername',
    'Create username',
    'POST',
    '/iam/api/customers/{customerId}/clients/{clientId}/users/{userId}/credentials/username',
  ],
  [
    'createSecurityQuestions',
    'Create security questions',
    'POST',
    '/iam/api/customers/{customerId}/clients/{clientId}/users/{userId}/credentials/securityQuestions',
  ],
  [
    'createSecurityCode',
    'Create security code',
    'POST',
    '/iam/api/customers/{customerId}/clients/{clientId}/users/{userId}/credentials/securityCode',
  ],
  [
    'createPassword',
    'Create password',
    'POST',
    '/iam/api/customers/{customerId}/clients/{clientId}/users/{userId}/credentials/password',
  ],
  ['getCardFees', 'Get card fees', 'GET', '/billing/api/customers/{customerId}/client/{clientId}/card/fees/{currency}'],
  [
    'getAccountFees',
    'Get account fees',
    'GET',
    '/billing/api/customers/{customerId}/client/{clientId}/account/fees/{currency}',
  ],
  [
    'getTransactionFees',
    'Get transaction fees',
    'POST',
    '/billing/api/customers/{customerId}/clients/{clientId}/transactions/fees',
  ],
  ['getCard', 'Get card', 'GET', '/wallet/api/customers/{customerId}/cards/{cardId}'],
  ['issueNewCard', 'Issue new card', 'POST', '/wallet/api/customers/{customerId}/cards'],
  ['updateCard', 'Update card', 'PUT', '/wallet/api/customers/{customerId}/{clientId}/card/{cardId}'],
  [
    'updateCardAlias',
    'Update card alias',
    'PUT',
    '/wallet/api/customers/{customerId}/{clientId}/card/{cardId}/updateAlias',
  ],
  ['listClientCards', 'List client cards', 'GET', '/wallet/api/customers/{customerId}/clients/{clientId}/cards'],
  ['suspendCard', 'Suspend card', 'PUT', '/wallet/api/customers/{customerId}/cards/{cardId}/suspend'],
  ['activateCard', 'Activate card', 'PUT', '/wallet/api/customers/{customerId}/cards/{cardId}/activate'],
  ['deleteCard', 'Delete card', 'DELETE', '/wallet/api/customers/{customerId}/cards/{cardId}'],
  [
    'getCardFeesDeprecated',
    'Get card fees (deprecated)',
    'GET',
    '/iam/api/customers/{customerId}/client/{clientId}/card/fees/{currency}',
  ],
  [
    'getAccountFeesDeprecated',
    'Get account fees (deprecated)',
    'GET',
    '/wallet/api/customers/{customerId}/client/{clientId}/account/fees/{currency}',
  ],
  [
    'getTransactionFeesDeprecated',
    'Get transaction fees (deprecated)',
    'GET',
    '/wallet/api/customers/{customerId}/clients/{clientId}/transactions/fees',
  ],
];

const NAME_ONLY: Readonly<Record<string, string>> = {
  issueNewAccount: 'Issue new account',
  getAccountDetails: 'Get account details',
  getListOfAccounts: 'Get list of accounts',
  cancelAnAccount: 'Cancel an account',
  getAccounts: 'Get accounts',
  getAccount: 'Get account',
  updateAccountReadOnly: 'Update Account Read Only',
  createAccount: 'Create account',
  getClients: 'Get clients',
  getClient: 'Get client',
  freezeCompany: 'Freeze company',
  unfreezeCompany: 'Unfreeze company',
  getAvailablePartnerProducts: 'Get available partner products',
  getNewCardFees: 'Get new card fees',
  getNewAccountFees: 'Get new account fees',
  updateCardLimits: 'Update Card Limits',
  getTransaction: 'Get Transaction',
  createTransaction: 'Create Transaction',
  getBeneficiaries: 'Get beneficiaries',
  createNewBeneficiary: 'Create new beneficiary',
  getBeneficiary: 'Get beneficiary',
  updateBeneficiary: 'Update beneficiary',
};

const DESTRUCTIVE = [
  'rejectClient',
  'deleteClient',
  'deleteCard',
  'cancelAnAccount',
  'freezeCompany',
  'unfreezeCompany',
  'createTransaction',
];

const READ = [
  'getToken',
  'getCardFees',
  'getAccountFees',
  'getTransactionFees',
  'getCardFeesDeprecated',
  'getAccountFeesDeprecated',
  'getTransactionFeesDeprecated',
  'getCard',
  'listClientCards',
  ...Object.keys(NAME_ONLY).filter((id) => id.startsWith('get')),
];

let contract: Contract;

beforeAll(async () => {
  contract = await loadContract();
});

describe('operations with a path', () => {
  it('are the 23 of the reference, and no others', () => {
    const located = contract.operations.filter(({ located }) => located !== null);
    expect(located.map(({ operationId }) => operationId).sort()).toEqual(LOCATED.map(([id]) => id).sort());
    expect(located.every(({ located }) => located === 'documented')).toBe(true);
  });

  it.each(LOCATED)(
    '%s has the name, method and path of the reference, character for character',
    (id, name, method, path) => {
      const operation = contract.operation(id);
      expect(operation).toMatchObject({ summary: name, method, path });
      // As written in the source too: what a loader might normalise is caught.
      expect(readFileSync(join(packageRoot, 'spec', 'openapi.yaml'), 'utf8')).toContain(`\n  ${path}:\n`);
    },
  );

  it.each(LOCATED)(
    '%s declares the parameters of its path, each required and without a type',
    (id, _name, _method, path) => {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      const parameters = contract.operation(id)?.parameters ?? [];
      expect(parameters.map(({ name }) => name)).toEqual(names);
      expect(parameters.every((parameter) => parameter.in === 'path' && parameter.required)).toBe(true);
      expect(parameters.map(({ schema }) => schema ?? {})).toEqual(names.map(() => ({})));
    },
  );

  it('answer 2XX and 401 without an error body; the token endpoint only 2XX', () => {
    for (const [id] of LOCATED) {
      const responses = contract.operation(id)?.responses ?? [];
      const statuses = responses.map(({ status }) => status).sort();
      expect(statuses, id).toEqual(id === 'getToken' ? ['2XX'] : ['2XX', '401'].sort());
      expect(responses.find(({ status }) => status === '401')?.content ?? [], id).toEqual([]);
    }
  });

  it('all need the bearer token, but for the token endpoint, which takes Basic', () => {
    for (const [id] of LOCATED) expect(contract.operation(id)?.auth, id).toBe(id === 'getToken' ? 'issues' : 'bearer');
    expect(contract.at('/paths/~1iam~1oauth~1token/post/security')).toEqual([{ basic: [] }]);
  });
});

describe('operations known by name only', () => {
  it('are the 22 of the reference, with its exact names, neither method nor path', () => {
    const named = contract.operations.filter(({ located }) => located === null);
    expect(Object.fromEntries(named.map(({ operationId, summary }) => [operationId, summary]))).toEqual(NAME_ONLY);
    expect(named).toHaveLength(22);
    for (const { method, path, notShown } of named) {
      expect([method, path]).toEqual([null, null]);
      expect(notShown).toEqual(expect.arrayContaining(['method', 'path']));
    }
  });

  it('carry the schemas that the tables of resources name them for, and no others', () => {
    const schemas = Object.fromEntries(
      Object.keys(NAME_ONLY).map((id) => {
        const item = contract.at(`/components/pathItems/${id}`) as Record<string, { $ref?: string }>;
        const named = ['x-request-schema', 'x-response-schema', 'x-item-schema'].flatMap((key) =>
          item[key]?.$ref === undefined ? [] : [`${key.split('-')[1]} ${item[key].$ref.split('/').at(-1)}`],
        );
        return [id, named];
      }),
    );
    const withSchemas = Object.fromEntries(Object.entries(schemas).filter(([, named]) => named.length > 0));
    expect(withSchemas).toEqual({
      getAccounts: ['item Account'],
      getAccount: ['response Account'],
      updateAccountReadOnly: ['response Account'],
      cancelAnAccount: ['response Account'],
      createAccount: ['response Account'],
      getClients: ['item Client'],
      getClient: ['response Client'],
      freezeCompany: ['response Client'],
      unfreezeCompany: ['response Client'],
      getTransaction: ['response Transaction'],
      createTransaction: ['response Transaction'],
      getBeneficiaries: ['item Beneficiary'],
      createNewBeneficiary: ['request CreateNewBeneficiaryRequest', 'response Beneficiary'],
      getBeneficiary: ['response Beneficiary'],
      updateBeneficiary: ['response Beneficiary'],
      updateCardLimits: ['response Card'],
    });
  });

  it('getBeneficiaries has the query parameter visible, which has no stated type; nothing else has a query parameter', () => {
    const withQuery = contract.operations.filter(({ parameters }) => parameters.some((one) => one.in === 'query'));
    expect(withQuery.map(({ operationId }) => operationId)).toEqual(['getBeneficiaries']);
    expect(contract.at('/components/parameters/visible/schema')).toEqual({});
  });
});

describe('what else is said of operations', () => {
  it('the effects are those of the policy', () => {
    for (const { operationId, effect } of contract.operations) {
      const wanted = DESTRUCTIVE.includes(operationId) ? 'destructive' : READ.includes(operationId) ? 'read' : 'write';
      expect(effect, operationId).toBe(wanted);
    }
  });

  it('three are deprecated and name their successor; only that of transaction fees changes its method', () => {
    const deprecated = contract.operations.filter((operation) => operation.deprecated);
    expect(deprecated.map(({ operationId, successor }) => [operationId, successor])).toEqual([
      ['getCardFeesDeprecated', 'getCardFees'],
      ['getAccountFeesDeprecated', 'getAccountFees'],
      ['getTransactionFeesDeprecated', 'getTransactionFees'],
    ]);
    const changes = deprecated.map(({ pointer }) => contract.at(`${pointer}/x-successor/methodChange`));
    expect(changes).toEqual([undefined, undefined, { from: 'GET', to: 'POST' }]);
    for (const { operationId, successor } of deprecated) {
      expect(contract.operation(successor ?? '')?.predecessor).toBe(operationId);
    }
  });

  it('the release is named where the history names the operation, and nowhere else', () => {
    const since = Object.fromEntries(
      contract.operations.flatMap(({ operationId, since }) => (since === null ? [] : [[operationId, since]])),
    );
    expect(since).toEqual({
      rejectClient: '1.7.0',
      deleteClient: '1.7.0',
      createUser: '1.1.0',
      createUsername: '1.1.0',
      createSecurityQuestions: '1.1.0',
      createSecurityCode: '1.1.0',
      createPassword: '1.1.0',
      generateCustomerKey: '1.1.0',
      getCardFees: '28.0.0',
      getAccountFees: '28.0.0',
      getTransactionFees: '28.0.0',
      updateCardAlias: '24.0.0',
      updateCardLimits: '24.0.0',
      getAvailablePartnerProducts: '22.2.0',
      getNewCardFees: '22.2.0',
      getNewAccountFees: '22.2.0',
    });
  });
});
