import { inSlices, pause } from '../contract/time-slices.ts';
import { EXIT } from '../errors.ts';
import { learnFromExchange } from '../journal/entry.ts';
import { createJournalWriter } from '../journal/write.ts';
import { inOrder } from '../judge/findings.ts';
import { judgeInSlices } from '../judge/judge.ts';
import type { Judgement } from '../judge/judgement.ts';
import type { Call } from '../model/call.ts';
import { type Exchange, header } from '../model/exchange.ts';
import type { Finding } from '../model/finding.ts';
import { reasonText } from '../model/reason.ts';
import type { Check, OperationCoverage, Report, Verdict } from '../model/report.ts';
import { counts } from '../model/verdict.ts';
import { namesOfRequests } from '../net/own-headers.ts';
import type { Redactor } from '../redact/redact.ts';
import { coverageOf } from '../report/coverage.ts';
import { deprecationsOf } from '../report/deprecations.ts';
import { makeReport } from '../report/make-report.ts';
import { weakening } from '../report/notices.ts';
import { withTickets } from '../report/ticket.ts';
import { assumptionsRefutedBy, type guardsOf, judgedBy, type Target } from '../run/target.ts';
import { addCoverage, createRecentCalls, createTally } from './accumulated.ts';
import { callOf, locate } from './calls.ts';
import type { followTarget } from './follow.ts';
import type { ProxyEvent, ProxyOptions } from './options.ts';

/** Most exchanges that may wait to be judged, and bytes of their bodies. Beyond either limit, requests also wait. */
const MOST = { exchanges: 1_000, bytes: 64 * 1024 * 1024 };
/** Exchanges per round. Recent calls are judged again in each round, so a round should be large. */
const MOST_AT_ONCE = 64;
/** Bytes of a body from which secrets are learned. Larger bodies are only masked by names and patterns. */
const LARGEST_LESSON = 1024 * 1024;

export interface Passed {
  readonly exchange: Exchange;
  /** Who answered: the target, the mock or the proxy. The caller does not see a withheld answer of the target. */
  readonly by: 'target' | 'mock' | 'proxy' | 'withheld';
  /** Why the request was not sent to the target. */
  readonly refusal?: string;
}

/** Of an operation; its duration is the sum of its exchanges. */
type Exercised = Pick<Check, 'durationMs'> & { readonly isJudged: boolean };

