import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { packageRoot } from '../../src/package-root.ts';
import { type Row, readLedger } from './ledger-homes.ts';

const rows = readLedger().rows;

function operationOf({ home }: Row): string {
  return home.find((one) => /^op:\w+$/.test(one))?.slice('op:'.length) ?? '';
}

/** The endpoint tables of the reference as quoted by the ledger, independent of the document. */
const LOCATED = rows.flatMap((row): [operationId: string, name: string, method: string, path: string][] => {
  const [, name, method, path] = /^(?:(.+?) \| )?(GET|PUT|POST|DELETE|PATCH) \| (\/\S+)/.exec(row.statement) ?? [];
  if (method === undefined || path === undefined) return [];
  return [[operationOf(row), name ?? row.section.replace(/^Endpoints, /, ''), method, path]];
});

const NAME_ONLY = Object.fromEntries(
  rows
    .filter(({ section, home }) => section.endsWith('known by name only') && home.length === 1)
    .map((row) => [operationOf(row), row.statement.replace(` (${operationOf(row)})`, '')])
    .filter(([operationId]) => operationId !== ''),
);

const DESTRUCTIVE =
  'rejectClient deleteClient deleteCard cancelAnAccount freezeCompany unfreezeCompany createTransaction'.split(' ');

const FEES = 'getCardFees getAccountFees getTransactionFees'.split(' ');
const READ = [
  ...'getToken getCard listClientCards getAccounts getBeneficiaries getTransaction'.split(' '),
  ...FEES,
  ...FEES.map((id) => `${id}Deprecated`),
];

const contract = await loadContract();

describe('operations with a path', () => {
  it('the spec and the reference have the same operations with a path', () => {
    const located = contract.operations.filter(({ located }) => located !== null);
    expect(located.map(({ operationId }) => operationId).sort()).toEqual(LOCATED.map(([id]) => id).sort());
    expect(located.every(({ located }) => located === 'documented')).toBe(true);
  });

  it.each(LOCATED)('%s has exactly the name, method and path of the reference', (id, name, method, path) => {
    const operation = contract.operation(id);
    expect(operation).toMatchObject({ summary: name, method, path });
    // Checked in the source as well: the loader might normalise it.
    expect(readFileSync(join(packageRoot, 'spec', 'openapi.yaml'), 'utf8')).toContain(`\n  ${path}:\n`);
  });

  it.each(LOCATED)('%s declares its path parameters, each required and a string', (id, _name, _method, path) => {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    const parameters = contract.operation(id)?.parameters ?? [];
    expect(parameters.map(({ name }) => name)).toEqual(names);
    expect(parameters.every((parameter) => parameter.in === 'path' && parameter.required)).toBe(true);
    for (const { schema } of parameters) expect(schema).toMatchObject({ type: 'string' });
  });

  it('operations answer 2XX and 401 without an error body, the token endpoint only 2XX', () => {
    for (const [id] of LOCATED) {
      const responses = contract.operation(id)?.responses ?? [];
      const statuses = responses.map(({ status }) => status).sort();
      expect(statuses, id).toEqual(id === 'getToken' ? ['2XX'] : ['2XX', '401'].sort());
      expect(responses.find(({ status }) => status === '401')?.content ?? [], id).toEqual([]);
    }
  });

  it('all operations need the bearer token, except the token endpoint, which uses Basic', () => {
    for (const [id] of LOCATED) expect(contract.operation(id)?.auth, id).toBe(id === 'getToken' ? 'issues' : 'bearer');
    expect(contract.at('/paths/~1iam~1oauth~1token/post/security')).toEqual([{ basic: [] }]);
  });
});

describe('operations known by name only', () => {
  it('name-only operations have the exact names of the reference, without method and path', () => {
    const named = contract.operations.filter(({ located }) => located === null);
    expect(Object.fromEntries(named.map(({ operationId, summary }) => [operationId, summary]))).toEqual(NAME_ONLY);
    expect(named.length).toBeGreaterThan(0);
    for (const { method, path, notShown } of named) {
      expect([method, path]).toEqual([null, null]);
      expect(notShown).toEqual(expect.arrayContaining(['method', 'path']));
    }
  });

  it('operations have the schemas that the resource tables assign to them', () => {
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
    expect(withSchemas).toMatchObject({
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

  it('getBeneficiaries alone has a query parameter: visible, without a stated type', () => {
    const withQuery = contract.operations.filter(({ parameters }) => parameters.some((one) => one.in === 'query'));
    expect(withQuery.map(({ operationId }) => operationId)).toEqual(['getBeneficiaries']);
    expect(contract.at('/components/parameters/visible/schema')).toEqual({});
  });
});

describe('further facts about operations', () => {
  it('the effects follow the policy', () => {
    for (const id of DESTRUCTIVE) expect(contract.operation(id)?.effect, id).toBe('destructive');
    for (const id of READ) expect(contract.operation(id)?.effect, id).toBe('read');
    for (const { operationId, effect, summary } of contract.operations) {
      const isRead = summary.startsWith('Get ') || READ.includes(operationId) || /^list/i.test(summary);
      expect(effect === 'read', operationId).toBe(isRead);
    }
  });

  it('deprecated forms name their successor, and the form of transaction fees changes its method', () => {
    const deprecated = contract.operations.filter((operation) => operation.deprecated);
    expect(
      deprecated.map(({ operationId, successor, methodChange }) => [operationId, successor, methodChange]),
    ).toEqual(
      expect.arrayContaining([
        ['getCardFeesDeprecated', 'getCardFees', null],
        ['getAccountFeesDeprecated', 'getAccountFees', null],
        ['getTransactionFeesDeprecated', 'getTransactionFees', { from: 'GET', to: 'POST' }],
      ]),
    );
    for (const { operationId, summary } of contract.operations)
      expect(summary.endsWith('(deprecated)'), operationId).toBe(contract.operation(operationId)?.deprecated);
    for (const { operationId, successor } of deprecated) {
      expect(contract.operation(successor ?? '')?.predecessor).toBe(operationId);
    }
  });

  it('operations state a release exactly if the release history names them', () => {
    const since = Object.fromEntries(
      contract.operations.flatMap(({ operationId, since }) => (since === null ? [] : [[operationId, since]])),
    );
    const told = rows.flatMap(({ statement, home }) => {
      const [, release] = /^(\d+\.\d+\.\d+) \|/.exec(statement) ?? [];
      const ids = home.flatMap((one) => /^op:(\w+)\/x-since$/.exec(one)?.[1] ?? []);
      return release === undefined ? [] : ids.map((id) => [id, release]);
    });
    expect(since).toEqual(Object.fromEntries(told));
    expect(since).toMatchObject({ rejectClient: '1.7.0', createUser: '1.1.0', getCardFees: '28.0.0' });
  });
});
