import type { Contract } from '../contract/contract.ts';
import { secretNames } from '../contract/secrets.ts';
import { sectionOf } from '../contract/section.ts';
import { atOnce, inSlices, interruptionOf } from '../contract/time-slices.ts';
import type { JournalEntry } from '../journal/entry.ts';
import { createSchemas } from '../judge/schemas.ts';
import { type Finding, fingerprint, SEVERITIES } from '../model/finding.ts';
import type { Report } from '../model/report.ts';
import { createSecretKeys } from '../redact/keys.ts';
import { remembered } from '../schema/schema-document.ts';
import { firstFew } from '../text/words.ts';
import { adviceOn } from './advice.ts';
import { findAttempts } from './attempts.ts';
import { type Caller, type CallersAre, callerName, clientsOf } from './callers.ts';
import { findRenewals } from './renewals.ts';
import type { AuditRule, Case, EvolutionEvidence, RuleJudgement, RuleObservation, WriteEvidence } from './rule.ts';
import { AUDIT_RULE_IDS, type AuditRuleId, CALLER_RULES } from './rules.ts';
import { readingSent, type Sent } from './traffic.ts';

export interface RecordedJournal {
  readonly entries: Iterable<JournalEntry>;
  /**
   * When the journal was read, by the clock that wrote it (milliseconds since the epoch). Requests that may still
   * follow are not reported as missing. If it is undefined, nothing can follow.
   */
  readonly readAt?: number;
  /** If it is undefined and connections overlap, rules that need the number of programs decide nothing. */
  readonly callers?: CallersAre;
  /** Largest difference of two clocks plus delay of a request, in milliseconds; 2000 by default. */
  readonly tolerance?: number;
  /** True for a capture of a browser: if it has no Authorization at all, the browser left it out. */
  readonly captured?: boolean;
  readonly situation?: string;
  readonly printed?: readonly string[];
  readonly writes?: WriteEvidence;
  /** The intent that a write names. By default, equal requests have one intent. */
  readonly intentOf?: (write: JournalEntry) => string | undefined;
  readonly evolution?: EvolutionEvidence;
}

export interface AuditOptions {
  readonly contract: Contract;
  /** Default: every rule that a journal alone can decide. */
  readonly rules?: readonly AuditRule<AuditRuleId>[];
  readonly recordings: readonly RecordedJournal[];
}

export type RuleResult = NonNullable<Report['rules']>[number];

export interface Audited extends Required<Pick<Report, 'findings' | 'rules' | 'callers' | 'advice'>> {
  readonly notes: readonly string[];
  readonly exchanges: number;
  readonly calls: number;
  readonly interrupted: boolean;
  readonly open: boolean;
}

const TOLERANCE = 2_000;

/** Indexing and compiling takes far longer than judging a journal. */
const schemasOf = remembered((contract: Contract) => createSchemas(contract, undefined, 'request'));

interface Seen {
  readonly rule: AuditRule<AuditRuleId>;
  readonly of: Case;
  readonly observation: RuleObservation;
}

/** Pure. The findings hold no secret if the journal is redacted. */
export function judgeCaller(options: AuditOptions): Audited {
  return atOnce(judging(options, () => false));
}

/** The same in slices. If interrupted, it returns the results so far, and the rules that were not checked. */
export async function judgeCallerInSlices(options: AuditOptions, signal?: AbortSignal): Promise<Audited> {
  return inSlices(judging(options, interruptionOf(signal)));
}

