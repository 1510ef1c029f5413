import { header } from '../../http/exchange.ts';
import type { Contract, Operation } from '../../spec/contract.ts';
import { mediaType } from '../media.ts';
import { responseFor } from '../responses.ts';
import type { Sample, SampleRule } from '../rule.ts';

/** Content types that the contract holds an answer to: all it lists, unless the reference does not show the media type. */
export function bindingTypes(
  contract: Contract,
  operation: Operation,
  status: number,
): { type: string; pointer: string }[] {
  const silent = operation.notShown.includes('mediaType');
  return (responseFor(operation, status)?.content ?? []).filter(
    ({ pointer }) => !silent || contract.provenanceOf(pointer) !== 'documented',
  );
}

/** Content type of an answer with a body; null for an empty answer. */
export function typeOfAnswer(sample: Sample): string | null {
  if (sample.content.kind === 'empty') return null;
  return mediaType(header(sample.exchange.response?.headers ?? [], 'content-type')) || 'none';
}

/** Another content type than the one that is documented (the token response's) or recorded. */
export const contentTypeContradicted: SampleRule = {
  id: 'content-type-contradicted',
  scope: 'sample',
  *judge(sample, { contract }) {
    const actual = typeOfAnswer(sample);
    const types = bindingTypes(contract, sample.operation, sample.status);
    const [first] = types;
    if (actual === null || first === undefined || types.some(({ type }) => mediaType(type) === actual)) return;
    yield {
      operationId: sample.operation.operationId,
      pointer: '',
      expected: types.map(({ type }) => type).join(' or '),
      actual,
      source: first.pointer,
      exchanges: [sample.exchange.seq],
    };
  },
};
