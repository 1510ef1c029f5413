import type { Provenance } from '../../contract/contract.ts';
import { serviceOf } from '../../contract/services.ts';
import { SEVERITIES } from '../../model/finding.ts';
import { type Occasion, type Rule, type Run, type Shown, type Spread, severityOf } from '../rule.ts';
import { RULES } from '../rules.ts';
import { createShape, merge } from '../shape.ts';
import type { Cause } from './cause.ts';
import { sharedPlaces } from './objects.ts';
import { whatWasShown } from './shown.ts';

/** Fewer operations, or fewer places, are no pattern. */
const LEAST = 3;

/**
 * A change of the API as a whole, or of one of its services, is one cause: a field that is new in every answer, names that are spelled
 * otherwise throughout, any token accepted, texts in place of numbers. Causes of several operations that are alike become one where more
 * than half of what could show it does; those of one operation where all of it does. What it is known by names no operation, so that it
 * stays the same finding when one of them is silent for a night.
 */
export function* together(causes: readonly Cause[], run: Run, occasion: Occasion): Generator<null, readonly Cause[]> {
  // What the mock assumes is told with the line of each assumption.
  if (occasion === 'assumptions') return causes;
  const spreads = new Map(inOrder(causes, run).map((cause) => [cause, spreadsOf(cause, run)]));
  let shown: ReadonlyMap<string, Shown> | undefined;
  const told = new Map<Cause, Cause>();
  const most = Math.max(0, ...spreads.values().map(({ length }) => length));
  for (const scope of SCOPES) {
    for (let level = 0; level < most; level += 1) {
      for (const { spread, parts } of groupsOf(spreads, level, told)) {
        shown ??= yield* whatWasShown(run, occasion);
        const could = placesOf(spread, shown);
        for (const one of scope({ parts, could, service: '', operationId: null }, spread, run)) {
          const whole = asOne(one, spread, run);
          for (const part of one.parts) told.set(part, whole);
        }
      }
    }
  }
  const left = [...spreads.keys()].filter(
    (cause) => !told.has(cause) && gravity(cause, run) < SEVERITIES.indexOf('info'),
  );
  for (const { parts, object, ...spread } of sharedPlaces(left, run)) {
    const own = { parts, could: [], service: '', operationId: null };
    const { spread: extent, ...one } = asOne(own, { ...spread, couldShow: () => true }, run);
    const whole: Cause = { ...one, ...(extent && { spread: { ...extent, object } }) };
    for (const part of parts) told.set(part, whole);
  }
  return [...new Set(causes.map((cause) => told.get(cause) ?? cause))];
}

/** By operation in the order of the contract, then by place: the parts of one whole are the same in whatever order they were seen. */
function inOrder(causes: readonly Cause[], { contract }: Run): readonly Cause[] {
  const order = new Map(contract.operations.map(({ operationId }, index) => [operationId, index]));
  const rank = ({ observation }: Cause): number => order.get(observation.operationId ?? '') ?? order.size;
  const textOf = ({ rule, observation: { pointer, expected, actual } }: Cause): string =>
    JSON.stringify([pointer, rule, expected, actual]);
  return causes.toSorted((a, b) => rank(a) - rank(b) || (textOf(a) < textOf(b) ? -1 : 1));
}

/** The token endpoint is built by others: values of another sort in its answer are no part of what became of the rest. */
function spreadsOf({ rule: id, observation }: Cause, { contract }: Run): readonly Spread[] {
  if (observation.operationId === null) return [];
  const rule: Rule = RULES[id];
  const spreads = rule.spreads?.(observation, contract) ?? [];
  const isOfTokens = contract.operation(observation.operationId)?.auth === 'issues';
  return isOfTokens ? spreads.filter(({ kind }) => kind === undefined) : spreads;
}

interface Group {
  readonly spread: Spread;
  readonly parts: Cause[];
}

function groupsOf(
  spreads: ReadonlyMap<Cause, readonly Spread[]>,
  level: number,
  told: ReadonlyMap<Cause, Cause>,
): Group[] {
  const alike = new Map<string, Group>();
  for (const [cause, { [level]: spread }] of spreads) {
    if (spread === undefined || told.has(cause)) continue;
    const key = JSON.stringify([cause.rule, spread.about, spread.expected, spread.actual]);
    const group = alike.get(key) ?? { spread, parts: [] };
    group.parts.push(cause);
    alike.set(key, group);
  }
  return [...alike.values()].filter((group) => group.parts.length >= LEAST && !isOfOneName(group));
}

/** True of values that are wanted alike and have one name: that name says more of them. */
function isOfOneName({ spread, parts }: Group): boolean {
  const names = new Set(parts.map(({ observation: { pointer } }) => pointer.slice(pointer.lastIndexOf('/'))));
  return spread.kind !== undefined && names.size === 1;
}

interface Place {
  readonly operationId: string;
  readonly pointer: string;
}

