import { SEVERITIES } from '../../model/finding.ts';
import type { Provenance } from '../../schema/schema-document.ts';
import { type Run, type Spread, severityOf } from '../rule.ts';
import { createShape, merge } from '../shape.ts';
import type { Cause } from './cause.ts';
import { spreadOfObject } from './objects.ts';

/** Fewer operations, or fewer values of one kind, do not make a pattern. */
const LEAST = 3;

/** A merged cause's identity names no operation. If one is silent for a night, it stays the same finding. */
export function mergeCauses(causes: readonly Cause[], run: Run): readonly Cause[] {
  // Each assumption of the mock is reported with its own line.
  if (run.occasion === 'assumptions') return causes;
  const merged = new Map<Cause, Cause>();
  const sorted = inOrder(causes, run);
  for (const spreadIn of WIDEST_FIRST) {
    const left = sorted.filter((cause) => !merged.has(cause) && cause.observation.operationId !== null);
    for (const { spread, parts } of groupsOf(left, (cause) => spreadIn(cause, run))) {
      const whole = asOne(parts, spread, run);
      for (const part of parts) merged.set(part, whole);
    }
  }
  return [...new Set(causes.map((cause) => merged.get(cause) ?? cause))];
}

/** By expected kind of value, then by field or answer, then by object. */
const WIDEST_FIRST: readonly ((cause: Cause, run: Run) => Spread | undefined)[] = [
  // Other people build the token endpoint, so its values do not count towards a change in the rest of the API.
  (cause, run) => (isOfTokens(cause, run) ? undefined : spreadsOf(cause, run).find(({ kind }) => kind !== undefined)),
  (cause, run) => spreadsOf(cause, run).find(({ kind }) => kind === undefined),
  (cause, run) => (gravity(cause, run) < SEVERITIES.indexOf('info') ? spreadOfObject(cause, run.contract) : undefined),
];

function inOrder(causes: readonly Cause[], { contract }: Run): readonly Cause[] {
  const order = new Map(contract.operations.map(({ operationId }, index) => [operationId, index]));
  const rank = ({ observation }: Cause): number => order.get(observation.operationId ?? '') ?? order.size;
  const textOf = ({ rule, observation: { pointer, expected, actual } }: Cause): string =>
    JSON.stringify([pointer, rule.id, expected, actual]);
  return causes.toSorted((a, b) => rank(a) - rank(b) || (textOf(a) < textOf(b) ? -1 : 1));
}

function spreadsOf({ rule, observation }: Cause, { contract }: Run): readonly Spread[] {
  return rule.spreads?.(observation, contract) ?? [];
}

function isOfTokens({ observation }: Cause, { contract }: Run): boolean {
  return contract.operation(observation.operationId ?? '')?.auth === 'issues';
}

interface Group {
  readonly spread: Spread;
  readonly parts: Cause[];
}

function groupsOf(causes: readonly Cause[], spreadIn: (cause: Cause) => Spread | undefined): Group[] {
  const alike = new Map<string, Group>();
  for (const cause of causes) {
    const spread = spreadIn(cause);
    if (spread === undefined) continue;
    const key = JSON.stringify([cause.rule.id, spread.about, spread.expected, spread.actual]);
    const group = alike.get(key) ?? { spread, parts: [] };
    group.parts.push(cause);
    alike.set(key, group);
  }
  return [...alike.values()].filter(isPattern);
}

/** True if enough operations share it. Values of one kind also need different names: a shared name says more. */
function isPattern({ spread: { kind, object, least = LEAST }, parts }: Group): boolean {
  if (kind === undefined) return operationsIn(parts).size >= (object === undefined ? least : 2);
  const names = new Set(parts.map(({ observation: { pointer } }) => pointer.slice(pointer.lastIndexOf('/'))));
  return parts.length >= least && names.size > 1;
}

export function operationsIn(parts: readonly Cause[]): ReadonlySet<string> {
  return new Set(parts.map(({ observation }) => observation.operationId ?? ''));
}

function asOne(parts: readonly Cause[], spread: Spread, run: Run): Cause {
  const { about, expected, actual, kind, object } = spread;
  const [gravest] = parts.toSorted((a, b) => gravity(a, run) - gravity(b, run));
  const { rule, observation } = gravest ?? (parts[0] as Cause);
  const wanted = new Set(parts.map((part) => part.observation.wanted));
  const seen = new Set(parts.map((part) => part.observation.actual));
  const [operation, ...others] = operationsIn(parts);
  const found = createShape();
  for (const part of parts) if (part.found !== null) merge(found, part.found);
  const exchanges = new Map<number, number>();
  for (const part of parts) for (const [seq, times] of part.exchanges) addTimes(exchanges, seq, times);
  return {
    rule,
    observation: {
      ...observation,
      operationId: others.length > 0 ? null : (operation ?? null),
      pointer: about === '' || kind !== undefined ? '' : mostFrequent(parts.map((part) => part.observation.pointer)),
      expected,
      actual: seen.size === 1 ? observation.actual : actual,
      wanted: wanted.size === 1 ? observation.wanted : undefined,
      identity: { expected, actual, pointer: about },
    },
    times: parts.reduce((sum, { times }) => sum + times, 0),
    exchanges,
    found: parts.some((part) => part.found !== null) ? found : null,
    spread: { parts, kind, ...(object === undefined ? {} : { object }) },
  };
}

export function addTimes(all: Map<number, number>, seq: number, times: number): void {
  all.set(seq, (all.get(seq) ?? 0) + times);
}

function mostFrequent(texts: readonly string[]): string {
  const counts = Map.groupBy(texts, (text) => text);
  const [first] = [...counts].sort(([a, many], [b, others]) => others.length - many.length || (a < b ? -1 : 1));
  return first?.[0] ?? '';
}

function gravity({ rule, observation }: Cause, { contract }: Run): number {
  const provenance: Provenance = observation.provenance ?? contract.provenanceOf(observation.source);
  return SEVERITIES.indexOf(severityOf(rule, provenance, contract.operation(observation.operationId ?? '')));
}
