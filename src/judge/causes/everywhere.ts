import type { Provenance } from '../../contract/contract.ts';
import { namedFields, walkFields } from '../fields.ts';
import { answerSchemas, describedParts } from '../responses.ts';
import { type Occasion, type Rule, type Run, type Sample, type Shown, type Spread, severityOf } from '../rule.ts';
import { RULES } from '../rules.ts';
import { createShape, merge } from '../shape.ts';
import type { Cause } from './cause.ts';

/** Fewer operations are no pattern. */
const LEAST = 3;

/**
 * A change of the API as a whole is one cause: a field that is new in every answer, names that are spelled otherwise throughout. Causes
 * of several operations that are alike become one where more than half of the operations that could show it do. What it is known by
 * names no operation, so that it stays the same finding when one of them is silent for a night.
 */
export function* together(causes: readonly Cause[], run: Run, occasion: Occasion): Generator<null, readonly Cause[]> {
  // What the mock assumes is told with the line of each assumption.
  if (occasion === 'assumptions') return causes;
  const alike = new Map<string, { spread: Spread; parts: Cause[] }>();
  for (const cause of causes) {
    const rule: Rule = RULES[cause.rule];
    const spread = cause.observation.operationId === null ? null : (rule.spreads?.(cause.observation) ?? null);
    if (spread === null) continue;
    const key = JSON.stringify([cause.rule, spread.about, spread.expected, spread.actual]);
    const group = alike.get(key) ?? { spread, parts: [] };
    group.parts.push(cause);
    alike.set(key, group);
  }
  const groups = [...alike.values()].filter(({ parts }) => operationsOf(parts).size >= LEAST);
  if (groups.length === 0) return causes;
  const shown = yield* whatWasShown(run, occasion);
  const told = new Map<Cause, Cause>();
  for (const { spread, parts } of groups) {
    const own = operationsOf(parts);
    const could = new Set([...shown].filter(([, one]) => spread.couldShow(one)).map(([id]) => id)).union(own);
    if (own.size * 2 <= could.size) continue;
    const one = asOne(parts, spread, could.size, run);
    for (const part of parts) told.set(part, one);
  }
  return [...new Set(causes.map((cause) => told.get(cause) ?? cause))];
}

function operationsOf(parts: readonly Cause[]): Set<string> {
  return new Set(parts.map(({ observation }) => observation.operationId ?? ''));
}

function asOne(parts: readonly Cause[], { about, expected, actual }: Spread, of: number, run: Run): Cause {
  const [gravest] = parts.toSorted((a, b) => gravity(a, run) - gravity(b, run));
  const { rule, observation } = gravest ?? (parts[0] as Cause);
  const wanted = new Set(parts.map((part) => part.observation.wanted));
  const found = createShape();
  for (const part of parts) if (part.found !== null) merge(found, part.found);
  return {
    rule,
    observation: {
      ...observation,
      operationId: null,
      pointer: about === '' ? '' : mostFrequent(parts.map((part) => part.observation.pointer)),
      expected,
      wanted: wanted.size === 1 ? observation.wanted : undefined,
      identity: { expected, actual, pointer: about },
    },
    times: parts.reduce((sum, { times }) => sum + times, 0),
    exchanges: new Set(parts.flatMap(({ exchanges }) => [...exchanges])),
    found: parts.some((part) => part.found !== null) ? found : null,
    spread: { parts, of },
  };
}

/** Of equally frequent ones the first by its characters. */
function mostFrequent(texts: readonly string[]): string {
  const counts = Map.groupBy(texts, (text) => text);
  const [first] = [...counts].sort(([a, many], [b, others]) => others.length - many.length || (a < b ? -1 : 1));
  return first?.[0] ?? '';
}

const SEVERITIES = ['error', 'warning', 'info'];

function gravity({ rule: id, observation }: Cause, { contract }: Run): number {
  const provenance: Provenance = observation.provenance ?? contract.provenanceOf(observation.source);
  return SEVERITIES.indexOf(severityOf(RULES[id], provenance, contract.operation(observation.operationId ?? '')));
}

/** What the good answers of each operation let be seen. The token endpoint is built by others. */
function* whatWasShown(run: Run, occasion: Occasion): Generator<null, ReadonlyMap<string, Shown>> {
  const shown = new Map<string, Collected>();
  for (const sample of run.samples) {
    const { operation, content } = sample;
    if (operation.auth === 'issues') continue;
    const own = shown.get(operation.operationId) ?? { fields: new Set(), named: false, json: false };
    shown.set(operation.operationId, own);
    own.json ||= content.kind === 'json';
    collect(own, sample, run, occasion);
    yield null;
  }
  return shown;
}

interface Collected extends Shown {
  readonly fields: Set<string>;
  named: boolean;
  json: boolean;
}

function collect(own: Collected, sample: Sample, { contract }: Run, occasion: Occasion): void {
  // Of what is compared without a network only the schemas are known.
  if (occasion === 'diff') {
    for (const { schema, ofItems } of answerSchemas(contract, sample.operation, sample.status)) {
      const places = namedFields(contract, schema, '');
      for (const { at } of places) {
        own.fields.add(lastOf(at));
        own.named ||= !ofItems && /^(?:\/\*)?\/[^/]*$/.test(at);
      }
    }
    return;
  }
  for (const { schema, value, at } of describedParts(contract, sample)) {
    walkFields(contract, schema, value, at, {
      object(place) {
        own.named ||= place === '' || place === '/*';
      },
      known: (place) => void own.fields.add(lastOf(place)),
    });
  }
}

function lastOf(pointer: string): string {
  return pointer.slice(pointer.lastIndexOf('/') + 1);
}
