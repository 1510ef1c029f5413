import { expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { basisFrom } from '../../src/contract/provenance.ts';

const contract = await loadContract({ assumed: true });

function schemaOf(operationId: string): string {
  const media = contract.operation(operationId)?.responses.find(({ status }) => status === '2XX')?.content[0];
  if (media === undefined) throw new Error(`${operationId} has no 2XX content`);
  return `${media.pointer}/schema`;
}

const wire = '/components/schemas/Account/properties/wireRoutingNumber/type';

test('a documented schema that the reference applies to an operation is documented there', () => {
  expect(basisFrom(contract, schemaOf('getAccount'))(wire)).toBe('documented');
});

test('a documented schema that only an assumption applies to an operation is assumed there', () => {
  expect(basisFrom(contract, schemaOf('issueNewAccount'))(wire)).toBe('assumed');
  expect(contract.provenanceOf(wire)).toBe('documented');
});

test('a part that was not reached keeps what it rests on by itself', () => {
  expect(basisFrom(contract, schemaOf('getAccount'))('/components/schemas/Token/type')).toBe('documented');
});

test('what the documented schema refers to is documented too', () => {
  const rate = '/components/schemas/PaymentProviderDetails/properties/rate/type';
  expect(basisFrom(contract, schemaOf('getTransaction'))(rate)).toBe('documented');
});
