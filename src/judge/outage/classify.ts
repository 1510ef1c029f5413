import type { Contract, Operation } from '../../contract/contract.ts';
import { createReach } from '../../contract/paths.ts';
import { recordedAnswers } from '../../contract/provenance.ts';
import { serviceOf } from '../../contract/services.ts';
import { type Call, finalAttempt } from '../../model/call.ts';
import type { Reason } from '../../model/reason.ts';
import type { Redact } from '../../redact/excerpt.ts';
import { inconclusive, type Judgement } from '../judgement.ts';
import { type Evidence, formsIn, gather, sameParameters, seqOf } from './evidence.ts';
import { foreignAnswers } from './foreign.ts';
import { type Ids, weighIds } from './gone-ids.ts';
import { type AnswerReading, readingOf, saidBy } from './reading.ts';
import { unknownBody } from './unknown-body.ts';

type Foreign = ReadonlyMap<Call, Reason>;
type Answer = AnswerReading | { readonly kind: 'foreign'; readonly why: Reason };

interface Answered extends Evidence {
  readonly answers: ReadonlyMap<Call, Answer>;
  readonly ids: Ids;
  readonly redact: Redact | undefined;
}

/**
 * An operation fails alone only if another answers well after it. Otherwise its service went down mid-run.
 *
 * @param redact allows a reason to quote an answer
 */
export function classify(
  calls: readonly Call[],
  contract: Contract,
  foreign: Foreign = foreignAnswers(calls, contract),
  redact?: Redact,
): Map<Call, Judgement> {
  const evidence = gather(calls, contract, foreign);
  const answers = new Map(
    evidence.wanted.map((call): [Call, Answer] => {
      const why = foreign.get(call);
      return [call, why === undefined ? readingOf(call) : { kind: 'foreign', why }];
    }),
  );
  const missing = evidence.wanted.filter((call) => answers.get(call)?.kind === 'missing');
  const answered: Answered = { ...evidence, answers, ids: weighIds(missing, evidence), redact };
  const result = new Map<Call, Judgement>();
  for (const [call, answer] of answers) {
    if (call.purpose === 'succeed') result.set(call, judge(call, answer, answered));
  }
  return result;
}

function judge(call: Call, answer: Answer, answered: Answered): Judgement {
  const { contract, ids, lastAsked, peersOf, isServed } = answered;
  if (answer.kind === 'good') return { kind: 'good', note: noteOf(call) };
  if (answer.kind === 'unclear') return inconclusive(answer.why);
  const isLater = (other: Call): boolean => isAfter(other, call) && isSameQuestion(call, other, answer);
  if (answered.goodOf(call.operationId).some(isLater)) {
    return { kind: 'good', note: `${wordOf(answer)} at first, answered later` };
  }
  if (answer.kind === 'foreign') return inconclusive(answer.why);
  // Without tokens nothing can be checked, so nothing is known about the operations.
  if (call.operationId === contract.token?.operationId) {
    return answer.kind === 'unauthorised'
      ? inconclusive({ kind: 'token-not-accepted', service: '' })
      : inconclusive({ kind: 'no-tokens-issued', answer: wordOf(answer) });
  }
  if (answer.kind === 'missing' && ids.gone.names.some((name) => name in call.parameters)) {
    return inconclusive({ kind: 'ids-gone', ...ids.gone });
  }
  const { ids: peers } = peersOf(call.operationId, isAbsent(answer));
  if (!isServed(peers, lastAsked(call.operationId))) return inconclusive(outageOf(call, answered));
  // Writes are not sent twice, so a single failure proves nothing yet.
  if (answer.kind === 'broken' && timesAsked(call, answered) < 2) {
    return inconclusive({ kind: 'not-confirmed', answer: answer.actual, how: 'failed' });
  }
  const lacking = unknownBody(call, answered);
  if (lacking !== null) return inconclusive(lacking);
  const word = wordOf(answer);
  const alike = answered.rivals.filter((id) => wordAtEnd(id, answered) === word);
  const isRefused = answer.kind === 'page' || answer.kind === 'unauthorised';
  // Something in front of the operation may have answered. The service answers others, so the evidence is balanced.
  if (isRefused || (answer.kind === 'broken' && isOfBackend(answer.status, formsIn(alike, contract).size))) {
    const { service } = peersOf(call.operationId);
    const said = answer.kind === 'page' ? saidBy(call, answered.redact) : '';
    return inconclusive({ kind: 'unsettled', service, answer: word, operations: alike.length, said });
  }
  switch (answer.kind) {
    case 'broken':
      return { kind: 'failing', actual: answer.actual, shape: word };
    case 'redirect':
      return judgeRedirect(call, answer, answered);
    default:
      return contract.operation(call.operationId)?.effect === 'read'
        ? judgeRead(call, answer.kind, answer.status, answered)
        : judgeWrite(call, answer.kind, answer.status, answered);
  }
}

