import type { Contract, Operation } from '../../contract/contract.ts';
import { createReach } from '../../contract/paths.ts';
import { recordedAnswers } from '../../contract/provenance.ts';
import { serviceOf } from '../../contract/services.ts';
import { type Call, finalAttempt, mustBeRefused } from '../../model/call.ts';
import { type Reason, reasonText } from '../../model/reason.ts';
import type { Redact } from '../../redact/excerpt.ts';
import type { Judgement } from '../judgement.ts';
import { type ForeignAnswer, foreignAnswers, reasonOf, saidBy } from './foreign.ts';
import { answerHolds, type GoneIds, goneIds, seqOf } from './gone-ids.ts';
import { type AnswerReading, isPage, ONCE, readingOf } from './reading.ts';
import { unknownBody } from './unknown-body.ts';

type Answer = AnswerReading | ({ readonly kind: 'foreign' } & ForeignAnswer);

interface Answered {
  readonly contract: Contract;
  readonly answers: ReadonlyMap<Call, Answer>;
  readonly good: readonly Call[];
  readonly gone: GoneIds;
  readonly redact: Redact | undefined;
}

/**
 * An operation fails alone only if another answers well after it. Otherwise its service went down mid-run.
 * @param redact allows a reason to quote an answer
 */
export function classify(
  calls: readonly Call[],
  contract: Contract,
  foreign: ReadonlyMap<Call, ForeignAnswer> = foreignAnswers(calls, contract),
  redact?: Redact,
): Map<Call, Judgement> {
  const wanted = calls.filter((call) => !mustBeRefused(call));
  const answers = new Map(
    wanted.map((call): [Call, Answer] => {
      const strange = foreign.get(call);
      return [call, strange === undefined ? readingOf(call) : { kind: 'foreign', ...strange }];
    }),
  );
  const having = (kind: Answer['kind']): Call[] => wanted.filter((call) => answers.get(call)?.kind === kind);
  const good = having('good');
  const answered: Answered = { contract, answers, good, gone: goneIds(having('missing'), good, contract), redact };
  const result = new Map<Call, Judgement>();
  for (const [call, answer] of answers) {
    if (call.purpose === 'succeed') result.set(call, judge(call, answer, answered));
  }
  return result;
}

function judge(call: Call, answer: Answer, answered: Answered): Judgement {
  if (answer.kind === 'good') return { kind: 'good', note: noteOf(call) };
  if (answer.kind === 'unclear') return { kind: 'inconclusive', reason: answer.reason };
  const later = answered.good.find((other) => isAfter(other, call) && isSameQuestion(call, other, answer));
  if (later !== undefined) return { kind: 'good', note: `${wordOf(answer)} at first, answered later` };
  if (answer.kind === 'foreign') return unclear(reasonOf(answer));
  // Without tokens nothing can be checked, so nothing is known about the operations.
  if (call.operationId === answered.contract.token?.operationId) {
    return answer.kind === 'unauthorised'
      ? unclear({ kind: 'token-not-accepted', service: '' })
      : { kind: 'inconclusive', reason: `the token endpoint is out: ${wordOf(answer)}` };
  }
  return answer.kind === 'broken' ? judgeBroken(call, answer, answered) : judgeRefused(call, answer, answered);
}

function unclear(why: Reason): Judgement {
  return { kind: 'inconclusive', reason: reasonText(why), why };
}

function judgeBroken(call: Call, { actual, shape }: AnswerReading & { kind: 'broken' }, answered: Answered): Judgement {
  if (!peersOf(call, answered).good.some((other) => isAfter(other, call))) return unclear(outageOf(call, answered));
  const tries = [...answered.answers]
    .filter(([other, { kind }]) => other.operationId === call.operationId && kind === 'broken')
    .reduce((sum, [{ attempts }]) => sum + attempts.length, 0);
  // Writes are not sent twice, so a single failure proves nothing yet.
  if (tries < 2) return { kind: 'inconclusive', reason: `${actual}, once; the call is not repeated` };
  const lacking = unknownBody(call, answered.good, answered.contract);
  if (lacking !== null) return unclear(lacking);
  return { kind: 'failing', actual, shape: shape ?? actual };
}

type Refused = Exclude<AnswerReading, { readonly kind: 'good' | 'unclear' | 'broken' }>;

function judgeRefused(call: Call, reading: Refused, answered: Answered): Judgement {
  const { contract, gone } = answered;
  const names = reading.kind === 'missing' ? Object.keys(call.parameters) : [];
  if (names.some((name) => gone.names.includes(name))) return unclear({ kind: 'ids-gone', ...gone });
  const last = lastAsked(call, answered);
  const isAlone = peersOf(call, answered).good.some((other) => seqOf(other) > last);
  const operation = contract.operation(call.operationId);
  if (!isAlone) return unclear(outageOf(call, answered));
  const lacking = unknownBody(call, answered.good, contract);
  if (lacking !== null) return unclear(lacking);
  switch (reading.kind) {
    case 'unauthorised':
      return { kind: 'inconclusive', reason: '401 with a fresh token: is the client entitled to this operation?' };
    case 'redirect':
      return judgeRedirect(call, reading, answered);
    default:
      return operation?.effect === 'read'
        ? judgeRead(call, reading.kind, reading.status, answered)
        : judgeWrite(call, reading.kind, reading.status, answered);
  }
}

