import { excessesOf, limitAt, maximaOf } from '../../contract/limits.ts';
import { type Call, finalAttempt, isForgery, type Purpose } from '../../model/call.ts';
import { parseJson } from '../../text/decode.ts';
import { joinPointer } from '../../text/pointer.ts';
import { spreadOfRefusals } from '../causes/spreads.ts';
import { refusalOf } from '../outage/refusal.ts';
import { jsonOf } from '../responses.ts';
import { BY_PROVENANCE, type Knowledge, nameOf, ofCall, type RunRule } from '../rule.ts';

interface Refused extends Omit<RunRule, 'of' | 'judges' | 'judge'> {
  readonly refuses: Purpose;
  readonly expected: string;
  /** The outcome that shows the finding; `accepted` by default. */
  readonly shows?: 'accepted' | 'otherwise';
}

function refusalRule({ refuses, expected, shows = 'accepted', ...info }: Refused): RunRule {
  return {
    ...info,
    judges: ['live'],
    of: 'run',
    *judge({ refusals, contract }) {
      for (const [call, refusal] of refusals) {
        if (call.purpose !== refuses || refusal.kind !== shows) continue;
        const about = isForgery(call.auth) ? { about: call.auth } : {};
        yield { ...ofCall(call, contract), ...about, expected, actual: refusal.actual, provenance: 'documented' };
      }
    },
  };
}

export const tokenNotRefused: RunRule = refusalRule({
  id: 'token-not-refused',
  title: 'A request without a valid token is served',
  severity: { documented: 'error' },
  reference: 'RFC 6750, 3.1',
  refuses: 'refuse-token',
  expected: '401',
  spreads: spreadOfRefusals,
  message: ({ actual, about }, operation) =>
    `${nameOf(operation)} answers ${actual} to a request ${about ? `with a forged token (${about})` : 'without a valid token'}.`,
});

export const tokenRefusedOtherwise: RunRule = refusalRule({
  id: 'token-refused-otherwise',
  title: 'A missing token is not answered with 401',
  severity: { documented: 'error' },
  reference: 'RFC 6750, 3',
  refuses: 'refuse-token',
  expected: '401',
  shows: 'otherwise',
  spreads: spreadOfRefusals,
  message: ({ actual }, operation) => `${nameOf(operation)} answers ${actual} instead of 401 without a valid token.`,
});

export const wrongCredentialsAccepted: RunRule = refusalRule({
  id: 'wrong-credentials-accepted',
  title: 'A wrong password gets a token',
  severity: { documented: 'error' },
  reference: 'RFC 6749, 5.2',
  refuses: 'refuse-credentials',
  expected: 'no token',
  message: () => 'The token endpoint gives a token for a wrong password.',
});

export const wrongGrantAccepted: RunRule = refusalRule({
  id: 'wrong-grant-accepted',
  title: 'Another grant gets a token',
  severity: { documented: 'error' },
  reference: 'RFC 6749, 5.2',
  refuses: 'refuse-grant',
  expected: 'no token',
  message: () => 'The token endpoint gives a token for a grant other than client_credentials.',
});

export const methodNotRefused: RunRule = refusalRule({
  id: 'method-not-refused',
  title: 'An operation answers to the method of its other form',
  severity: { documented: 'warning' },
  refuses: 'refuse-method',
  expected: '4XX',
  message: ({ actual }, operation) => `${nameOf(operation)} answers ${actual} to the method of its other form.`,
});

export const preconditionNotEnforced: RunRule = refusalRule({
  id: 'precondition-not-enforced',
  title: 'A request is served before its precondition is met',
  severity: { documented: 'error' },
  refuses: 'refuse-precondition',
  expected: '4XX',
  message: ({ actual }, operation) => `${nameOf(operation)} answers ${actual} although its precondition was not met.`,
});

const tried = refusalRule({
  id: 'limit-not-enforced',
  title: 'A value above the maximum is accepted',
  severity: BY_PROVENANCE,
  refuses: 'refuse-limit',
  expected: '4XX',
  message: ({ actual }, operation) => `${nameOf(operation)} answers ${actual} to a value above its maximum.`,
});

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

function brokenLimit(call: Call, { contract, circumstances }: Knowledge): string | undefined {
  const media = jsonOf(contract.operation(call.operationId)?.requestBody);
  if (media === undefined) return undefined;
  const schema = joinPointer(media.pointer, 'schema');
  const body = parseJson(Buffer.from(finalAttempt(call)?.request.body ?? []).toString());
  const [excess] = excessesOf(maximaOf(contract, schema), body, circumstances.currencyOf(body, call.parameters));
  return excess && limitAt(contract, schema, excess.field);
}