/** Records the exchanges of a proxy, and judges the answers of the target by the rules of a run: in order, after them. */
export function createJudging(
  target: ReturnType<typeof followTarget>,
  options: ProxyOptions,
  { own, redactor }: Pick<ReturnType<typeof guardsOf>, 'own' | 'redactor'>,
  most: Readonly<Record<'exchanges' | 'bytes', number>> = MOST,
) {
  const { clock = Date.now, failOn = 'error', requestIds, variables, onEvent, onJournal } = options;
  const startedAt = clock();
  const sentIds = namesOfRequests(own);
  const redact = redactor.text;
  let lines: string[] = [];
  const shapes = options.journalShapes ? { shapes: target.contract() } : {};
  const journal = onJournal && createJournalWriter((line) => lines.push(line), { redactor, ...shapes });

  const recent = createRecentCalls();
  const tally = createTally();
  const exercised = new Map<string, Exercised>();
  const coverage = new Map<string, OperationCoverage>();
  const waiting: Passed[] = [];
  let bytes = 0;
  let delayed = 0;
  let roomy = Promise.withResolvers<void>();
  let running: Promise<void> | undefined;
  let last: Promise<Report> | undefined;

  const isFull = (): boolean => waiting.length >= most.exchanges || bytes >= most.bytes;

  return {
    /** Resolves when there is room for another exchange. Undefined if there is room now. */
    room(): Promise<void> | undefined {
      if (!isFull()) return undefined;
      delayed += 1;
      return roomy.promise;
    },
    add(passed: Passed): void {
      if (last !== undefined) return;
      waiting.push(passed);
      bytes += sizeOf(passed.exchange);
      running ??= run();
    },
    /** The report of all exchanges so far. Waits until they are judged. */
    report: (): Promise<Report> => last ?? report(clock()),
    /** Judges the remaining exchanges. No others are judged from then on. */
    async close(): Promise<void> {
      last ??= report(clock());
      await last.catch(() => undefined);
    },
  };

  async function run(): Promise<void> {
    // first, the answer goes to the caller
    await pause();
    while (waiting.length > 0) {
      const round = waiting.splice(0, MOST_AT_ONCE);
      try {
        await judge(await inSlices(record(round)), await target.latest());
      } catch (error) {
        const message = redact(error instanceof Error ? error.message : 'unknown');
        onEvent?.({ kind: 'fault', message });
      }
      if (lines.length > 0) onJournal?.(lines.join(''));
      lines = [];
      for (const { exchange } of round) bytes -= sizeOf(exchange);
      if (!isFull()) {
        roomy.resolve();
        roomy = Promise.withResolvers();
      }
      await pause();
    }
    running = undefined;
  }

  /** Learns the secrets of the exchanges, which may reappear in later ones, and records them. Returns those to judge. */
  function* record(round: readonly Passed[]): Generator<void, Exchange[]> {
    const judged: Exchange[] = [];
    for (const passed of round) {
      const { exchange, by } = passed;
      const { request, response, failure } = exchange;
      learnBasic(header(request.headers, 'authorization') ?? '', redactor);
      // the journal learns too
      if (journal && by !== 'withheld') journal.append(exchange);
      else learnFromExchange(exchange, redactor, LARGEST_LESSON);
      redactor.learnFrom(locate(target.contract(), request.method, request.target)?.pathParameters);
      const event = eventOf(passed, redactor);
      if (event !== null) onEvent?.(event);
      const isOfTarget = by === 'target' || by === 'withheld';
      // The rest of an answer is unknown if the caller did not wait for it.
      const isAbandoned = failure?.kind === 'aborted' || response?.delivered === false;
      if (isOfTarget && !isAbandoned) judged.push(exchange);
      yield;
    }
    return judged;
  }

  async function judge(round: readonly Exchange[], now: Target): Promise<void> {
    const { contract, baseUrl, parameters } = now;
    const calls: Call[] = [];
    const strays: Exchange[] = [];
    for (const exchange of round) {
      const reached = locate(contract, exchange.request.method, exchange.request.target);
      if (reached !== null) calls.push(callOf(exchange, reached, contract));
      // A preflight only asks for permission, so it is not a call.
      else if (exchange.request.method !== 'OPTIONS') strays.push(exchange);
    }
    const judged = await judgeInSlices({
      ...judgedBy(now, options),
      calls: [...recent.calls, ...calls],
      strays,
      redact,
    });
    const own = new Set(calls);
    const called = new Set(calls.map(({ operationId }) => operationId));
    const operations = contract.operations.filter(({ operationId }) => called.has(operationId));
    const samples = judged.samples.filter(({ call }) => own.has(call));
    for (const next of coverageOf(contract, samples, calls, operations)) {
      coverage.set(next.operationId, addCoverage(coverage.get(next.operationId), next));
    }
    for (const call of calls) {
      note(call, judged.judgements.get(call));
      recent.add(call);
    }
    const refuted = await assumptionsRefutedBy(now, { calls, redact }, judged.findings);
    const tickets = { contract, baseUrl, parameters, requestIds, sentIds, variables, byName: true, redact };
    const ticketed = withTickets([...judged.findings, ...refuted], calls, tickets);
    const endOf = new Map(round.map(({ seq, endedAt }) => [seq, new Date(endedAt).toISOString()]));
    for (const finding of tally.add(ticketed, { endOf, times: judged.times })) {
      onEvent?.({ kind: 'finding', finding });
    }
  }

  function note(call: Call, judgement: Judgement | undefined): void {
    const before = exercised.get(call.operationId) ?? { isJudged: false, durationMs: 0 };
    const durationMs = call.attempts.reduce(
      (sum, { startedAt: from, endedAt: to }) => sum + to - from,
      before.durationMs,
    );
    exercised.set(call.operationId, { isJudged: before.isJudged || isJudged(call, judgement), durationMs });
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
    const checks = [...exercised].map((each) => checkOf(each, findings, judged.judgements));
    const made = makeReport({
      ...{ command: 'proxy', target: { kind, baseUrl }, startedAt, endedAt, failOn, findings, checks },
      coverage: coverageOf(contract, [], []).map((none) => addCoverage(coverage.get(none.operationId), none)),
      deprecations: deprecationsOf(contract, judged, redact),
      notices: [...weakening(contract.notices), ...delays()],
    });
    return { ...made, exitCode: EXIT.agrees, verdict: verdictOf(findings, checks) };
  }

  function delays(): NonNullable<Report['notices']> {
    if (delayed === 0) return [];
    const message = `${delayed} requests waited until earlier exchanges were judged. Nothing was left out.`;
    return [{ code: 'judging-behind', message, location: null }];
  }

  /** Later calls also count: whether other operations of the service still answer decides the meaning of a 404. */
  function checkOf(
    [operationId, { durationMs, ...before }]: [string, Exercised],
    findings: readonly Finding[],
    judgements: ReadonlyMap<Call, Judgement>,
  ): Check {
    const failing = findings.filter((finding) => finding.operationId === operationId && counts(finding, failOn));
    const base = { id: `proxy.${operationId}`, operationId, kind: 'any', durationMs } as const;
    if (failing.length > 0) {
      return {
        ...base,
        outcome: 'failed',
        reason: failing.map(({ rule, message }) => `${rule}: ${message}`).join(' '),
      };
    }
    const last = [...judgements].findLast(([call]) => call.operationId === operationId);
    if (before.isJudged || (last && isJudged(...last))) return { ...base, outcome: 'passed', reason: '' };
    const reason = last?.[1].kind === 'inconclusive' ? redact(reasonText(last[1].why)) : '';
    return { ...base, outcome: 'inconclusive', reason };
  }

  /** Inconclusive if no check could be judged. */
  function verdictOf(findings: readonly Finding[], checks: readonly Check[]): Verdict {
    if (findings.some((finding) => counts(finding, failOn))) return 'drift';
    return checks.some(({ outcome }) => outcome === 'passed') ? 'agrees' : 'inconclusive';
  }
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

/** What the user reads at once about an exchange; null for an ordinary one. */
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

/** Size of both bodies of an exchange in bytes. */
function sizeOf({ request, response }: Exchange): number {
  return (request.body?.length ?? 0) + (response?.body.bytes.length ?? 0);
}
