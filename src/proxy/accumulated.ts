import { type Call, finalAttempt, isGood } from '../model/call.ts';
import type { Finding } from '../model/finding.ts';
import type { OperationCoverage } from '../model/report.ts';

/** Exchanges that a finding names; a proxy may see millions. */
const MOST_EXCHANGES = 100;
/** Findings that are kept: paths that nobody knows can be made up without end. */
const MOST_FINDINGS = 10_000;

/** What one round of judging knows beside its findings. */
export interface Round {
  /** When an exchange of this round ended; undefined for one of an earlier round. */
  readonly timeOf: (seq: number) => string | undefined;
  /** How often an exchange shows a finding, by the fingerprint. */
  readonly timesIn: (fingerprint: string, seq: number) => number;
}

/** Findings as they add up over time: one per fingerprint, and one for all that turned out to be of one cause. */
export interface Tally {
  /** Takes what one round of judging found; gives those that nobody saw before. */
  add(findings: readonly Finding[], round: Round): Finding[];
  readonly findings: readonly Finding[];
}

export function createTally(): Tally {
  const known = new Map<string, Finding>();
  /** Of what was told by itself, and is part of another finding by now: the fingerprint of that. */
  const wholes = new Map<string, string>();

  function wholeOf(fingerprint: string): string {
    let whole = fingerprint;
    for (let next = wholes.get(whole); next !== undefined; next = wholes.get(whole)) whole = next;
    return whole;
  }

  /** What is known of a finding, together with what turns out to be part of it; undefined where nobody has seen it. */
  function before({ fingerprint, parts = [] }: Finding): Finding | undefined {
    const whole = wholeOf(fingerprint);
    if (whole !== fingerprint) return known.get(whole);
    const own = known.get(fingerprint);
    const absorbed = new Set(parts.map((part) => wholeOf(part.fingerprint)));
    absorbed.delete(fingerprint);
    const earlier = [...(own === undefined ? [] : [own]), ...[...absorbed].flatMap((one) => known.get(one) ?? [])];
    for (const one of absorbed) known.delete(one);
    for (const one of [...absorbed, ...parts.map((part) => part.fingerprint)])
      if (one !== fingerprint) wholes.set(one, fingerprint);
    return earlier.length === 0 ? undefined : earlier.reduce(joined);
  }

  return {
    get findings() {
      return [...known.values()];
    },
    add(findings, { timeOf, timesIn }) {
      const fresh: Finding[] = [];
      for (const finding of findings) {
        const earlier = before(finding);
        const times = finding.exchanges.flatMap((seq) => timeOf(seq) ?? []).sort();
        const [firstSeen] = times;
        const lastSeen = times.at(-1);
        if (earlier === undefined) {
          if (known.size >= MOST_FINDINGS) continue;
          const seen = { ...finding, ...(firstSeen && { firstSeen }), ...(lastSeen && { lastSeen }) };
          known.set(finding.fingerprint, seen);
          fresh.push(seen);
          continue;
        }
        // Times are known of this round only, and only they are new.
        const added = finding.exchanges.filter((seq) => timeOf(seq) !== undefined && !earlier.exchanges.includes(seq));
        const fingerprint = wholeOf(finding.fingerprint);
        const isMore = fingerprint === finding.fingerprint && partsOf(finding) > partsOf(earlier);
        known.set(fingerprint, {
          ...(isMore ? { ...finding, ...seenIn(earlier) } : earlier),
          occurrences: earlier.occurrences + added.reduce((sum, seq) => sum + timesIn(finding.fingerprint, seq), 0),
          exchanges: [...earlier.exchanges, ...added].slice(0, MOST_EXCHANGES),
          ...(added.length > 0 && lastSeen && { lastSeen }),
          ...(added.length > 0 && finding.ticket && { ticket: finding.ticket }),
        });
      }
      return fresh;
    },
  };
}

function partsOf({ parts = [] }: Finding): number {
  return parts.length;
}

/** When and by what a finding was seen so far. */
function seenIn({ firstSeen, lastSeen, ticket }: Finding): Pick<Finding, 'firstSeen' | 'lastSeen' | 'ticket'> {
  return { ...(firstSeen && { firstSeen }), ...(lastSeen && { lastSeen }), ...(ticket && { ticket }) };
}