/** @param stopped returns true to end the judging; one step is one rule for one caller */
function* judging(
  { contract, recordings, rules: judging = CALLER_RULES }: AuditOptions,
  stopped: () => boolean,
): Generator<void, Audited> {
  const read: Read[] = [];
  for (const recording of recordings) {
    read.push({ recording, sent: yield* readingSent(recording.entries, contract) });
  }
  yield;
  const clients = yield* clientCases(read, contract);
  const wholes = clients.map(({ whole }) => whole);
  const programs = clients.flatMap((client) => client.programs);
  const undecided = clients.find((client) => client.programs.length === 0);
  const judged: (RuleJudgement & Pick<Seen, 'rule' | 'of'>)[] = [];
  let complete = 0;
  everyRule: for (const rule of judging) {
    for (const of of rule.isPerProgram ? programs : wholes) {
      yield;
      if (stopped()) break everyRule;
      judged.push({ rule, of, ...rule.judge(of) });
    }
    complete += 1;
  }
  const seen = judged.flatMap(({ rule, of, observations }) =>
    observations.map((observation): Seen => ({ rule, of, observation })),
  );
  const broken = new Set<AuditRule>(seen.map(({ rule }) => rule));
  // over all recordings: one may show a habit, and another its consequence
  const causes = seen.filter(({ rule: { followsFrom } }) => followsFrom === undefined || !broken.has(followsFrom));
  const reported = new Set<AuditRule>(causes.map(({ rule }) => rule));
  const byRule = Map.groupBy(judged, ({ rule }) => rule);
  const rules = judging.map((rule, index): RuleResult => {
    if (index >= complete) return { rule: rule.id, outcome: 'not-exercised', evidence: INTERRUPTED };
    const own = byRule.get(rule) ?? [];
    const occasions = own.reduce((sum, judgement) => sum + judgement.occasions, 0);
    const kept = own.reduce((sum, judgement) => sum + judgement.kept, 0);
    if (!reported.has(rule) && rule.isPerProgram && undecided !== undefined)
      return { rule: rule.id, outcome: 'not-exercised', evidence: decideText(undecided.whole) };
    const evidence = occasions === 0 ? '' : rule.evidence(occasions, kept);
    if (reported.has(rule)) return { rule: rule.id, outcome: 'broken', evidence };
    if (broken.has(rule))
      return { rule: rule.id, outcome: 'undecided', evidence: `follows from ${rule.followsFrom?.id}` };
    if (kept > 0) return { rule: rule.id, outcome: 'kept', evidence };
    const seen = Math.max(0, ...own.map((judgement) => judgement.seen ?? 0));
    const [{ needed = 0 } = {}] = own;
    const isSeen = occasions + seen > 0;
    return {
      rule: rule.id,
      outcome: isSeen ? 'undecided' : 'not-exercised',
      evidence: `${evidence && `${evidence}; `}needs ${rule.needs}`,
      ...(seen > 0 && seen < needed && { seen, needed }),
    };
  });
  const unjudged = rules.length - complete;
  const all = read.flatMap(({ sent }) => sent);
  yield;
  const findings = toFindings(causes, contract);
  const callers = callersOf(clients.flatMap((one) => (one.programs.length === 0 ? [one.whole] : one.programs)));
  return {
    findings,
    rules,
    callers,
    advice: adviceOn(findings, callers),
    notes: [
      ...(read.some((one) => one.sent.length > 0 && !showsTokens(one)) ? [BLIND] : []),
      ...(unjudged > 0 ? [`Interrupted: ${unjudged} of ${rules.length} rules were not checked.`] : []),
    ],
    interrupted: unjudged > 0,
    exchanges: all.length,
    calls: all.filter(({ isTokenRequest }) => !isTokenRequest).length,
    open: judged.some(({ open = false }) => open),
  };
}

interface Read {
  readonly recording: RecordedJournal;
  readonly sent: readonly Sent[];
}

function showsTokens({ recording, sent }: Read): boolean {
  return recording.captured !== true || sent.some(({ carries }) => carries !== 'none');
}

interface ClientCases {
  readonly whole: Case;
  /** Empty if the number of programs is unknown. */
  readonly programs: readonly Case[];
}

function* clientCases(read: readonly Read[], contract: Contract): Generator<void, ClientCases[]> {
  const schemas = schemasOf(contract);
  const keys = createSecretKeys(secretNames(contract));
  // one program may use different libraries for token requests and for calls
  const program = callerName(read.flatMap(({ recording, sent }) => (recording.callers === 'one' ? sent : [])));
  const cases: ClientCases[] = [];
  for (const one of read) {
    const { recording, sent } = one;
    const single = recording.callers === 'one';
    const last = recording.readAt === undefined ? undefined : sent.at(-1)?.entry;
    const common = {
      ...{ contract, schemas, keys, single, all: sent },
      showsTokens: showsTokens(one),
      // later moves of the clock count as time that passed
      readAt: recording.readAt === undefined ? null : recording.readAt - (last?.clockAhead ?? 0),
      tolerance: recording.tolerance ?? TOLERANCE,
      situation: recording.situation,
      printed: recording.printed,
      writes: recording.writes,
      evolution: recording.evolution,
      intentOf: recording.intentOf,
    };
    const caseOf = (caller: Caller): Case => {
      const { traffic } = caller;
      const about = { ...common, caller: single ? { ...caller, name: program } : caller, traffic };
      return { ...about, renewals: findRenewals(about), attempts: findAttempts(traffic) };
    };
    for (const { programs, ...client } of clientsOf(sent, recording.callers)) {
      yield;
      const each = programs.map(caseOf);
      const [only] = each;
      cases.push({ whole: only && each.length === 1 ? only : caseOf(client), programs: each });
    }
  }
  return cases;
}

