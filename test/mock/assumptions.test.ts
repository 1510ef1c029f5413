import { describe, expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { compilerOf } from '../../src/schema/ajv.ts';
import type { Json, JsonObject } from '../../src/schema/json.ts';
import { plan } from './support/compiled.ts';
import { exact } from './support/exact.ts';
import * as ids from './support/ids.ts';

const contract = await loadContract({ assumed: true });

const examples = plan.operations.flatMap((operation) =>
  operation.response.media.flatMap((media) => media.examples.map((example) => ({ operation, media, example }))),
);

describe('the assumptions', () => {
  test('the assumptions change nothing documented, and every overlay target matches', () => {
    expect(contract.notices).toEqual([]);
  });

  test('the assumptions locate all operations known only by name, and mark the paths as assumed', async () => {
    const named = (await loadContract()).operations.filter((operation) => operation.located === null);
    expect(named.length).toBeGreaterThan(0);
    for (const { operationId } of named)
      expect([operationId, contract.operation(operationId)?.located]).toEqual([operationId, 'assumed']);
    expect(plan.operations).toHaveLength(contract.operations.length);
  });

  test('the assumptions give every operation except the token endpoint an example that the compiled path serves', () => {
    for (const { operationId, auth, response } of plan.operations) {
      if (auth !== 'bearer') continue;
      const isMade = response.media.every(({ examples }) => examples.length > 0);
      expect([operationId, isMade]).toEqual([operationId, true]);
    }
  });

  test('the examples match the exact schemas, documented and assumed', () => {
    const components = exact(contract.document.components ?? {}) as JsonObject;
    expect(examples.length).toBeGreaterThan(plan.operations.length);
    for (const { operation, media, example } of examples) {
      const schema = contract
        .operation(operation.operationId)
        ?.responses.find(({ status }) => status === '2XX')
        ?.content.find(({ type }) => type === media.type)?.schema;
      expect([operation.operationId, typeof schema]).toEqual([operation.operationId, 'object']);
      const validate = compilerOf({ components, schema: exact(schema as Json) })('/schema');
      const place = [operation.operationId, example.key];
      expect([...place, validate(JSON.parse(example.body)), validate.errors]).toEqual([...place, true, undefined]);
    }
  });

  test('the examples together contain all documented fields of their resource', () => {
    const fields = (operationId: string): string[] =>
      examples
        .filter(({ operation }) => operation.operationId === operationId)
        .flatMap(({ example }) => [JSON.parse(example.body) as object | object[]].flat())
        .flatMap(Object.keys);
    const expectFields = (operationId: string, ...names: string[]): void =>
      expect(fields(operationId)).toEqual(expect.arrayContaining(names));
    expectFields('getCard', 'cardProgramme', 'cardDesign', 'token');
    expectFields('getCard', 'cardLimitDaily', 'cardLimitMonthly', 'cardLimitTransaction');
    expectFields('getAccounts', 'wireRoutingNumber', 'achRoutingNumber', 'ibanForSwift');
    expectFields('getClients', 'paymentProvider');
    expectFields('getTransaction', 'purposeCode', 'paymentProviderDetails');
    expectFields('getBeneficiaries', 'aba', 'clabe', 'ifsc', 'cnaps', 'visible');
  });
});

describe('the assumed ids', () => {
  test('the assumed ids appear in the examples', () => {
    const text = examples.map(({ example }) => example.body).join('\n');
    const { CLIENT_ID, USER_ID, PHYSICAL_CARD_ID, VIRTUAL_CARD_ID, ACCOUNT_ID, BENEFICIARY_ID, TRANSACTION_ID } = ids;
    const shown = [CLIENT_ID, USER_ID, PHYSICAL_CARD_ID, VIRTUAL_CARD_ID, ACCOUNT_ID, BENEFICIARY_ID, TRANSACTION_ID];
    for (const id of shown) expect(text).toContain(`"${id}"`);
  });

  test('every path parameter has an assumed value', () => {
    const names = new Set(
      plan.operations.flatMap(({ path }) => [...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1])),
    );
    expect(Object.keys(ids.ASSUMED_PARAMETERS).toSorted()).toEqual([...names].toSorted());
  });
});