/** Two findings that turned out to be one: the first of them, as often and as long as both were seen. */
function joined(one: Finding, other: Finding): Finding {
  const [firstSeen] = [one.firstSeen, other.firstSeen].filter((time) => time !== undefined).sort();
  const lastSeen = [one.lastSeen, other.lastSeen]
    .filter((time) => time !== undefined)
    .sort()
    .at(-1);
  return {
    ...one,
    occurrences: one.occurrences + other.occurrences,
    exchanges: [...new Set([...one.exchanges, ...other.exchanges])].sort((a, b) => a - b).slice(0, MOST_EXCHANGES),
    ...(firstSeen && { firstSeen }),
    ...(lastSeen && { lastSeen }),
  };
}

/** Coverage of two rounds in one. */
export function addCoverage(
  before: readonly OperationCoverage[],
  next: readonly OperationCoverage[],
): readonly OperationCoverage[] {
  const known = new Map(before.map((each) => [each.operationId, each]));
  return next.map((each) => {
    const old = known.get(each.operationId);
    if (old === undefined) return each;
    const exercised = old.exercised || each.exercised;
    if (!old.goodAnswers) return { ...each, exercised };
    if (!each.goodAnswers) return { ...old, exercised, located: each.located };
    const fields = new Map(old.fields.map((field) => [field.pointer, field]));
    for (const field of each.fields) {
      const same = fields.get(field.pointer);
      const sum = same === undefined ? field : { ...field, seen: same.seen + field.seen, of: same.of + field.of };
      fields.set(field.pointer, sum);
    }
    const notShown = old.notShown.filter((word) => each.notShown.includes(word));
    return { ...each, goodAnswers: old.goodAnswers + each.goodAnswers, fields: [...fields.values()], notShown };
  });
}

/** Bodies above this are judged once and not kept. Bytes. */
const LARGEST_KEPT = 64 * 1024;
/** Calls of one operation that are kept per sort of answer; what fails twice fails. */
const MOST = { good: 1, bad: 3, other: 2 } as const;

type AnswerSort = keyof typeof MOST;

/** In place of a body that is not kept; no JSON, and not nothing. */
const UNKNOWN: Uint8Array = Buffer.from('-');

/** The past calls that rules over several exchanges need: the last few of each operation and sort of answer. */
export interface RecentCalls {
  add(call: Call): void;
  readonly calls: readonly Call[];
}

export function createRecentCalls(): RecentCalls {
  const kept = new Map<string, Map<AnswerSort, Call[]>>();
  return {
    add(call) {
      const of = kept.get(call.operationId) ?? new Map<AnswerSort, Call[]>();
      kept.set(call.operationId, of);
      const sort = sortOf(call);
      of.set(sort, [...(of.get(sort) ?? []), lighter(call)].slice(-MOST[sort]));
      // It works again; what failed before was reported, or was weather.
      if (sort === 'good') of.delete('bad');
    },
    get calls() {
      const all = [...kept.values()].flatMap((of) => [...of.values()].flat());
      return all.sort((a, b) => a.number - b.number);
    },
  };
}

function sortOf(call: Call): AnswerSort {
  if (call.purpose === 'refuse-token') return 'other';
  if (isGood(call)) return 'good';
  const status = finalAttempt(call)?.response?.status ?? 599;
  // What is not there counts, like what fails, where it is so again.
  return status < 300 || status >= 500 || [404, 405, 410].includes(status) ? 'bad' : 'other';
}

function lighter(call: Call): Call {
  const attempts = call.attempts.map((attempt) => {
    // Whether there was a body counts where the request is refused.
    const request = { ...attempt.request, headers: [], body: attempt.request.body === null ? null : UNKNOWN };
    const { response } = attempt;
    if (response === null || response.body.bytes.length <= LARGEST_KEPT) return { ...attempt, request };
    return { ...attempt, request, response: { ...response, body: { ...response.body, bytes: new Uint8Array() } } };
  });
  return { ...call, attempts };
}