type Absent = 'gone' | 'missing' | 'rejected';

/** The run repeats absent and rejected reads, once at its end. A second attempt confirms the answer. */
function judgeRead(call: Call, kind: Absent, status: number, answered: Answered): Judgement {
  const { contract, good } = answered;
  const operation = contract.operation(call.operationId);
  const isConfirmed = timesAsked(call, answered) > 1;
  if (kind === 'gone') return isConfirmed ? withdrawn(status) : notConfirmed(status, ONCE);
  const [recorded] = operation ? recordedAnswers(contract, operation) : [];
  if (kind === 'missing') {
    const twin = operation?.successor ?? operation?.predecessor ?? null;
    const twinAnswers = good.some((other) => other.operationId === twin && sameParameters(call, other));
    const others = good.filter(
      ({ operationId }) => ![call.operationId, contract.token?.operationId].includes(operationId),
    );
    const parametersHold = recorded !== undefined && others.some((other) => sameParameters(call, other));
    if (twinAnswers || parametersHold) return isConfirmed ? withdrawn(status) : notConfirmed(status, ONCE);
  }
  if (recorded === undefined) return lookAt(call, status);
  const names = kind === 'missing' ? unanswered(call, answered) : [];
  if (names.length > 0) return unclear({ kind: 'ids-gone', names, lists: [] });
  return isConfirmed
    ? { kind: 'status-changed', recorded: recorded.status, actual: String(status), source: recorded.pointer }
    : notConfirmed(status, ONCE);
}

function unanswered(call: Call, { good }: Answered): string[] {
  return Object.entries(call.parameters)
    .filter(([name, value]) => !good.some((other) => other.parameters[name] === value || answerHolds(other, value)))
    .map(([name]) => name);
}

/** Writes are not sent twice. A write is withdrawn only if a later read with the same ids succeeds. */
function judgeWrite(call: Call, kind: Absent, status: number, { contract, answers }: Answered): Judgement {
  const operation = contract.operation(call.operationId);
  const [recorded] = operation ? recordedAnswers(contract, operation) : [];
  if (kind === 'rejected') {
    if (recorded === undefined) return lookAt(call, status);
    return { kind: 'status-changed', recorded: recorded.status, actual: String(status), source: recorded.pointer };
  }
  const read = nextRead(call, answers, contract);
  // A read that needed a second attempt shows that the service is not fully available.
  if (read === undefined || answers.get(read)?.kind !== 'good' || read.attempts.length > 1) {
    return notConfirmed(status, 'once; it is not sent again, and no read of the run confirms it');
  }
  const isOfTheSameThing = isAbove(contract.operation(read.operationId), operation);
  return kind === 'gone' || recorded !== undefined || isOfTheSameThing ? withdrawn(status) : lookAt(call, status);
}

function nextRead(call: Call, answers: Answered['answers'], contract: Contract): Call | undefined {
  const own = serviceOf(contract, call.operationId);
  const reads = [...answers.keys()].filter(
    (other) =>
      seqOf(other) > seqOf(call) &&
      contract.operation(other.operationId)?.effect === 'read' &&
      serviceOf(contract, other.operationId) === own &&
      sameParameters(call, other),
  );
  return reads.toSorted((a, b) => seqOf(a) - seqOf(b))[0];
}

/** True if the write's path starts with the read's path: the write changes the resource that the read returns. */
function isAbove(read: Operation | undefined, write: Operation | undefined): boolean {
  return read?.path != null && write?.path != null && `${write.path}/`.startsWith(`${read.path}/`);
}

function withdrawn(status: number): Judgement {
  return { kind: 'withdrawn', actual: String(status) };
}

function notConfirmed(status: number, why: string): Judgement {
  return { kind: 'inconclusive', reason: `${status}, ${why}` };
}

function lookAt({ parameters }: Call, status: number): Judgement {
  const names = Object.keys(parameters);
  const look = names.length === 0 ? 'the request' : names.join(', ');
  return { kind: 'inconclusive', reason: `answered ${status}; look at ${look}` };
}

function judgeRedirect(
  call: Call,
  { status, location, reason }: Refused & { kind: 'redirect' },
  answered: Answered,
): Judgement {
  const { contract } = answered;
  const successor = contract.operation(contract.operation(call.operationId)?.successor ?? '');
  if (successor === undefined || !leadsTo(location, successor)) return { kind: 'inconclusive', reason };
  return timesAsked(call, answered) > 1
    ? { kind: 'withdrawn', actual: `${status} to its successor` }
    : notConfirmed(status, ONCE);
}

