import type { Contract, Operation, ResponseSpec } from '../../contract/contract.ts';
import { finalAttempt } from '../../model/call.ts';
import { isOfOneCall } from '../../model/reason.ts';
import { objectOf } from '../../schema/json.ts';
import { joinPointer } from '../../text/pointer.ts';
import { spreadOfAnswers } from '../causes/spreads.ts';
import type { Judgement } from '../judgement.ts';
import { responseFor } from '../responses.ts';
import { type AnswerRule, nameOf, ofCall, ofSample, type Run, type RunRule } from '../rule.ts';

function* judged<K extends Judgement['kind']>(run: Run, kind: K) {
  for (const [call, judgement] of run.judgements) {
    if (judgement.kind !== kind) continue;
    yield { judgement: judgement as Extract<Judgement, { kind: K }>, base: ofCall(call, run.contract) };
  }
}

export const operationWithdrawn: RunRule = {
  id: 'operation-withdrawn',
  title: 'An operation is no longer there',
  severity: { documented: 'error', observed: 'error', assumed: 'info', deprecated: 'warning' },
  judges: ['live', 'diff'],
  message: ({ actual }, operation) =>
    operation?.deprecated === true
      ? `The deprecated form ${operation.operationId} has been withdrawn: it answers ${actual}. Use ${operation.successor}.`
      : `${nameOf(operation)} is documented and answers ${actual}.`,
  of: 'run',
  *judge(run) {
    for (const { judgement, base } of judged(run, 'withdrawn')) {
      yield { ...base, expected: '2XX', actual: judgement.actual };
    }
  },
};

export const operationFailing: RunRule = {
  id: 'operation-failing',
  title: 'One operation fails while others work',
  severity: { documented: 'error', observed: 'error', assumed: 'info' },
  judges: ['live'],
  message: ({ actual }, operation) =>
    `${nameOf(operation)} gives ${actual}, also when tried again; other operations work.`,
  of: 'run',
  *judge(run) {
    for (const { judgement, base } of judged(run, 'failing')) {
      const expected = 'an answer';
      yield { ...base, expected, actual: judgement.actual, identity: { expected, actual: judgement.shape } };
    }
  },
};

export const statusChanged: RunRule = {
  id: 'status-changed',
  title: 'Another status than recorded',
  severity: { observed: 'warning', assumed: 'info' },
  judges: ['live', 'diff', 'assumptions'],
  spreads: spreadOfAnswers,
  message: ({ expected, actual, about }, operation) =>
    `${nameOf(operation)} answers ${[actual, about].join(' ').trim()}; so far it was ${expected}.`,
  of: 'run',
  *judge(run) {
    for (const { judgement, base } of judged(run, 'status-changed')) {
      yield { ...base, expected: judgement.recorded, actual: judgement.actual, source: judgement.source };
    }
    for (const sample of run.samples) {
      const known = recordedStatuses(run.contract, sample.operation);
      const codes = known.map(({ status }) => status);
      const actual = String(sample.status);
      const [first] = known;
      if (first === undefined || codes.includes(actual)) continue;
      yield { ...ofSample(sample), expected: codes.join(' or '), actual, source: first.pointer };
    }
  },
};

function recordedStatuses(contract: Contract, { responses }: Operation): ResponseSpec[] {
  const successes = responses.filter(({ status }) => /^2\d\d$/.test(status));
  if (successes.length > 0) return successes;
  return responses.filter(
    ({ status, pointer }) => /^4\d\d$/.test(status) && contract.provenanceOf(pointer) === 'observed',
  );
}

export const idsGone: RunRule = {
  id: 'ids-gone',
  title: 'The target has not known a configured id for nights',
  severity: 'warning',
  judges: ['live'],
  message: ({ actual }) =>
    `The target has not known ${actual} for more than three nights. Put ids that exist into the configuration.`,
  of: 'run',
  *judge(run) {
    for (const { judgement, base } of judged(run, 'ids-gone')) {
      const actual = [...judgement.why.names].sort().join(', ');
      yield { ...base, operationId: null, source: '', provenance: 'observed', expected: 'known ids', actual };
    }
  },
};

export const operationUnsettled: RunRule = {
  id: 'operation-unsettled',
  title: 'An operation could not be judged for three nights',
  severity: 'warning',
  judges: ['live'],
  spreads: spreadOfAnswers,
  message: ({ actual }, operation) =>
    `${nameOf(operation)} was not judged for three nights: it answers ${actual}, while other operations answer well.`,
  of: 'run',
  *judge(run) {
    for (const { judgement, base } of judged(run, 'unsettled')) {
      yield { ...base, provenance: 'observed', expected: 'an answer of its own', actual: judgement.why.answer };
    }
  },
};

export const undocumentedStatus: RunRule = {
  id: 'undocumented-status',
  title: 'A status that is not documented',
  severity: 'info',
  judges: ['live'],
  message: ({ actual }, operation) => `${nameOf(operation)} answers ${actual}, which is not documented.`,
  of: 'run',
  *judge({ calls, contract, judgements, samples }) {
    // If the target serves nothing at all, a status proves nothing about an operation.
    if (!samples.some(({ operation }) => operation.auth !== 'issues')) return;
    for (const call of calls) {
      const status = finalAttempt(call)?.response?.status;
      const operation = contract.operation(call.operationId);
      if (call.purpose !== 'succeed' || status === undefined || operation === undefined) continue;
      if (status < 300 || status >= 500 || [401, 408, 429].includes(status)) continue;
      if (responseFor(operation, status) !== undefined) continue;
      const judgement = judgements.get(call);
      // Skips calls with a better finding, calls that later succeeded, and answers that do not come from the operation.
      if (judgement?.kind !== 'inconclusive') continue;
      if (judgement.why.kind !== 'body-unknown' && !isOfOneCall(judgement.why)) continue;
      const known = operation.responses.map((response) => response.status).sort();
      yield { ...ofCall(call, contract), expected: known.join(' or '), actual: String(status) };
    }
  },
};

/** A field surely echoes a parameter only if both have exactly the same name. */
export const parameterEchoedDifferently: AnswerRule = {
  id: 'parameter-echoed-differently',
  title: 'An answer names another value than its request',
  severity: 'info',
  judges: ['live'],
  message: ({ pointer }) => `${pointer} differs from the parameter of that name in the request.`,
  of: 'answer',
  *judge(sample) {
    const { content, call } = sample;
    const members = objectOf(content.kind === 'json' && content.value);
    for (const [name, asked] of Object.entries(call.parameters)) {
      const echoed = Object.hasOwn(members, name) ? members[name] : null;
      if (!['string', 'number'].includes(typeof echoed) || String(echoed) === asked) continue;
      yield { ...ofSample(sample), pointer: joinPointer('', name), expected: 'the parameter', actual: 'another value' };
    }
  },
};
