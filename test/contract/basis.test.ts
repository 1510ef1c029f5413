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

test('a documented schema is documented for an operation if the reference links it', () => {
  expect(basisFrom(contract, schemaOf('getAccount'))(wire)).toBe('documented');
});

test('a documented schema is assumed for an operation if only an assumption links it', () => {
  expect(basisFrom(contract, schemaOf('issueNewAccount'))(wire)).toBe('assumed');
  expect(contract.provenanceOf(wire)).toBe('documented');
});

test('a part that the operation does not reach keeps its own provenance', () => {
  expect(basisFrom(contract, schemaOf('getAccount'))('/components/schemas/Token/type')).toBe('documented');
});

test('the schemas that a documented schema refers to are documented', () => {
  const rate = '/components/schemas/PaymentProviderDetails/properties/rate/type';
  expect(basisFrom(contract, schemaOf('getTransaction'))(rate)).toBe('documented');
});
