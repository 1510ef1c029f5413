import type { Contract } from '../contract/contract.ts';
import { pause } from '../contract/time-slices.ts';
import { EXIT } from '../errors.ts';
import { learnFromExchange } from '../journal/entry.ts';
import type { JournalWriter } from '../journal/write.ts';
import { inOrder } from '../judge/findings.ts';
import { judgeInSlices } from '../judge/judge.ts';
import type { Judgement } from '../judge/judgement.ts';
import type { Sample } from '../judge/rule.ts';
import type { Call } from '../model/call.ts';
import { type Exchange, header } from '../model/exchange.ts';
import type { Finding, Threshold } from '../model/finding.ts';
import type { Check, OperationCoverage, Report, Verdict } from '../model/report.ts';
import { counts } from '../model/verdict.ts';
import type { Redactor } from '../redact/redact.ts';
import { coverageOf } from '../report/coverage.ts';
import { deprecationsOf } from '../report/deprecations.ts';
import { makeReport } from '../report/make-report.ts';
import { weakening } from '../report/notices.ts';
import { withTickets } from '../report/ticket.ts';
import { assumptionsRefutedBy, judgedBy, type Target } from '../run/target.ts';
import { addCoverage, createRecentCalls, createTally } from './accumulated.ts';
import { callOf, locate } from './calls.ts';
import { followTarget } from './follow.ts';
import type { Passed } from './judging-queue.ts';
import type { ProxyEvent, ProxyOptions } from './options.ts';

/** Exchanges per round. Recent calls are judged again in each round, so a round should be large. */
const MOST_AT_ONCE = 64;
/** Bytes of a body from which secrets are learned. Larger bodies are only masked by names and patterns. */
const LARGEST_LESSON = 1024 * 1024;

export interface JudgingOptions {
  readonly options: Pick<ProxyOptions, 'failOn' | 'requestIds' | 'facts' | 'severity' | 'parameters'>;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly target: Target;
  readonly sentIds: readonly string[];
  readonly redactor: Redactor;
  readonly journal: Pick<JournalWriter, 'append'> | null;
  readonly onEvent: (event: ProxyEvent) => void;
  /** Called with exchanges that no longer wait. */
  readonly onDone: (exchanges: readonly Exchange[]) => void;
}

interface Exercised {
  readonly isJudged: boolean;
  /** Total milliseconds of its exchanges. */
  readonly durationMs: number;
}

/** Records exchanges, and judges the answers of the target by the rules of a run, in order. */
export function createJudging({ options, redactor, journal, onEvent, onDone, ...given }: JudgingOptions) {
  const { startedAt, sentIds } = given;
  const { failOn = 'error', requestIds } = options;
  const redact = redactor.text;
  const target = followTarget(given.target, options);
  const recent = createRecentCalls();
  const tally = createTally();
  const exercised = new Map<string, Exercised>();
  const coverage = new Map<string, OperationCoverage>();
  const waiting: Exchange[] = [];
  let running: Promise<void> | undefined;

  /** Learns the secrets of an exchange, which may reappear in later answers and errors, and records it. */
  function take(passed: Passed): void {
    const { exchange, by } = passed;
    const { request, response, failure } = exchange;
    learnBasic(header(request.headers, 'authorization') ?? '', redactor);
    // the journal learns too
    if (journal !== null && by !== 'withheld') journal.append(exchange);
    else learnFromExchange(exchange, redactor, LARGEST_LESSON);
    redactor.learnFrom(locate(target.contract, request.method, request.target)?.pathParameters);
    const event = eventOf(passed, redactor);
    if (event !== null) onEvent(event);
    const isOfTarget = by === 'target' || by === 'withheld';
    if (isOfTarget) target.note(exchange);
    // The rest of an answer is unknown if the caller did not wait for it.
    if (!isOfTarget || failure?.kind === 'aborted' || response?.delivered === false) {
      onDone([exchange]);
      return;
    }
    waiting.push(exchange);
    running ??= pause().then(run);
  }

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const round = waiting.splice(0, MOST_AT_ONCE);
      try {
        await one(round, await target.latest());
      } catch (error) {
        onEvent({ kind: 'fault', message: redact(error instanceof Error ? error.message : 'unknown') });
      }
      onDone(round);
      await pause();
    }
    running = undefined;
  }

  async function one(round: readonly Exchange[], target: Target): Promise<void> {
    const { contract, baseUrl, parameters } = target;
    const calls: Call[] = [];
    const strays: Exchange[] = [];
    for (const exchange of round) {
      const reached = locate(contract, exchange.request.method, exchange.request.target);
      if (reached !== null) calls.push(callOf(exchange, reached, contract));
      // A preflight only asks for permission, so it is not a call.
      else if (exchange.request.method !== 'OPTIONS') strays.push(exchange);
    }
    const endOf = new Map(round.map(({ seq, endedAt }) => [seq, new Date(endedAt).toISOString()]));
    const judged = await judgeInSlices({
      ...judgedBy(target, options),
      calls: [...recent.calls, ...calls],
      strays,
      redact,
    });
    const own = new Set(calls);
    const samples = judged.samples.filter(({ call }) => own.has(call));
    cover(contract, samples, calls);
    for (const call of calls) {
      note(call, judged.judgements.get(call));
      recent.add(call);
    }
    const refuted = await assumptionsRefutedBy(target, { calls, redact }, judged.findings);
    const tickets = { contract, baseUrl, parameters, requestIds, sentIds, byName: true, redact };
    const ticketed = withTickets([...judged.findings, ...refuted], calls, tickets);
    for (const finding of tally.add(ticketed, { endOf, times: judged.times })) {
      onEvent({ kind: 'finding', finding });
    }
  }

  /** Updates the coverage of operations that were called in this round. */
  function cover(contract: Contract, samples: readonly Sample[], calls: readonly Call[]): void {
    const called = new Set(calls.map(({ operationId }) => operationId));
    if (called.size === 0) return;
    const operations = contract.operations.filter(({ operationId }) => called.has(operationId));
    for (const next of coverageOf({ ...contract, operations }, samples, calls)) {
      coverage.set(next.operationId, addCoverage(coverage.get(next.operationId), next));
    }
  }

  function note(call: Call, judgement: Judgement | undefined): void {
    const { operationId } = call;
    const before = exercised.get(operationId);
    const [attempt] = call.attempts;
    exercised.set(operationId, {
      isJudged: before?.isJudged === true || isJudged(call, judgement),
      durationMs: (before?.durationMs ?? 0) + (attempt === undefined ? 0 : attempt.endedAt - attempt.startedAt),
    });
  }

  /**
   * The report of all exchanges so far. Each called operation has a check, so that every format has rows to show.
   * @param endedAt milliseconds since the epoch
   */
  async function report(endedAt: number): Promise<Report> {
    while (running !== undefined) await running;
    const { contract, kind, baseUrl } = await target.latest();
    const { calls } = recent;
    const judged = await judgeInSlices({ contract, calls, redact });
    const findings = inOrder(tally.findings, contract);
    const checks = [...exercised].map((each) => checkOf(each, findings, judged.judgements, { failOn, redact }));
    const made = makeReport({
      command: 'proxy',
      target: { kind, baseUrl },
      startedAt,
      endedAt,
      failOn,
      findings,
      checks,
      coverage: coverageOf(contract, [], []).map((none) => addCoverage(coverage.get(none.operationId), none)),
      deprecations: deprecationsOf(contract, judged, redact),
      notices: weakening(contract.notices),
    });
    return { ...made, exitCode: EXIT.agrees, verdict: verdictOf(findings, checks, failOn) };
  }

  return { take, report };
}

