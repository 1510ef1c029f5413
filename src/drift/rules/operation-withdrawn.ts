import type { RunRule } from '../rule.ts';
import { judged } from './judged.ts';

/** An operation that is no longer there: 405, 410, or 404 with parameters that are known to be good. */
export const operationWithdrawn: RunRule = {
  id: 'operation-withdrawn',
  scope: 'run',
  *judge(run) {
    for (const { judgement, base } of judged(run, 'withdrawn')) {
      yield { ...base, expected: '2XX', actual: judgement.actual };
    }
  },
};
