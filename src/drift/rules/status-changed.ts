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
      const codes = operation.responses.filter(({ status: code }) => /^2\d\d$/.test(code));
      const [first] = codes;
      if (first === undefined || codes.some(({ status: code }) => code === String(status))) continue;
      yield {
        operationId: operation.operationId,
        pointer: '',
        expected: codes.map(({ status: code }) => code).join(' or '),
        actual: String(status),
        source: first.pointer,
        exchanges: [exchange.seq],
      };
    }
  },
};