/** Learns the password of Basic credentials, and both forms of the pair. */
function learnBasic(authorization: string, redactor: Redactor): void {
  const basic = /^basic +(\S+)/i.exec(authorization)?.[1];
  if (basic === undefined) return;
  redactor.learn(basic);
  const pair = Buffer.from(basic, 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  if (colon >= 0) redactor.learn(pair.slice(colon + 1));
}

function eventOf({ exchange, by, refusal }: Passed, redactor: Redactor): ProxyEvent | null {
  const { request, operationId, failure } = exchange;
  const place = () => ({ method: request.method, path: redactor.target(request.target.split('?', 1)[0] ?? '') });
  if (refusal !== undefined) return { kind: 'refused', ...place(), reason: refusal };
  if (by === 'mock' && operationId !== null) return { kind: 'mocked', ...place(), operationId };
  if (failure === null || failure.kind === 'aborted') return null;
  return { kind: 'unanswered', ...place(), reason: failure.message };
}

function isJudged(call: Call, judgement: Judgement | undefined): boolean {
  return judgement === undefined ? call.purpose === 'refuse-token' : judgement.kind !== 'inconclusive';
}

/** Later calls also count: whether other operations of the service still answer decides the meaning of a 404. */
function checkOf(
  [operationId, { durationMs, ...before }]: [string, Exercised],
  findings: readonly Finding[],
  judgements: ReadonlyMap<Call, Judgement>,
  { failOn, redact }: { readonly failOn: Threshold; readonly redact: (text: string) => string },
): Check {
  const failing = findings.filter((finding) => finding.operationId === operationId && counts(finding, failOn));
  const base = { id: `proxy.${operationId}`, operationId, kind: 'any', durationMs } as const;
  if (failing.length > 0) {
    return { ...base, outcome: 'failed', reason: failing.map(({ rule, message }) => `${rule}: ${message}`).join(' ') };
  }
  const last = [...judgements].findLast(([call]) => call.operationId === operationId);
  if (before.isJudged || (last && isJudged(...last))) return { ...base, outcome: 'passed', reason: '' };
  const reason = last?.[1].kind === 'inconclusive' ? redact(last[1].reason) : '';
  return { ...base, outcome: 'inconclusive', reason };
}

/** Inconclusive if no check could be judged. */
function verdictOf(findings: readonly Finding[], checks: readonly Check[], failOn: Threshold): Verdict {
  if (findings.some((finding) => counts(finding, failOn))) return 'drift';
  return checks.some(({ outcome }) => outcome === 'passed') ? 'agrees' : 'inconclusive';
}
