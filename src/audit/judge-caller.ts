import type { Finding, Severity } from '../drift/finding.ts';
import { fingerprint } from '../drift/fingerprint.ts';
import { createSchemas, type Schemas } from '../drift/schemas.ts';
import type { JournalEntry } from '../http/journal.ts';
import { createKeys } from '../http/redact/keys.ts';
import type { Contract } from '../spec/contract.ts';
import { secretNames } from '../spec/secrets.ts';
import { findAttempts, type Intent } from './attempts.ts';
import { tellCallersApart } from './callers.ts';
import { withoutConsequences } from './consequences.ts';
import { listEvidence } from './evidence.ts';
import type { Case, Seen } from './rule.ts';
import { AUDIT_RULE_IDS, type AuditRuleId } from './rule-ids.ts';
import { AUDIT_RULES } from './rule-texts.ts';
import { auditRules } from './rules.ts';
import { marginsOf } from './times.ts';
import { createTraffic, readSent } from './traffic.ts';

/** A journal, and what is known about it. */
export interface Recording {
  readonly entries: Iterable<JournalEntry>;
  /** Nothing can follow what it holds; true by default. */
  readonly complete?: boolean;
  /** It is of one program; else programs are told apart by connections. */
  readonly single?: boolean;
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

export interface Audited {
  /** In the order of the rules, then of the contract. */
  readonly findings: readonly Finding[];
  /** The score card: every rule, in their order. */
  readonly rules: readonly { readonly rule: AuditRuleId; readonly outcome: RuleOutcome }[];
  /** What could not be judged, and why. */
  readonly notes: readonly string[];
  readonly exchanges: number;
  /** Of the exchanges, those that are no token requests. */
  readonly calls: number;
}

const TOLERANCE = 2_000;

/** Indexing and compiling takes far longer than judging a journal. */
const compiled = new WeakMap<Contract, Schemas>();

function schemasOf(contract: Contract): Schemas {
  const schemas = compiled.get(contract) ?? createSchemas(contract.document);
  compiled.set(contract, schemas);
  return schemas;
}

/** Judges a caller by what it sent. Pure; there is nothing secret in the findings where the journal is redacted. */
export function judgeCaller({ contract, recordings }: AuditOptions): Audited {
  const schemas = schemasOf(contract);
  const keys = createKeys(secretNames(contract));
  const exercised = new Set<AuditRuleId>();
  const seen: Seen[] = [];
  const notes = new Set<string>();
  let exchanges = 0;
  let calls = 0;
  for (const recording of recordings) {
    const sent = readSent(recording.entries, contract);
    const all = createTraffic(sent);
    exchanges += sent.length;
    calls += all.calls.length;
    if (sent.length > 0 && !all.showsTokens) notes.add(BLIND);
    for (const traffic of tellCallersApart(sent, recording.single ?? false, marginsOf(contract).longest)) {
      const of: Case = {
        contract,
        schemas,
        keys,
        traffic,
        all,
        attempts: findAttempts(traffic, recording.intent),
        single: recording.single ?? false,
        complete: recording.complete ?? true,
        tolerance: recording.tolerance ?? TOLERANCE,
        intent: recording.intent,
      };
      for (const rule of auditRules) {
        const judgement = rule.judge(of);
        if (judgement.exercised) exercised.add(rule.id);
        for (const observation of judgement.observations) {
          seen.push({ rule: rule.id, observation, situation: recording.situation });
        }
      }
    }
  }
  const findings = toFindings(withoutConsequences(seen), contract);
  const broken = new Set(findings.map(({ rule }) => rule));
  const rules = AUDIT_RULE_IDS.map((rule) => ({
    rule,
    outcome: broken.has(rule)
      ? ('broken' as const)
      : exercised.has(rule)
        ? ('kept' as const)
        : ('not-exercised' as const),
  }));
  return { findings, rules, notes: [...notes], exchanges, calls };
}

const BLIND =
  'No request shows an Authorization field, as browsers leave it out of captures: what the caller does with its tokens cannot be judged.';

function toFindings(seen: readonly Seen[], contract: Contract): Finding[] {
  const found = new Map<string, Finding>();
  for (const one of seen) {
    const finding = toFinding(one, contract);
    const known = found.get(finding.fingerprint);
    found.set(finding.fingerprint, known === undefined ? finding : merge(known, finding));
  }
  const order = new Map(contract.operations.map(({ operationId }, index) => [operationId, index]));
  const rank = ({ operationId }: Finding): number => order.get(operationId ?? '') ?? order.size;
  return [...found.values()].sort(
    (a, b) =>
      AUDIT_RULE_IDS.indexOf(a.rule as AuditRuleId) - AUDIT_RULE_IDS.indexOf(b.rule as AuditRuleId) ||
      rank(a) - rank(b) ||
      (a.fingerprint < b.fingerprint ? -1 : 1),
  );
}

function toFinding({ rule, observation, situation }: Seen, contract: Contract): Finding {
  const { operationId = contract.token?.operationId ?? null } = observation;
  const operation = operationId === null ? undefined : contract.operation(operationId);
  const info = AUDIT_RULES[rule];
  const pointer = observation.pointer ?? '';
  const { expected, actual, source, evidence } = observation;
  const place = source === undefined ? undefined : contract.placeOf(source);
  const where = situation === undefined ? '' : ` Situation: ${situation}.`;
  const starts = evidence.map(({ start }) => start);
  return {
    fingerprint: fingerprint({ rule, operationId, pointer, expected, actual }),
    rule,
    severity: observation.severity ?? info.severity,
    provenance: observation.provenance ?? 'documented',
    operationId,
    method: operation?.method ?? null,
    path: operation?.path ?? null,
    pointer,
    expected,
    actual,
    message: `${[info.message(observation, operation), observation.detail, `See ${listEvidence(evidence)}.`].filter(Boolean).join(' ')}${where}`,
    reference: info.reference,
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
