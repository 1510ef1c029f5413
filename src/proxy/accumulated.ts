import type { Judged } from '../judge/judge.ts';
import { type Call, isGood } from '../model/call.ts';
import type { Finding } from '../model/finding.ts';
import type { OperationCoverage } from '../model/report.ts';

/** Most exchanges that a finding lists; a proxy may see millions. */
const MOST_EXCHANGES = 100;
/** Most findings to keep, because a caller can send an endless number of unknown paths. */
const MOST_FINDINGS = 10_000;

/** Occurrence counts and end times of one round of judging. */
export interface Round extends Pick<Judged, 'times'> {
  /** When each exchange of this round ended; ISO 8601. */
  readonly endOf: ReadonlyMap<number, string>;
}

/** Findings over time: one per fingerprint, or one for all findings with the same cause. */
export function createTally() {
  /** By the fingerprint of each finding and of each of its parts. */
  const known = new Map<string, { finding: Finding }>();

  return {
    get findings(): Finding[] {
      return [...new Set(known.values())].map(({ finding }) => finding);
    },
    /** Adds the findings of one round of judging. Returns the new ones. */
    add(findings: readonly Finding[], round: Round): Finding[] {
      const fresh: Finding[] = [];
      for (const finding of findings) {
        const names = [finding, ...(finding.parts ?? [])].map(({ fingerprint }) => fingerprint);
        const entries = new Set(names.flatMap((name) => known.get(name) ?? []));
        if (entries.size === 0 && known.size >= MOST_FINDINGS) continue;
        const [entry = { finding }, ...others] = entries;
        const earlier = [...entries].map((one) => one.finding);
        entry.finding = united(earlier, finding, round);
        for (const [name, one] of others.length === 0 ? [] : known) if (others.includes(one)) known.set(name, entry);
        for (const name of names) known.set(name, entry);
        if (entries.size === 0) fresh.push(entry.finding);
      }
      return fresh;
    },
  };
}

/** Merges earlier findings of one cause with a new one. The finding with most parts provides the description. */
function united(earlier: readonly Finding[], finding: Finding, { endOf, times: shown }: Round): Finding {
  const isFirst = earlier.length === 0;
  const seen = new Set(earlier.flatMap(({ exchanges }) => exchanges));
  // Counts are available for this round only, and only its exchanges are new.
  const added = finding.exchanges.filter((seq) => isFirst || (endOf.has(seq) && !seen.has(seq)));
  const times = added.reduce((sum, seq) => sum + (shown.get(finding.fingerprint)?.get(seq) ?? 1), 0);
  const ticket = added.length > 0 && finding.ticket ? finding.ticket : earlier[0]?.ticket;
  const ends = [...earlier.flatMap((one) => [one.firstSeen, one.lastSeen]), ...added.map((seq) => endOf.get(seq))];
  const [firstSeen, ...later] = ends.filter((end) => end !== undefined).sort();
  const byParts = [...earlier, finding].sort((a, b) => (b.parts?.length ?? 0) - (a.parts?.length ?? 0));
  return {
    ...(byParts[0] ?? finding),
    occurrences: isFirst ? finding.occurrences : earlier.reduce((sum, one) => sum + one.occurrences, times),
    exchanges: [...seen, ...added].sort((a, b) => a - b).slice(0, MOST_EXCHANGES),
    ...(firstSeen && { firstSeen, lastSeen: later.at(-1) ?? firstSeen }),
    ...(ticket && { ticket }),
  };
}

/** Adds the coverage of an operation in another round. */
export function addCoverage(old: OperationCoverage | undefined, next: OperationCoverage): OperationCoverage {
  if (old === undefined) return next;
  const exercised = old.exercised || next.exercised;
  if (!old.goodAnswers) return { ...next, exercised };
  if (!next.goodAnswers) return { ...old, exercised, located: next.located };
  const fields = new Map(old.fields.map((field) => [field.pointer, field]));
  for (const field of next.fields) {
    const { seen, of } = fields.get(field.pointer) ?? { seen: 0, of: 0 };
    fields.set(field.pointer, { ...field, seen: seen + field.seen, of: of + field.of });
  }
  const notShown = old.notShown.filter((word) => next.notShown.includes(word));
  return { ...next, goodAnswers: old.goodAnswers + next.goodAnswers, fields: [...fields.values()], notShown };
}

/** Larger bodies are judged once and not kept. Bytes. */
const LARGEST_KEPT = 64 * 1024;
const MOST_CALLS = 4;

/** Replaces a body that is not kept. It is not empty and not JSON. */
const UNKNOWN: Uint8Array = Buffer.from('-');

/** The last few calls of each operation, for rules that compare several exchanges. */
export function createRecentCalls() {
  const kept = new Map<string, readonly Call[]>();
  return {
    add(call: Call): void {
      const own = kept.get(call.operationId) ?? [];
      // The operation works, so earlier failures were reported or were transient.
      const others = isGood(call) ? own.filter(({ purpose }) => purpose !== call.purpose) : own;
      kept.set(call.operationId, [...others, lighter(call)].slice(-MOST_CALLS));
    },
    get calls(): Call[] {
      const seqOf = ({ attempts }: Call): number => attempts[0]?.seq ?? 0;
      return [...kept.values()].flat().sort((a, b) => seqOf(a) - seqOf(b));
    },
  };
}

function lighter(call: Call): Call {
  const attempts = call.attempts.map((attempt) => {
    const { request, response } = attempt;
    const isLarge = response !== null && response.body.bytes.length > LARGEST_KEPT;
    return {
      ...attempt,
      // Rules check whether a rejected request had a body.
      request: { ...request, headers: [], body: request.body && UNKNOWN },
      response: isLarge ? { ...response, body: { ...response.body, bytes: new Uint8Array() } } : response,
    };
  });
  return { ...call, attempts };
}
