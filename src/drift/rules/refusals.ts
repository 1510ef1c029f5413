import { finalAttempt, isGood, type Purpose } from '../call.ts';
import { type Refusal, refusalOf } from '../refusal.ts';
import type { Observation, RunRule } from '../rule.ts';
import type { RuleId } from '../rule-ids.ts';

/** A rule over requests that must not be served. */
export function refusalRule(id: RuleId, purpose: Purpose, kind: Refusal['kind'], expected: string): RunRule {
  return {
    id,
    scope: 'run',
    *judge({ calls, contract }): Iterable<Observation> {
      const served = new Set(
        calls.filter((call) => call.purpose === 'succeed' && isGood(call)).map((call) => call.operationId),
      );
      for (const call of calls) {
        if (call.purpose !== purpose) continue;
        const refusal = refusalOf(call, served.has(call.operationId));
        if (refusal.kind !== kind || !('actual' in refusal)) continue;
        yield {
          operationId: call.operationId,
          pointer: '',
          expected,
          actual: refusal.actual,
          source: contract.operation(call.operationId)?.pointer ?? '',
          provenance: 'documented',
          exchanges: [finalAttempt(call)?.seq ?? 0],
        };
      }
    },
  };
}
