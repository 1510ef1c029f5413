import { type Call, finalAttempt } from '../call.ts';
import type { Judgement } from '../classify.ts';
import type { Observation, Run } from '../rule.ts';

/** The calls that were judged to be of one kind, each with what all their observations have in common. */
export function* judged<K extends Judgement['kind']>(
  run: Run,
  kind: K,
): Iterable<{
  call: Call;
  judgement: Extract<Judgement, { kind: K }>;
  base: Pick<Observation, 'operationId' | 'pointer' | 'exchanges' | 'source'>;
}> {
  for (const [call, judgement] of run.judgements) {
    if (judgement.kind !== kind) continue;
    yield {
      call,
      judgement: judgement as Extract<Judgement, { kind: K }>,
      base: {
        operationId: call.operationId,
        pointer: '',
        source: run.contract.operation(call.operationId)?.pointer ?? '',
        exchanges: [finalAttempt(call)?.seq ?? 0],
      },
    };
  }
}
