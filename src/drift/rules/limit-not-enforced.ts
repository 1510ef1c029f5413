import type { Operation } from '../../spec/contract.ts';
import { excessesOf, limitedFieldsOf, maximaOf } from '../../spec/limits.ts';
import { joinPointer } from '../../spec/pointer.ts';
import { type Call, finalAttempt } from '../call.ts';
import { isJsonType } from '../media.ts';
import { refusalOf } from '../refusal.ts';
import type { Knowledge, Observation, RunRule } from '../rule.ts';
import { refusalRule } from './refusals.ts';

const ofRun = refusalRule('limit-not-enforced', 'refuse-limit', 'accepted', '4XX');

/** A value above its maximum is accepted (`x-maximum-by-currency`): of a call that tries it, or of a caller's own. */
export const limitNotEnforced: RunRule = {
  ...ofRun,
  *judge(run): Iterable<Observation> {
    yield* ofRun.judge(run);
    for (const call of run.calls) {
      const refusal = call.purpose === 'succeed' ? refusalOf(call, true) : null;
      if (refusal?.kind !== 'accepted') continue;
      const source = brokenLimit(call, run);
      if (source === undefined) continue;
      yield {
        operationId: call.operationId,
        pointer: '',
        expected: '4XX',
        actual: refusal.actual,
        source,
        exchanges: [finalAttempt(call)?.seq ?? 0],
      };
    }
  },
};

/** Pointer of the first limit that the request of a call exceeds. */
function brokenLimit(call: Call, { contract, circumstances }: Knowledge): string | undefined {
  const schema = requestSchema(contract.operation(call.operationId));
  const maxima = schema === null ? null : maximaOf(contract, schema);
  if (schema === null || maxima === null) return undefined;
  const body = readJson(finalAttempt(call)?.request.body ?? null);
  const [excess] = excessesOf(maxima, body, circumstances.currencyOf(body, call.parameters));
  return limitedFieldsOf(contract, schema).find(({ field }) => field === excess?.field)?.pointer;
}

function requestSchema(operation: Operation | undefined): string | null {
  const content = operation?.requestBody?.content ?? [];
  const media = content.find(({ type, schema }) => isJsonType(type) && schema !== undefined);
  return media === undefined ? null : joinPointer(media.pointer, 'schema');
}

function readJson(bytes: Uint8Array | null): unknown {
  try {
    return bytes === null ? undefined : JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}