function isAbsent({ kind }: Answer): boolean {
  return ['gone', 'missing', 'redirect'].includes(kind);
}

/** Statuses that a gateway sends for the backend behind it (RFC 9110, 15.6.3 to 15.6.5). */
const OF_A_GATEWAY: readonly number[] = [502, 503, 504];

/** Whether a backend is out, which serves several operations. A failure of one operation alone is its own. */
function isOfBackend(status: number, forms: number): boolean {
  return OF_A_GATEWAY.includes(status) || (forms > 1 && (status === 0 || status >= 500));
}

function wordAtEnd(id: string, { answers, askedOf }: Answered): string | null {
  const last = askedOf(id).at(-1);
  const answer = last && answers.get(last);
  return answer === undefined || answer.kind === 'good' ? null : wordOf(answer);
}

type Absent = 'gone' | 'missing' | 'rejected';

/** The run repeats absent and rejected reads, once at its end. A second attempt confirms the answer. */
function judgeRead(call: Call, kind: Absent, status: number, answered: Answered): Judgement {
  const { contract, ids } = answered;
  const operation = contract.operation(call.operationId);
  const withdrawal = timesAsked(call, answered) > 1 ? withdrawn(status) : notConfirmed(status);
  if (kind === 'gone') return withdrawal;
  const [recorded] = operation ? recordedAnswers(contract, operation) : [];
  if (kind === 'missing') {
    const twin = operation?.successor ?? operation?.predecessor ?? '';
    const twinAnswers = answered.goodOf(twin).some((other) => sameParameters(call, other));
    if (twinAnswers || (recorded !== undefined && ids.areServed(call))) return withdrawal;
  }
  if (recorded === undefined) return lookAt(call, status);
  const names = kind === 'missing' ? ids.unknownIn(call) : [];
  if (names.length > 0) return inconclusive({ kind: 'ids-gone', names, lists: [] });
  return timesAsked(call, answered) > 1
    ? { kind: 'status-changed', recorded: recorded.status, actual: String(status), source: recorded.pointer }
    : notConfirmed(status);
}

/** Writes are not sent twice. A write is withdrawn only if a later read with the same ids succeeds. */
function judgeWrite(call: Call, kind: Absent, status: number, answered: Answered): Judgement {
  const { contract, answers } = answered;
  const operation = contract.operation(call.operationId);
  const [recorded] = operation ? recordedAnswers(contract, operation) : [];
  if (kind === 'rejected') {
    if (recorded === undefined) return lookAt(call, status);
    return { kind: 'status-changed', recorded: recorded.status, actual: String(status), source: recorded.pointer };
  }
  const read = nextRead(call, answered);
  // A read that needed a second attempt shows that the service is not fully available.
  if (read === undefined || answers.get(read)?.kind !== 'good' || read.attempts.length > 1) {
    return inconclusive({ kind: 'not-confirmed', answer: String(status), how: 'written' });
  }
  const isOfTheSameThing = isAbove(contract.operation(read.operationId), operation);
  return kind === 'gone' || recorded !== undefined || isOfTheSameThing ? withdrawn(status) : lookAt(call, status);
}

