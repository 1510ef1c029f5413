import { excessesOf, limitedFieldsOf, maximaOf } from '../../contract/limits.ts';
import { joinPointer } from '../../contract/pointer.ts';
import { type Call, finalAttempt, isGood, type Purpose } from '../../model/call.ts';
import { type Refusal, refusalOf } from '../refusal.ts';
import { jsonOf } from '../responses.ts';
import { type Knowledge, nameOf, ofCall, type RuleInfo, type RunRule } from '../rule.ts';

/** A rule over requests that must not be served. */
function refusalRule(
  purpose: Purpose,
  expected: string,
  info: RuleInfo & { readonly shownBy: RegExp },
  kind: Refusal['kind'] = 'accepted',
): RunRule {
  return {
    ...info,
    scope: 'run',
    *judge({ calls, contract }) {
      const served = new Set(
        calls.filter((call) => call.purpose === 'succeed' && isGood(call)).map((call) => call.operationId),
      );
      for (const call of calls) {
        if (call.purpose !== purpose) continue;
        const refusal = refusalOf(call, served.has(call.operationId));
        if (refusal.kind !== kind || !('actual' in refusal)) continue;
        yield { ...ofCall(call, contract), expected, actual: refusal.actual, provenance: 'documented' };
      }
    },
  };
}

/** A request without a token, or with one that was never issued, is served. */
export const tokenNotRefused: RunRule = refusalRule('refuse-token', '401', {
  title: 'A request without a valid token is served',
  reference: 'API reference, Errors',
  shownBy: /^unauthorised\./,
  message: ({ actual }, operation) => `${nameOf(operation)} answers ${actual} to a request without a valid token.`,
});

/** A request without an acceptable token is refused, but not with 401. */
export const tokenRefusedOtherwise: RunRule = refusalRule(
  'refuse-token',
  '401',
  {
    title: 'A missing token is not answered with 401',
    reference: 'API reference, Errors',
    shownBy: /^unauthorised\./,
    message: ({ actual }, operation) => `${nameOf(operation)} answers ${actual} instead of 401 without a valid token.`,
  },
  'otherwise',
);

/** The token endpoint gives a token for a wrong password. */
export const wrongCredentialsAccepted: RunRule = refusalRule('refuse-credentials', 'no token', {
  title: 'A wrong password gets a token',
  reference: 'API reference, Authentication 2',
  shownBy: /^token\.wrong-password$/,
  message: () => 'The token endpoint gives a token for a wrong password.',
});

/** The token endpoint gives a token for another grant. */
export const wrongGrantAccepted: RunRule = refusalRule('refuse-grant', 'no token', {
  title: 'Another grant gets a token',
  reference: 'API reference, Authentication 1 and 2',
  shownBy: /^token\.wrong-grant$/,
  message: () => 'The token endpoint gives a token for a grant other than client_credentials.',
});

/** An operation answers to the method of its other form. */
export const methodNotRefused: RunRule = refusalRule('refuse-method', '4XX', {
  title: 'An operation answers to the method of its other form',
  reference: 'API reference, Endpoints',
  severity: 'warning',
  shownBy: /\.other-method\./,
  message: ({ actual }, operation) => `${nameOf(operation)} answers ${actual} to the method of its other form.`,
});

/** A request is served before that was done which the documentation asks for first. */
export const preconditionNotEnforced: RunRule = refusalRule('refuse-precondition', '4XX', {
  title: 'A request is served before its precondition is met',
  reference: 'API reference, Behavioural rules',
  shownBy: /^[^.]+\.[^.]+-first$/,
  message: ({ actual }, operation) =>
    `${nameOf(operation)} answers ${actual} though what it requires first was not done.`,
});

const tried = refusalRule('refuse-limit', '4XX', {
  title: 'A value above the maximum is accepted',
  reference: 'API reference, Limits',
  shownBy: /^[^.]+\.limit\./,
  message: ({ actual }, operation) => `${nameOf(operation)} answers ${actual} to a value above its maximum.`,
});

/** A value above its maximum is accepted (`x-maximum-by-currency`): of a call that tries it, or of a caller's own. */
export const limitNotEnforced: RunRule = {
  ...tried,
  *judge(run) {
    yield* tried.judge(run);
    for (const call of run.calls) {
      const refusal = call.purpose === 'succeed' ? refusalOf(call, true) : null;
      if (refusal?.kind !== 'accepted') continue;
      const source = brokenLimit(call, run);
      if (source !== undefined)
        yield { ...ofCall(call, run.contract), expected: '4XX', actual: refusal.actual, source };
    }
  },
};

/** Pointer of the first limit that the request of a call exceeds. */
function brokenLimit(call: Call, { contract, circumstances }: Knowledge): string | undefined {
  const media = jsonOf(contract.operation(call.operationId)?.requestBody);
  if (media === undefined) return undefined;
  const schema = joinPointer(media.pointer, 'schema');
  const body = readJson(finalAttempt(call)?.request.body ?? null);
  const [excess] = excessesOf(maximaOf(contract, schema), body, circumstances.currencyOf(body, call.parameters));
  return limitedFieldsOf(contract, schema).find(({ field }) => field === excess?.field)?.pointer;
}

function readJson(bytes: Uint8Array | null): unknown {
  try {
    return bytes === null ? undefined : JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}
