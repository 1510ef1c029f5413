import { type Answer, whenReady, withHeaders } from '../message/answer.ts';
import { field } from '../message/call.ts';
import { limitsOf } from '../message/limits.ts';
import { problem } from '../message/problem.ts';
import type { MockOptions } from '../mock.ts';
import type { Memory } from '../tenant/memory.ts';
import { createDocumentedFaults } from './documented-faults.ts';
import { createParameterJudge } from './judge-parameters.ts';
import { judgeAccept, preferenceOf, preferredRefusal } from './negotiation.ts';
import { refusalBy, unknownNames, warningOf } from './objections.ts';
import { createPayload } from './payload.ts';
import type { Engine } from './prism-answers.ts';
import type { Served } from './served-contract.ts';
import { createBodyJudge, type ReadBody } from './validate-body.ts';

/** Answers from the compiled contract, with state. A plain request is answered without a promise. */
export function createCompiledEngine(options: MockOptions, served: Served, memory: Memory): Engine {
  const { strict = false, lenient = false } = options;
  const documentedFaults = lenient ? createDocumentedFaults(served.contract) : undefined;
  const judgeBody = createBodyJudge(served.validators, limitsOf(options.limits).jsonDepth, documentedFaults);
  const judgeParameters = createParameterJudge(served.validators, lenient);
  const payload = memory.withState(createPayload(served), served);
  return (call, { operation, parameters }, checkpoints) => {
    const unacceptable = judgeAccept(operation, call);
    if (unacceptable) return unacceptable;
    const preference = preferenceOf(field(call, 'prefer'), call.query);
    if (preference === 'invalid') return problem('preference-unmet', 'code is a status from 200 to 599');
    const wished = preference?.code === undefined ? undefined : preferredRefusal(operation, preference.code);
    if (wished) return wished;
    const go = (body: ReadBody | Answer): Answer | Promise<Answer> => {
      if ('status' in body) return body;
      const passed = judgeParameters(operation, call, parameters);
      if ('status' in passed) return passed;
      const more = [...passed, ...unknownNames(operation, call.query)];
      const objections = more.length === 0 ? body.objections : [...body.objections, ...more];
      const given =
        (strict ? refusalBy(objections) : undefined) ??
        checkpoints?.body() ??
        payload({ operation, parameters, call, body: body.value, preference });
      if (strict || objections.length === 0) return given;
      return whenReady(given, (late) => withHeaders(late, warningOf(objections)));
    };
    const judged = judgeBody(operation, call);
    return judged instanceof Promise ? judged.then(go) : go(judged);
  };
}
