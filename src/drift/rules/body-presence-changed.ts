import { joinPointer } from '../../spec/pointer.ts';
import { responseFor } from '../responses.ts';
import type { SampleRule } from '../rule.ts';
import { typeOfAnswer } from './content-type-contradicted.ts';

/** An empty answer where a body was recorded, or a body where none was. */
export const bodyPresenceChanged: SampleRule = {
  id: 'body-presence-changed',
  scope: 'sample',
  *judge(sample, { contract }) {
    const response = responseFor(sample.operation, sample.status);
    if (response?.status !== String(sample.status) || contract.provenanceOf(response.pointer) !== 'observed') return;
    const actual = typeOfAnswer(sample);
    const recorded = response.content.filter(({ pointer }) => contract.provenanceOf(pointer) === 'observed');
    const base = {
      operationId: sample.operation.operationId,
      pointer: '',
      exchanges: [sample.exchange.seq],
    };
    if (actual === null && recorded.length > 0) {
      if (contract.at(joinPointer(response.pointer, 'x-sometimes-empty')) === true) return;
      yield {
        ...base,
        expected: recorded.map(({ type }) => type).join(' or '),
        actual: 'no body',
        source: recorded[0]?.pointer ?? response.pointer,
      };
    } else if (actual !== null && actual !== 'none' && response.content.length === 0) {
      yield { ...base, expected: 'no body', actual, source: response.pointer };
    }
  },
};
