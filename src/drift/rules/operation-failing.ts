import type { RunRule } from '../rule.ts';
import { judged } from './judged.ts';

/** An operation that gives no usable answer while others do, after all retries. */
export const operationFailing: RunRule = {
  id: 'operation-failing',
  scope: 'run',
  *judge(run) {
    for (const { judgement, base } of judged(run, 'failing')) {
      const expected = 'an answer';
      yield { ...base, expected, actual: judgement.actual, identity: { expected, actual: judgement.shape } };
    }
  },
};