interface Alike {
  readonly parts: readonly Cause[];
  readonly could: readonly Place[];
  /** The service that it is of; empty for the whole target. */
  readonly service: string;
  /** The one operation that it is of; null for all. */
  readonly operationId: string | null;
}

function placesOf({ kind, couldShow }: Spread, shown: ReadonlyMap<string, Shown>): Place[] {
  return [...shown].flatMap(([operationId, one]) => {
    if (!couldShow(one)) return [];
    if (kind === undefined) return [{ operationId, pointer: '' }];
    return [...(one.kinds.get(kind) ?? [])].map((pointer) => ({ operationId, pointer }));
  });
}

type Scope = (all: Alike, spread: Spread, run: Run) => readonly Alike[];

/** Whether causes are of most of the target, else of most of a service, else of all of an operation. */
const SCOPES: readonly Scope[] = [
  (all, spread) => (isWide(all, spread) ? [all] : []),
  (all, spread, { contract }) =>
    within(all, (id) => serviceOf(contract, id))
      .map(([service, one]) => ({ ...one, service }))
      .filter((one) => one.service !== '' && isWide(one, spread)),
  (all, spread) =>
    within(all, (id) => id)
      .map(([operationId, one]) => ({ ...one, operationId }))
      .filter((one) => isThroughout(one, spread)),
];

function within(all: Alike, groupOf: (operationId: string) => string): [string, Alike][] {
  const groups = Map.groupBy(all.parts, ({ observation }) => groupOf(observation.operationId ?? ''));
  return [...groups].map(([group, parts]) => {
    const could = all.could.filter(({ operationId }) => groupOf(operationId) === group);
    return [group, { ...all, parts, could }];
  });
}

function isWide(one: Alike, spread: Spread): boolean {
  const operations = new Set(one.parts.map(({ observation }) => observation.operationId));
  const own = shownBy(one, spread);
  return operations.size >= LEAST && own.size * 2 > own.union(couldBe(one)).size;
}

/** True of an operation all of whose values that are wanted alike show it. */
function isThroughout(one: Alike, spread: Spread): boolean {
  const own = shownBy(one, spread);
  return spread.kind !== undefined && own.size >= LEAST && own.size === own.union(couldBe(one)).size;
}

function keyOf({ operationId, pointer }: Place): string {
  return `${operationId}\n${pointer}`;
}

function shownBy({ parts }: Pick<Alike, 'parts'>, { kind }: Spread): Set<string> {
  return new Set(
    parts.map(({ observation: { operationId, pointer } }) =>
      keyOf({ operationId: operationId ?? '', pointer: kind === undefined ? '' : pointer }),
    ),
  );
}

function couldBe({ could }: Pick<Alike, 'could'>): Set<string> {
  return new Set(could.map(keyOf));
}

function asOne(all: Alike, spread: Spread, run: Run): Cause {
  const { parts, service, operationId } = all;
  const { about, expected, actual, kind } = spread;
  const [gravest] = parts.toSorted((a, b) => gravity(a, run) - gravity(b, run));
  const { rule, observation } = gravest ?? (parts[0] as Cause);
  const wanted = new Set(parts.map((part) => part.observation.wanted));
  const seen = new Set(parts.map((part) => part.observation.actual));
  const found = createShape();
  for (const part of parts) if (part.found !== null) merge(found, part.found);
  const own = shownBy(all, spread);
  const exchanges = new Map<number, number>();
  for (const part of parts)
    for (const [seq, times] of part.exchanges) exchanges.set(seq, (exchanges.get(seq) ?? 0) + times);
  return {
    rule,
    observation: {
      ...observation,
      operationId,
      pointer: about === '' || kind !== undefined ? '' : mostFrequent(parts.map((part) => part.observation.pointer)),
      expected,
      actual: seen.size === 1 ? observation.actual : actual,
      wanted: wanted.size === 1 ? observation.wanted : undefined,
      identity: { expected, actual, pointer: service === '' ? about : `${service} ${about}` },
    },
    times: parts.reduce((sum, { times }) => sum + times, 0),
    exchanges,
    found: parts.some((part) => part.found !== null) ? found : null,
    spread: { parts, shown: own.size, of: own.union(couldBe(all)).size, service, kind },
  };
}

/** Of equally frequent ones the first by its characters. */
function mostFrequent(texts: readonly string[]): string {
  const counts = Map.groupBy(texts, (text) => text);
  const [first] = [...counts].sort(([a, many], [b, others]) => others.length - many.length || (a < b ? -1 : 1));
  return first?.[0] ?? '';
}

function gravity({ rule: id, observation }: Cause, { contract }: Run): number {
  const provenance: Provenance = observation.provenance ?? contract.provenanceOf(observation.source);
  return SEVERITIES.indexOf(severityOf(RULES[id], provenance, contract.operation(observation.operationId ?? '')));
}
