import type { Contract } from '../contract/contract.ts';
import { secretNames } from '../contract/secrets.ts';
import type { JournalEntry } from '../journal/write.ts';
import { createSchemas, type Schemas } from '../judge/schemas.ts';
import type { Finding, Severity } from '../model/finding.ts';
import { fingerprint } from '../model/finding.ts';
import { createKeys } from '../redact/keys.ts';
import { findAttempts, type Intent } from './attempts.ts';
import { type Caller, type CallersAre, nameOf, tellCallersApart } from './callers.ts';
import type { AuditRule, Case, Observation } from './rule.ts';
import { ALL_AUDIT_RULES, AUDIT_RULE_IDS, type AuditRuleId } from './rules.ts';
import { clockTime, marginsOf } from './times.ts';
import { createTraffic, readSent, type Sent } from './traffic.ts';

/** A journal, and what is known about it. */
export interface Recording {
  readonly entries: Iterable<JournalEntry>;
  /**
   * When it was read, by the clock that wrote it (milliseconds since the epoch): more may follow, and what may still come is not held
   * against the caller. Nothing can follow where it is left out.
   */
  readonly readAt?: number;
  /** Whose it is; where it is left out, programs are told apart by connections, and what is doubtful is said. */
  readonly callers?: CallersAre;
  /** How far two clocks may be apart and a request be delayed. Milliseconds; 2000 by default. */
  readonly tolerance?: number;
  readonly intent?: Intent;
  /** Shown with what was found in it. */
  readonly situation?: string;
}

export interface AuditOptions {
  readonly contract: Contract;
  readonly recordings: readonly Recording[];
}

export type RuleOutcome = 'kept' | 'broken' | 'not-exercised';

/** What became of one rule, and what that rests on: `3 refusals seen, 3 retried`. Kept needs evidence. */
export interface RuleResult {
  readonly rule: AuditRuleId;
  readonly outcome: RuleOutcome;
  /** Empty where the caller was never in a situation in which the rule matters. */
  readonly evidence: string;
}

/** A caller as the report names it. */
export interface AuditedCaller {
  readonly name: string;
  /** Null where connections are not known. */
  readonly connections: number | null;
  readonly exchanges: number;
}

export interface Audited {
  /** In the order of the rules, then of the contract. */
  readonly findings: readonly Finding[];
  /** The score card: every rule, in their order. */
  readonly rules: readonly RuleResult[];
  /** In the order in which they were first heard. */
  readonly callers: readonly AuditedCaller[];
  /** What could not be judged, and why. */
  readonly notes: readonly string[];
  readonly exchanges: number;
  /** Of the exchanges, those that are no token requests. */
  readonly calls: number;
  /** When all that is still open can be judged, by the clock of the journal; null where nothing is. Milliseconds since the epoch. */
  readonly openUntil: number | null;
}

const TOLERANCE = 2_000;

/** Indexing and compiling takes far longer than judging a journal. */
const compiled = new WeakMap<Contract, Schemas>();

function schemasOf(contract: Contract): Schemas {
  const schemas = compiled.get(contract) ?? createSchemas(contract.document);
  compiled.set(contract, schemas);
  return schemas;
}

/** An observation with the rule and the recording that it comes from. */
interface Seen {
  readonly rule: AuditRule<AuditRuleId>;
  readonly observation: Observation;
  readonly situation: string | undefined;
  /** Name of the caller. */
  readonly caller: string;
}

/** Judges a caller by what it sent. Pure; there is nothing secret in the findings where the journal is redacted. */
export function judgeCaller({ contract, recordings }: AuditOptions): Audited {
  const schemas = schemasOf(contract);
  const keys = createKeys(secretNames(contract));
  const tally = new Map<AuditRuleId, { occasions: number; kept: number }>();
  const seen: Seen[] = [];
  const notes = new Set<string>();
  const callers = new Map<string, AuditedCaller>();
  let exchanges = 0;
  let calls = 0;
  let openUntil: number | null = null;
  const read = recordings.map((recording) => ({ recording, sent: readSent(recording.entries, contract) }));
  // One program may ask for tokens by another library than it calls by, and does so under one name in all situations.
  const program = nameOf(read.flatMap(({ recording, sent }) => (recording.callers === 'one' ? sent : [])));
  for (const { recording, sent } of read) {
    const all = createTraffic(sent);
    exchanges += sent.length;
    calls += all.calls.length;
    if (sent.length > 0 && !all.showsTokens) notes.add(BLIND);
    const single = recording.callers === 'one';
    const apart = tellCallersApart(sent, single, marginsOf(contract).longest);
    const peers = single ? apart.map((caller) => ({ ...caller, name: program })) : apart;
    for (const caller of peers) {
      callers.set(caller.name, together(callers.get(caller.name), caller));
      const of: Case = {
        contract,
        schemas,
        keys,
        traffic: caller.traffic,
        all,
        peers,
        single,
        untold: recording.callers === undefined,
        attempts: findAttempts(caller.traffic, recording.intent),
        readAt: recording.readAt ?? null,
        tolerance: recording.tolerance ?? TOLERANCE,
        intent: recording.intent,
      };
      for (const rule of ALL_AUDIT_RULES) {
        const judgement = rule.judge(of);
        const { occasions, kept } = tally.get(rule.id) ?? { occasions: 0, kept: 0 };
        tally.set(rule.id, { occasions: occasions + judgement.occasions, kept: kept + judgement.kept });
        if (judgement.openUntil !== undefined) openUntil = Math.max(openUntil ?? 0, judgement.openUntil);
        for (const observation of judgement.observations) {
          seen.push({ rule, observation, situation: recording.situation, caller: caller.name });
        }
      }
    }
  }
  const broken = new Set<AuditRule>(seen.map(({ rule }) => rule));
  // over all recordings: one may show a habit, and another its consequence
  const told = seen.filter(({ rule: { followsFrom } }) => followsFrom === undefined || !broken.has(followsFrom));
  const reported = new Set<AuditRule>(told.map(({ rule }) => rule));
  const rules = ALL_AUDIT_RULES.map((rule): RuleResult => {
    const { occasions, kept } = tally.get(rule.id) ?? { occasions: 0, kept: 0 };
    const outcome = reported.has(rule) ? 'broken' : kept > 0 && !broken.has(rule) ? 'kept' : 'not-exercised';
    return { rule: rule.id, outcome, evidence: occasions === 0 ? '' : rule.evidence(occasions, kept) };
  });
  const findings = toFindings(told, contract);
  return { findings, rules, callers: [...callers.values()], notes: [...notes], exchanges, calls, openUntil };
}

