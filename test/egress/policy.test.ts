import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { createReach, fillPath } from '../../src/contract/paths.ts';
import { createPolicy, type Policy, type PolicySettings } from '../../src/egress/policy.ts';
import { type Reason, reasonText } from '../../src/model/reason.ts';
import { call } from '../judge/calls.ts';

const contract = await loadContract();

const SETTINGS: PolicySettings = {
  allow: 'read',
  host: 'sandbox.example:8443',
  writesAllowedOn: [],
  expendable: [],
  probe: false,
  embedded: false,
  mock: false,
};
const policy = (over: Partial<PolicySettings> = {}): Policy => createPolicy(() => contract, { ...SETTINGS, ...over });
const VALUES = { customerId: 'c', clientId: 'cl', userId: 'u', cardId: 'k', currency: 'GBP' };

const DESTRUCTIVE = ['rejectClient', 'deleteClient', 'deleteCard'];

function refusal(use: Policy, operationId: string, values: Record<string, string> = VALUES): Reason | null {
  const operation = contract.operation(operationId);
  const target = fillPath(operation?.path ?? '', values) ?? '';
  return use.refuse({ operationId, purpose: 'succeed', method: operation?.method ?? '', target });
}

describe('D6: the effects policy', () => {
  test('an IPv6 host is named in YAML form, and found with and without brackets', () => {
    const over = { allow: 'write', host: '[::1]:8443' } as const;
    const refused = refusal(policy(over), 'issueNewCard');
    expect(refused && reasonText(refused)).toContain('need "[::1]:8443" in');
    for (const name of ['[::1]:8443', '[::1]', '::1'])
      expect(refusal(policy({ ...over, writesAllowedOn: [name] }), 'issueNewCard'), name).toBe(null);
  });

  test('destructive calls need an id that is expendable or was created in this run', () => {
    const use = policy({ allow: 'destructive', writesAllowedOn: ['sandbox.example'], expendable: ['cl'] });
    expect(refusal(use, 'rejectClient')).toBe(null);
    expect(refusal(use, 'deleteClient')).toBe(null);
    expect(refusal(use, 'deleteCard')).toMatchObject({ kind: 'not-expendable' });
    const issued = call('issueNewCard', { json: { cardId: 'new-card' } });
    use.creations.note(issued, {});
    expect(refusal(use, 'deleteCard', { ...VALUES, cardId: 'new-card' })).toBe(null);
    expect(refusal(use, 'deleteCard', { ...VALUES, customerId: 'new-card' })).toMatchObject({ kind: 'not-expendable' });
    for (const id of DESTRUCTIVE)
      expect(refusal(policy({ allow: 'write', writesAllowedOn: ['sandbox.example'] }), id)).not.toBe(null);
  });

  test('a request that does not match its operation is blocked', () => {
    const use = policy();
    const refuse = (operationId: string, method: string, target: string): Reason | null =>
      use.refuse({ operationId, purpose: 'succeed', method, target });
    const card = '/wallet/api/customers/c/cards/k';
    for (const [operationId, method, target] of [
      ['getCard', 'DELETE', card],
      ['getCard', 'GET', `${card}/../k`],
      ['getCard', 'GET', '/elsewhere'],
      ['nobody', 'GET', card],
    ] as const) {
      expect(refuse(operationId, method, target)).toEqual({ kind: 'another-operation', operationId });
    }
  });

  test('a path shared by two operations counts as the stronger effect', () => {
    // PUT …/customers/c/cards/card/suspend is Suspend card of the card "card", and Update card of the client "cards".
    const target = '/wallet/api/customers/c/cards/card/suspend';
    const suspend = { operationId: 'suspendCard', purpose: 'succeed', method: 'PUT', target } as const;
    expect(policy({ allow: 'write', writesAllowedOn: ['sandbox.example'] }).refuse(suspend)).toBe(null);
    expect(policy().refuse(suspend)).not.toBe(null);
  });

  test('undocumented methods need --probe, and go only to reading operations', () => {
    const target = fillPath(contract.operation('getTransactionFees')?.path ?? '', VALUES) ?? '';
    const probe = (use: Policy, method: string, where: string): Reason | null =>
      use.refuse({ operationId: 'getTransactionFees', purpose: 'refuse-method', method, target: where });
    expect(probe(policy(), 'GET', target)).toMatchObject({ kind: 'needs-probe' });
    expect(probe(policy({ probe: true }), 'GET', target)).toBe(null);
    expect(probe(policy({ probe: true }), 'DELETE', target)).not.toBe(null);
    expect(probe(policy({ probe: true }), 'POST', '/wallet/api/customers/c/cards/k')).not.toBe(null);
    expect(probe(policy({ probe: true }), 'POST', '/nowhere')).not.toBe(null);
  });

  test('D5: an assumed path is never called on a URL', async () => {
    const guessed = await loadContract({ assumed: true });
    const getAccounts = guessed.operation('getAccounts');
    const target = fillPath(getAccounts?.path ?? '', { ...VALUES, accountId: 'a' }) ?? '';
    const departure = { operationId: 'getAccounts', purpose: 'succeed', method: 'GET', target } as const;
    expect(getAccounts?.located).toBe('assumed');
    expect(createPolicy(() => guessed, SETTINGS).refuse(departure)).toEqual({ kind: 'only-assumed' });
    expect(createPolicy(() => guessed, { ...SETTINGS, mock: true }).refuse(departure)).toBe(null);
  });

  test('the embedded mock receives every call', () => {
    const use = policy({ embedded: true, mock: true });
    for (const operation of contract.operations) {
      if (operation.path !== null) expect(refusal(use, operation.operationId)).toBe(null);
    }
  });
});

test('D6: a path is decoded as a server does, so an escaped letter hides no operation', () => {
  const use = policy();
  const departure = { operationId: 'getCard', purpose: 'succeed', method: 'DELETE' } as const;
  const path = '/wallet/api/customers/c/c%61rds/k';
  expect(use.reach(path)?.map(({ operation }) => operation.operationId)).toEqual(['getCard', 'deleteCard']);
  expect(use.refuse({ ...departure, operationId: 'deleteCard', target: path })).toEqual({
    kind: 'needs-allow',
    effect: 'destructive',
  });
  expect(use.refuse({ ...departure, method: 'GET', target: '/wallet/api/customers/c/cards/%ZZ' })).toEqual({
    kind: 'bad-path',
  });
});

test('M4: a value fills exactly one segment of a path', () => {
  const reach = createReach([{ method: 'GET', path: '/a/{x}/b' }]);
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (value) => {
      const path = fillPath('/a/{x}/b', { x: value });
      if (value === '.' || value === '..') expect(path).toBe(null);
      else expect(reach(path ?? '')?.map(({ pathParameters }) => pathParameters)).toEqual([{ x: value }]);
    }),
    { examples: [['.'], ['..'], ['/'], ['%2F']] },
  );
  for (const value of ['', undefined]) expect(fillPath('/a/{x}', value === undefined ? {} : { x: value })).toBe(null);
});

test('a refusal names the setting that would permit the request', () => {
  expect(reasonText({ kind: 'needs-allow', effect: 'write' })).toBe('write calls need --allow write');
  expect(reasonText({ kind: 'host-not-listed', effect: 'write', host: 'a:1' })).toBe(
    "write calls need a:1 in the configuration's writesAllowedOn",
  );
  expect(reasonText({ kind: 'not-expendable', parameter: 'cardId' })).toBe(
    'destructive calls go only to ids that this run created or that the configuration lists under expendable (cardId)',
  );
});
