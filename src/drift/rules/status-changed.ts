import type { Contract, Operation, ResponseSpec } from '../../spec/contract.ts';
import type { Observation, RunRule } from '../rule.ts';
import { judged } from './judged.ts';

/** Another status than the one that was recorded (or that the mock assumes). */
export const statusChanged: RunRule = {
  id: 'status-changed',
  scope: 'run',
  *judge(run): Iterable<Observation> {
    for (const { judgement, base } of judged(run, 'status-changed')) {
      yield { ...base, expected: judgement.recorded, actual: judgement.actual, source: judgement.source };
    }
    for (const { operation, status, exchange } of run.samples) {
      const known = recordedStatuses(run.contract, operation);
      const [first] = known;
      if (first === undefined || known.some(({ status: code }) => code === String(status))) continue;
      yield {
        operationId: operation.operationId,
        pointer: '',
        expected: known.map(({ status: code }) => code).join(' or '),
        actual: String(status),
        source: first.pointer,
        exchanges: [exchange.seq],
      };
    }
  },
};

/** The successes that are known by their codes; where there is none, the refusals that were recorded in place of one. */
function recordedStatuses(contract: Contract, { responses }: Operation): ResponseSpec[] {
  const successes = responses.filter(({ status }) => /^2\d\d$/.test(status));
  if (successes.length > 0) return successes;
  return responses.filter(
    ({ status, pointer }) => /^4\d\d$/.test(status) && contract.provenanceOf(pointer) === 'observed',
  );
}
