import { describe, expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { judge } from '../../src/judge/judge.ts';
import { candidatesFor, pathShape } from '../../src/judge/unmatched-paths.ts';

const contract = await loadContract();

test.each([
  ['/wallet/api/customers/c-1/accounts', '/wallet/api/customers/{customerId}/accounts'],
  ['/wallet/api/customers/alice/accounts/77-a?x=1', '/wallet/api/customers/{customerId}/accounts/{id}'],
  ['/wallet/api/customers/acme/clients/peter/freeze', '/wallet/api/customers/{customerId}/clients/{clientId}/freeze'],
  ['/v2/loans/GB33BUKB20201555555555', '/v2/loans/{id}'],
  ['/products/v2/77-a/status', '/products/v2/{id}/status'],
  ['/wallet/api/customers/v1.2/x', '/wallet/api/customers/v1.2/x'],
  ['/products/v200', '/products/{id}'],
  ['/x/partnerProducts', '/x/partnerProducts'],
  ['/foo/bar/secretname', '/foo/bar/{id}'],
  ['/foo/bar/secretname/', '/foo/bar/{id}/'],
  ['/v9/accounts', '/v9/accounts'],
  ['/metrics', '/metrics'],
  ['/status/ready', '/status/ready'],
  ['/wallet/api/payees/peter/limits', '/wallet/api/payees/{id}/limits'],
  ['/wallet/api/payees/search', '/wallet/api/payees/search'],
  ['/wallet/api/customers/c-1/payees', '/wallet/api/customers/{customerId}/payees'],
  ['/', '/'],
  [`${'/a1'.repeat(40)}`, `${'/{id}'.repeat(16)}/…`],
])('the shape of an unknown path contains no id: %s', (path, shape) => {
  expect(pathShape(contract, path)).toBe(shape);
});

describe('candidates among name-only operations', () => {
  const of = (method: string, shape: string, body?: unknown): string[] =>
    candidatesFor(contract, { method, shape, body });
  const base = '/wallet/api/customers/{customerId}';

  test.each([
    ['GET', `${base}/accounts`, undefined, ['getAccounts', 'getListOfAccounts']],
    ['GET', `${base}/accounts/{id}`, undefined, ['getAccount', 'getAccountDetails']],
    ['PUT', `${base}/companies/{clientId}/freeze`, undefined, ['freezeCompany']],
    ['PUT', `${base}/clients/{clientId}/unfreeze`, undefined, ['unfreezeCompany']],
    ['GET', `${base}/clients`, undefined, ['getClients']],
    ['GET', `${base}/clients/{clientId}`, undefined, ['getClient']],
    ['POST', `${base}/transactions`, undefined, ['createTransaction']],
    ['GET', `${base}/beneficiaries`, undefined, ['getBeneficiaries']],
    ['POST', `${base}/beneficiaries`, undefined, ['createNewBeneficiary']],
    ['GET', `${base}/partnerProducts`, undefined, ['getAvailablePartnerProducts']],
    ['PUT', `${base}/cards/{cardId}/limits`, undefined, ['updateCardLimits']],
    // the path does not match, the fields do
    ['GET', '/x/{id}', { ibanForSwift: 'x', achRoutingNumber: 'y' }, ['getAccount']],
    ['GET', '/x', [{ clabe: '', cnaps: '', ifsc: '' }], ['getBeneficiaries']],
  ])('%s %s', (method, shape, body, wanted) => {
    expect(of(method, shape, body)).toEqual(expect.arrayContaining(wanted));
    expect(wanted).toContain(of(method, shape, body)[0]);
  });

  test('a read is never matched to a writing operation', () => {
    const found = of('GET', `${base}/accounts/{id}/cancel`);
    for (const id of found) expect(contract.operation(id)?.effect).toBe('read');
  });

  test('an unknown path without resemblance has no candidate', () => {
    expect(of('GET', '/metrics')).toEqual([]);
  });
});

const stray = (seq: number, path: string) => ({
  seq,
  startedAt: 0,
  endedAt: 1,
  connection: null,
  operationId: null,
  request: { method: 'GET', target: path, headers: [], body: null },
  response: { status: 200, headers: [], body: { bytes: new Uint8Array(), state: 'complete' as const } },
  failure: null,
  token: null,
});

test('unmatched-exchange is one finding per method and shape, with candidates and without ids', () => {
  const strays = [stray(3, '/wallet/api/customers/c-9/accounts'), stray(4, '/wallet/api/customers/c-8/accounts')];
  const { findings } = judge({ contract, calls: [], strays, redact: (text) => text });
  expect(findings).toHaveLength(1);
  expect(findings[0]).toMatchObject({
    rule: 'unmatched-exchange',
    severity: 'info',
    operationId: null,
    method: 'GET',
    path: '/wallet/api/customers/{customerId}/accounts',
    occurrences: 2,
    exchanges: [3, 4],
  });
  expect(findings[0]?.message).toContain('getAccounts');
  expect(JSON.stringify(findings)).not.toMatch(/c-[89]/);
});
