import { isJsonType } from '../media.ts';
import type { SampleRule } from '../rule.ts';
import { bindingTypes, typeOfAnswer } from './content-type-contradicted.ts';

/** A content type other than JSON where the reference does not show one and none was recorded. */
export const undocumentedContentType: SampleRule = {
  id: 'undocumented-content-type',
  scope: 'sample',
  *judge(sample, { contract }) {
    const actual = typeOfAnswer(sample);
    if (actual === null || isJsonType(actual)) return;
    if (bindingTypes(contract, sample.operation, sample.status).length > 0) return;
    yield {
      operationId: sample.operation.operationId,
      pointer: '',
      expected: 'JSON',
      actual,
      source: sample.operation.pointer,
      exchanges: [sample.exchange.seq],
    };
  },
};