function callersOf(cases: readonly Case[]): Audited['callers'] {
  const callers = cases.map(({ caller }) => caller);
  return [...Map.groupBy(callers, ({ name }) => name)].map(([name, same]) => ({
    name,
    connections: same.reduce<number | null>(
      (sum, { connections }) => (sum === null || connections === null ? null : sum + connections),
      0,
    ),
    exchanges: same.reduce((sum, { traffic }) => sum + traffic.sent.length, 0),
  }));
}

function decideText({ caller }: Case): string {
  return `${caller.connections} connections overlap: use --callers one or by-connection`;
}

/** For a journal that was full. */
export function newestText(kept: number, dropped: number): string {
  return `Judged: the newest ${kept} of ${kept + dropped} exchanges since the last reset. A journal file keeps all (--journal FILE).`;
}

const INTERRUPTED = 'interrupted before it was judged';

const BLIND =
  'No request has an Authorization header, because browsers omit it from captures. The use of tokens cannot be judged.';

function toFindings(seen: readonly Seen[], contract: Contract): Finding[] {
  const order = new Map(contract.operations.map(({ operationId }, index) => [operationId, index]));
  const rank = ({ operationId }: Finding): number => order.get(operationId ?? '') ?? order.size;
  return [...Map.groupBy(seen, (one) => fingerprint(keyFieldsOf(one, contract)))]
    .map(([key, alike]) => toFinding(key, alike, contract))
    .sort(
      (a, b) =>
        AUDIT_RULE_IDS.indexOf(a.rule as AuditRuleId) - AUDIT_RULE_IDS.indexOf(b.rule as AuditRuleId) ||
        rank(a) - rank(b) ||
        (a.fingerprint < b.fingerprint ? -1 : 1),
    );
}

function keyFieldsOf({ rule, observation }: Seen, contract: Contract) {
  const { operationId = contract.token?.operationId ?? null, pointer = '', expected, actual } = observation;
  return { rule: rule.id, operationId, pointer, expected, actual };
}

function toFinding(key: string, alike: readonly Seen[], contract: Contract): Finding {
  const [first] = alike as [Seen];
  const { rule, observation, of } = first;
  const identity = keyFieldsOf(first, contract);
  const operation = identity.operationId === null ? undefined : contract.operation(identity.operationId);
  const place = observation.source === undefined ? undefined : contract.placeOf(observation.source);
  const severities = alike.map((one) => one.observation.severity ?? one.rule.severity);
  const callers = new Set(alike.map((one) => one.of.caller.name));
  const evidence = alike.flatMap((one) => one.observation.evidence);
  const starts = evidence.map(({ entry }) => entry.startedAt).sort();
  const sentences = [
    rule.message(observation, operation),
    observation.detail,
    observation.evidence.length > 0 && `See ${listEvidence(observation.evidence)}.`,
    of.situation && `Situation: ${of.situation}.`,
    `${callers.size === 1 ? 'Caller' : 'Callers'}: ${firstFew([...callers], MOST_NAMES)}.`,
  ];
  return {
    ...identity,
    fingerprint: key,
    severity: SEVERITIES.find((severity) => severities.includes(severity)) ?? rule.severity,
    provenance: observation.provenance ?? 'documented',
    method: operation?.method ?? null,
    path: operation?.path ?? null,
    message: sentences.filter(Boolean).join(' '),
    reference: basisOf(rule, observation.source ?? operation?.pointer ?? '', contract),
    occurrences: alike.reduce((sum, one) => sum + (one.observation.times ?? 1), 0),
    location: place?.line === undefined ? null : { file: place.file, line: place.line, column: place.column ?? 1 },
    exchanges: [...new Set(evidence.map(({ seq }) => seq))].sort((a, b) => a - b),
    ...(starts.length === 0 ? {} : { firstSeen: starts[0] ?? '', lastSeen: starts.at(-1) ?? '' }),
  };
}

function basisOf({ part, reference }: AuditRule, pointer: string, contract: Contract): string {
  if (part === undefined) return reference ?? sectionOf(pointer, contract) ?? '';
  const { pointer: scheme = '' } = contract.token ?? {};
  const section = sectionOf(part === 'scheme' ? scheme : `${scheme}/x-token/${part}`, contract);
  return [section, reference].filter(Boolean).join('; ');
}

const MOST_NAMES = 5;
const MOST_LISTED = 6;

/** `#3 at 10:00:00.120 (401), #5 at 10:00:00.180 (200)`; the first few, and the number of further exchanges. */
function listEvidence(evidence: readonly Sent[]): string {
  const texts = evidence.map(
    ({ seq, entry, status }) => `#${seq} at ${entry.startedAt.slice(11, 23)} (${status ?? 'no answer'})`,
  );
  return firstFew(texts, MOST_LISTED);
}