function nextRead(call: Call, { contract, wanted }: Answered): Call | undefined {
  const own = serviceOf(contract, call.operationId);
  const reads = wanted.filter(
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

function notConfirmed(status: number): Judgement {
  return inconclusive({ kind: 'not-confirmed', answer: String(status), how: 'asked' });
}

function lookAt({ parameters }: Call, status: number): Judgement {
  return inconclusive({ kind: 'look-at', status, names: Object.keys(parameters) });
}

type Redirect = Extract<Answer, { readonly kind: 'redirect' }>;

function judgeRedirect(call: Call, { status, location, why }: Redirect, answered: Answered): Judgement {
  const { contract } = answered;
  const successor = contract.operation(contract.operation(call.operationId)?.successor ?? '');
  if (successor === undefined || !leadsTo(location, successor)) return inconclusive(why);
  return timesAsked(call, answered) > 1
    ? { kind: 'withdrawn', actual: `${status} to its successor` }
    : notConfirmed(status);
}

function leadsTo(location: string, operation: Operation): boolean {
  const path = URL.parse(location, 'https://x')?.pathname ?? '';
  const reach = createReach([operation]);
  const segments = path.split('/').slice(1);
  return segments.some((_, index) => (reach(`/${segments.slice(index).join('/')}`) ?? []).length > 0);
}

function outageOf(call: Call, answered: Answered): Reason {
  const { answers, rivals, lastAsked, peersOf, isServed } = answered;
  const { operationId } = call;
  const { service, ids } = peersOf(operationId, isAbsent(answers.get(call) as Answer));
  const isTargetAlive = isServed(rivals, lastAsked(operationId));
  const members = isTargetAlive && service !== '' ? [operationId, ...ids] : rivals;
  const bad = members.flatMap((id) =>
    answered.askedOf(id).flatMap((other) => {
      const answer = answers.get(other);
      return answer === undefined || ['good', 'unclear'].includes(answer.kind) ? [] : [{ call: other, answer }];
    }),
  );
  const name = isTargetAlive ? service : '';
  if (bad.every(({ answer }) => answer.kind === 'unauthorised')) return { kind: 'token-not-accepted', service: name };
  const words = new Set(bad.map(({ answer }) => wordOf(answer)));
  const refused = bad.filter(({ answer: { kind } }) => kind === 'missing' || kind === 'rejected');
  const names = new Set(refused.flatMap((one) => Object.keys(one.call.parameters)));
  const said = saidBy(bad.find(({ answer }) => answer.kind === 'page')?.call, answered.redact);
  return { kind: 'service-out', service: name, answers: [...words].sort(), names: [...names], said };
}

function wordOf(answer: Answer): string {
  if (answer.kind === 'broken') return answer.shape ?? answer.actual;
  if (answer.kind === 'foreign') return 'a foreign answer';
  if (answer.kind === 'page' && answer.status < 300) return 'HTML';
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

function timesAsked(call: Call, { answers, askedOf }: Answered): number {
  const kind = answers.get(call)?.kind;
  const asked = askedOf(call.operationId).filter((other) => answers.get(other)?.kind === kind);
  // Attempts with an expired token prove nothing about the operation.
  return asked.flatMap(({ attempts }) => attempts).filter(({ response }) => response?.status !== 401).length;
}

/** True if a later call asks the same. After a rejection the bodies must match: a different body may be accepted. */
function isSameQuestion(call: Call, other: Call, { kind }: Answer): boolean {
  if (kind === 'rejected') return bodyOf(call) === bodyOf(other);
  return kind === 'broken' || kind === 'page' || sameParameters(call, other);
}

function bodyOf(call: Call): string {
  const { target = '', body = null } = finalAttempt(call)?.request ?? {};
  return `${target}\n${Buffer.from(body ?? []).toString('latin1')}`;
}