function leadsTo(location: string, operation: Operation): boolean {
  const path = URL.parse(location, 'https://x')?.pathname ?? '';
  const reach = createReach([operation]);
  const segments = path.split('/').slice(1);
  return segments.some((_, index) => (reach(`/${segments.slice(index).join('/')}`) ?? []).length > 0);
}

/** All deprecated forms may be withdrawn at once, so an absent one is compared with current operations only. */
function peersOf(call: Call, { contract, answers, good }: Answered): { service: string; good: readonly Call[] } {
  const token = contract.token?.operationId;
  const service = serviceOf(contract, call.operationId);
  const isAbsent = ['gone', 'missing', 'redirect'].includes(answers.get(call)?.kind ?? '');
  const onlyCurrent = isAbsent && contract.operation(call.operationId)?.successor != null;
  const isPeer = ({ operationId }: Call): boolean =>
    ![call.operationId, token].includes(operationId) &&
    serviceOf(contract, operationId) === service &&
    !(onlyCurrent && contract.operation(operationId)?.successor != null);
  // Calls count as well if they were skipped because their service is down.
  const isAsked = answers.keys().some(isPeer);
  if (isAsked) return { service, good: good.filter(isPeer) };
  return { service: '', good: good.filter(({ operationId }) => ![call.operationId, token].includes(operationId)) };
}

function outageOf(call: Call, answered: Answered): Reason {
  const { contract, answers, good } = answered;
  const token = contract.token?.operationId;
  const last = lastAsked(call, answered);
  const isTargetAlive = good.some((other) => other.operationId !== token && seqOf(other) > last);
  const service = isTargetAlive ? peersOf(call, answered).service : '';
  const bad = [...answers].filter(
    ([{ operationId }, { kind }]) =>
      !['good', 'unclear'].includes(kind) &&
      operationId !== token &&
      (service === '' || serviceOf(contract, operationId) === service),
  );
  if (bad.every(([, { kind }]) => kind === 'unauthorised')) return { kind: 'token-not-accepted', service };
  const words = new Set(bad.map(([, answer]) => ('shape' in answer && answer.shape) || wordOf(answer)));
  const refused = bad.filter(([, { kind }]) => kind === 'missing' || kind === 'rejected');
  const names = new Set(refused.flatMap(([{ parameters }]) => Object.keys(parameters)));
  const page = bad.find(([other]) => isPage(other));
  const said = page === undefined ? '' : saidBy([page[0]], answered.redact);
  return { kind: 'service-out', service, answers: [...words].sort(), names: [...names], said };
}

function wordOf(answer: Answer): string {
  if (answer.kind === 'broken') return answer.actual;
  if (answer.kind === 'foreign') return 'a foreign answer';
  return 'status' in answer ? String(answer.status) : answer.kind;
}

function noteOf(call: Call): string {
  const before = call.attempts.slice(0, -1).map((attempt) => attempt.response?.status ?? attempt.failure?.kind ?? '?');
  const weather = before.filter((what) => what !== 401);
  return weather.length === 0 ? '' : `answered after ${weather.join(', ')}`;
}

function isAfter(other: Call, call: Call): boolean {
  return seqOf(other) > (call.attempts[0]?.seq ?? Number.POSITIVE_INFINITY);
}

function lastAsked(call: Call, { answers }: Answered): number {
  const own = [...answers.keys()].filter(({ operationId }) => operationId === call.operationId);
  return Math.max(...own.map(seqOf));
}

function timesAsked(call: Call, { answers }: Answered): number {
  const { operationId } = call;
  const kind = answers.get(call)?.kind;
  const isAlike = (other: Call): boolean => other.operationId === operationId && answers.get(other)?.kind === kind;
  // Attempts with an expired token prove nothing about the operation.
  const asked = [...answers.keys()].filter(isAlike).flatMap(({ attempts }) => attempts);
  return asked.filter(({ response }) => response?.status !== 401).length;
}

/** True if a later call asks the same. After a rejection the bodies must match: a different body may be accepted. */
function isSameQuestion(call: Call, other: Call, { kind }: Answer): boolean {
  if (other.operationId !== call.operationId) return false;
  if (kind === 'rejected') return bodyOf(call) === bodyOf(other);
  return kind === 'broken' || sameParameters(call, other);
}

function bodyOf(call: Call): string {
  const { target = '', body = null } = finalAttempt(call)?.request ?? {};
  return `${target}\n${Buffer.from(body ?? []).toString('latin1')}`;
}

function sameParameters(call: Call, other: Call): boolean {
  return Object.entries(call.parameters).every(([name, value]) => other.parameters[name] === value);
}