/** The same program in several situations is one caller. */
function together(known: AuditedCaller | undefined, { name, traffic, connections }: Caller): AuditedCaller {
  const exchanges = traffic.sent.length + (known?.exchanges ?? 0);
  if (known === undefined) return { name, connections, exchanges };
  const both = connections === null || known.connections === null ? null : connections + known.connections;
  return { name, connections: both, exchanges };
}

const BLIND =
  'No request shows an Authorization field, as browsers leave it out of captures: what the caller does with its tokens cannot be judged.';

function toFindings(seen: readonly Seen[], contract: Contract): Finding[] {
  const found = new Map<string, { finding: Finding; callers: Set<string> }>();
  for (const one of seen) {
    const finding = toFinding(one, contract);
    const known = found.get(finding.fingerprint);
    const callers = new Set([...(known?.callers ?? []), ...(one.observation.callers ?? [one.caller])]);
    found.set(finding.fingerprint, {
      finding: known === undefined ? finding : merge(known.finding, finding),
      callers,
    });
  }
  const order = new Map(contract.operations.map(({ operationId }, index) => [operationId, index]));
  const rank = ({ operationId }: Finding): number => order.get(operationId ?? '') ?? order.size;
  return [...found.values()]
    .map(({ finding, callers }) => ({ ...finding, message: `${finding.message} ${namesOf([...callers])}` }))
    .sort(
      (a, b) =>
        AUDIT_RULE_IDS.indexOf(a.rule as AuditRuleId) - AUDIT_RULE_IDS.indexOf(b.rule as AuditRuleId) ||
        rank(a) - rank(b) ||
        (a.fingerprint < b.fingerprint ? -1 : 1),
    );
}

const MOST_NAMES = 5;

function namesOf(callers: readonly string[]): string {
  const more = callers.length - MOST_NAMES;
  const names = callers.slice(0, MOST_NAMES).join(', ');
  return `${callers.length === 1 ? 'Caller' : 'Callers'}: ${more > 0 ? `${names} and ${more} more` : names}.`;
}

function toFinding({ rule, observation, situation }: Seen, contract: Contract): Finding {
  const { operationId = contract.token?.operationId ?? null } = observation;
  const operation = operationId === null ? undefined : contract.operation(operationId);
  const pointer = observation.pointer ?? '';
  const { expected, actual, source, evidence } = observation;
  const place = source === undefined ? undefined : contract.placeOf(source);
  const where = situation === undefined ? '' : ` Situation: ${situation}.`;
  const starts = evidence.map(({ start }) => start);
  return {
    fingerprint: fingerprint({ rule: rule.id, operationId, pointer, expected, actual }),
    rule: rule.id,
    severity: observation.severity ?? rule.severity,
    provenance: observation.provenance ?? 'documented',
    operationId,
    method: operation?.method ?? null,
    path: operation?.path ?? null,
    pointer,
    expected,
    actual,
    message: `${[rule.message(observation, operation), observation.detail, `See ${listEvidence(evidence)}.`].filter(Boolean).join(' ')}${where}`,
    reference: rule.reference,
    occurrences: observation.times ?? 1,
    location: place?.line === undefined ? null : { file: place.file, line: place.line, column: place.column ?? 1 },
    exchanges: evidence.map(({ seq }) => seq),
    ...(starts.length === 0
      ? {}
      : {
          firstSeen: new Date(Math.min(...starts)).toISOString(),
          lastSeen: new Date(Math.max(...starts)).toISOString(),
        }),
  };
}

const MOST_LISTED = 6;

/** `#3 at 10:00:00.120 (401), #5 at 10:00:00.180 (200)`; the first few, and how many more. */
function listEvidence(evidence: readonly Sent[]): string {
  const shown = evidence
    .slice(0, MOST_LISTED)
    .map((one) => `#${one.seq} at ${clockTime(one.start)} (${one.status ?? 'no answer'})`);
  const more = evidence.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}

const WEIGHT: Readonly<Record<Severity, number>> = { error: 0, warning: 1, info: 2 };

function merge(known: Finding, next: Finding): Finding {
  const first = [known.firstSeen, next.firstSeen].filter((at) => at !== undefined).sort()[0];
  const last = [known.lastSeen, next.lastSeen]
    .filter((at) => at !== undefined)
    .sort()
    .at(-1);
  return {
    ...known,
    severity: WEIGHT[next.severity] < WEIGHT[known.severity] ? next.severity : known.severity,
    occurrences: known.occurrences + next.occurrences,
    exchanges: [...new Set([...known.exchanges, ...next.exchanges])].sort((a, b) => a - b),
    ...(first === undefined ? {} : { firstSeen: first }),
    ...(last === undefined ? {} : { lastSeen: last }),
  };
}
