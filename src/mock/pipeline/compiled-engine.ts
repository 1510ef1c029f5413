import { type Answer, whenReady } from '../message/answer.ts';
import { field } from '../message/call.ts';
import { limitsOf } from '../message/limits.ts';
import { problem } from '../message/problem.ts';
import type { MockOptions } from '../mock.ts';
import type { Memory } from '../tenant/memory.ts';
import { createDocumentedFaults } from './documented-faults.ts';
import { createParameterJudge } from './judge-parameters.ts';
import { judgeAccept, preferenceOf, preferredRefusal } from './negotiation.ts';
import { refusalBy, unknownNames } from './objections.ts';
import { createPayload } from './payload.ts';
import type { Served } from './served-contract.ts';
import type { Checks } from './steps.ts';
import { createBodyJudge, type ReadBody } from './validate-body.ts';

/** Answers from the compiled contract, with state. A plain request is answered without a promise. */
export function createCompiledEngine(options: MockOptions, served: Served, memory: Memory): Checks {
  const { strict = false, lenient = false } = options;
  const documentedFaults = lenient ? createDocumentedFaults(served.contract) : undefined;
  const judgeBody = createBodyJudge(served.validators, limitsOf(options.limits).jsonDepth, documentedFaults);
  const judgeParameters = createParameterJudge(served.validators, lenient);
  return {
    accept(turn) {
      const { operation, call } = turn;
      const unacceptable = judgeAccept(operation, call);
      if (unacceptable) return unacceptable;
      const preference = preferenceOf(field(call, 'prefer'), call.query);
      if (preference === 'invalid') return problem('preference-unmet', 'code is a status from 200 to 599');
      turn.preference = preference;
      return preference?.code === undefined ? undefined : preferredRefusal(operation, preference.code);
    },
    body(turn) {
      const { operation, call, parameters, checkpoints } = turn;
      return whenReady(judgeBody(operation, call), (body: ReadBody | Answer) => {
        if ('status' in body) return body;
        const { refused, objections: passed } = judgeParameters(operation, call, parameters);
        const objections = [...body.objections, ...passed, ...unknownNames(operation, call.query)];
        const refusal = refusalBy([...body.refused, ...refused, ...(strict ? objections : [])]);
        if (refusal) return refusal;
        turn.body = body.value;
        turn.objections = objections;
        return checkpoints?.body();
      });
    },
    payload: memory.withState(createPayload(served), served),
  };
}
