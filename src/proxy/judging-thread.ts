import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { pause } from '../contract/time-slices.ts';
import { EXIT } from '../errors.ts';
import { learnFromExchange } from '../journal/entry.ts';
import { createJournalWriter } from '../journal/write.ts';
import { inOrder } from '../judge/findings.ts';
import { judgeInSlices } from '../judge/judge.ts';
import type { Judgement } from '../judge/judgement.ts';
import type { Call } from '../model/call.ts';
import { type Exchange, header } from '../model/exchange.ts';
import type { Finding } from '../model/finding.ts';
import type { Check, OperationCoverage, Report, Verdict } from '../model/report.ts';
import { counts } from '../model/verdict.ts';
import { createRedactor } from '../redact/redact.ts';
import { coverageOf } from '../report/coverage.ts';
import { deprecationsOf } from '../report/deprecations.ts';
import { makeReport } from '../report/make-report.ts';
import { weakening } from '../report/notices.ts';
import { withTickets } from '../report/ticket.ts';
import { asMock, assumptionsRefutedBy, judgedBy, openTarget, type Target } from '../run/target.ts';
import { addCoverage, createRecentCalls, createTally } from './accumulated.ts';
import { callOf, locate } from './calls.ts';
import { followTarget } from './follow.ts';
import { type Beginning, type JudgingReply, type JudgingRequest, type Passed, sizeOf } from './judging-queue.ts';
import type { ProxyEvent } from './options.ts';

/*
 * The thread that records the exchanges of a proxy, and judges the answers of the target by the rules of a run, in
 * order. It loads the contract again.
 */

/** Exchanges per round. Recent calls are judged again in each round, so a round should be large. */
const MOST_AT_ONCE = 64;
/** Bytes of a body from which secrets are learned. Larger bodies are only masked by names and patterns. */
const LARGEST_LESSON = 1024 * 1024;

/** Of an operation; its duration is the sum of its exchanges. */
type Exercised = Pick<Check, 'durationMs'> & { readonly isJudged: boolean };

const { opened, options, journalOf, knowledge, startedAt, sentIds } = workerData as Beginning;
const { failOn = 'error', requestIds } = options;
const port = parentPort as MessagePort;
const send = (reply: JudgingReply): void => port.postMessage(reply);

const loaded = await openTarget({ ...options, target: opened.baseUrl });
const known: Target = { ...(opened.embedded ? await asMock(loaded, options) : loaded), ...opened };
const target = followTarget(known, options);
const redactor = createRedactor(knowledge);
const redact = redactor.text;
let lines: string[] = [];
const shapes = journalOf === 'shapes' ? { shapes: loaded.contract } : {};
const journal = journalOf && createJournalWriter((line) => lines.push(line), { redactor, ...shapes });

const recent = createRecentCalls();
const tally = createTally();
const exercised = new Map<string, Exercised>();
const coverage = new Map<string, OperationCoverage>();
const waiting: Exchange[] = [];
let running: Promise<void> | undefined;

port.on('message', async (request: JudgingRequest) => {
  if (request.kind === 'report') return send({ kind: 'report', report: await report(request.endedAt) });
  for (const passed of request.batch) take(passed);
  if (lines.length > 0) send({ kind: 'lines', lines: lines.join('') });
  lines = [];
  if (waiting.length > 0) running ??= run();
});

/** Learns the secrets of an exchange, which may reappear in later answers and errors, and records it. */
function take(passed: Passed): void {
  const { exchange, by } = passed;
  const { request, response, failure } = exchange;
  learnBasic(header(request.headers, 'authorization') ?? '');
  // the journal learns too
  if (journal !== null && by !== 'withheld') journal.append(exchange);
  else learnFromExchange(exchange, redactor, LARGEST_LESSON);
  redactor.learnFrom(locate(target.contract(), request.method, request.target)?.pathParameters);
  const event = eventOf(passed);
  if (event !== null) send({ kind: 'event', event });
  const isOfTarget = by === 'target' || by === 'withheld';
  if (isOfTarget) target.note(exchange);
  // The rest of an answer is unknown if the caller did not wait for it.
  const isAbandoned = failure?.kind === 'aborted' || response?.delivered === false;
  if (isOfTarget && !isAbandoned) waiting.push(exchange);
  else release([exchange]);
}

function release(done: readonly Exchange[]): void {
  const bytes = done.reduce((sum, exchange) => sum + sizeOf(exchange), 0);
  send({ kind: 'done', exchanges: done.length, bytes });
}

async function run(): Promise<void> {
  while (waiting.length > 0) {
    const round = waiting.splice(0, MOST_AT_ONCE);
    try {
      await judge(round, await target.latest());
    } catch (error) {
      const message = redact(error instanceof Error ? error.message : 'unknown');
      send({ kind: 'event', event: { kind: 'fault', message } });
    }
    release(round);
    await pause();
  }
  running = undefined;
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
  const judged = await judgeInSlices({ ...judgedBy(now, options), calls: [...recent.calls, ...calls], strays, redact });
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
  const tickets = { contract, baseUrl, parameters, requestIds, sentIds, byName: true, redact };
  const ticketed = withTickets([...judged.findings, ...refuted], calls, tickets);
  const endOf = new Map(round.map(({ seq, endedAt }) => [seq, new Date(endedAt).toISOString()]));
  for (const finding of tally.add(ticketed, { endOf, times: judged.times })) {
    send({ kind: 'event', event: { kind: 'finding', finding } });
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
    notices: weakening(contract.notices),
  });
  return { ...made, exitCode: EXIT.agrees, verdict: verdictOf(findings, checks) };
}

/** Learns the password of Basic credentials, and both forms of the pair. */
function learnBasic(authorization: string): void {
  const basic = /^basic +(\S+)/i.exec(authorization)?.[1];
  if (basic === undefined) return;
  redactor.learn(basic);
  const pair = Buffer.from(basic, 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  if (colon >= 0) redactor.learn(pair.slice(colon + 1));
}

/** What the user reads at once about an exchange; null for an ordinary one. */
function eventOf({ exchange, by, refusal }: Passed): ProxyEvent | null {
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
function verdictOf(findings: readonly Finding[], checks: readonly Check[]): Verdict {
  if (findings.some((finding) => counts(finding, failOn))) return 'drift';
  return checks.some(({ outcome }) => outcome === 'passed') ? 'agrees' : 'inconclusive';
}
