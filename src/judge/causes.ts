import { MOST_TOLD, type Observation, type Run, type Sample } from './rule.ts';
import { RULE_IDS, RULES, type RuleId } from './rules.ts';
import { typesOfShape } from './shape-text.ts';
import { createShape, merge, type Shape } from './value-shape.ts';

/** What was seen of one cause. */
export interface Cause {
  readonly rule: RuleId;
  readonly first: Observation;
  /** How often it was seen. */
  times: number;
  readonly exchanges: Set<number>;
  /** What was there in all of them together; null where that is not worth showing. */
  found: Shape | null;
}

/** What the rules have seen so far. */
export interface Causes {
  readonly causes: ReadonlyMap<string, Cause>;
  /** Numbers of the exchanges that differ in more places than are told. */
  readonly partly: ReadonlySet<number>;
  /** Answers that every rule has judged. */
  readonly judged: ReadonlySet<Sample>;
  /** Lets the rules judge. No step takes longer than one rule takes for one answer; whoever drives it may stop after any. */
  readonly steps: Iterable<void>;
}

/** Lets every rule judge and puts together what has one cause. */
export function causesOf(
  run: Run,
  also: readonly { readonly rule: RuleId; readonly observation: Observation }[],
): Causes {
  const causes = new Map<string, Cause>();
  const told = new Map<string, number>();
  const partly = new Set<number>();
  const judged = new Set<Sample>();
  const add = (rule: RuleId, observation: Observation, most = MOST_TOLD): void => {
    const { operationId, pointer } = observation;
    const { expected, actual } = observation.identity ?? observation;
    // A new field is one new field, whatever it holds.
    const key = JSON.stringify([rule, operationId, pointer, expected, isNewField(rule) ? '' : actual]);
    const known = causes.get(key);
    if (known !== undefined) {
      known.times += observation.times ?? 1;
      for (const seq of observation.exchanges) known.exchanges.add(seq);
      if (observation.found !== undefined) {
        known.found ??= createShape();
        merge(known.found, observation.found);
      }
      return;
    }
    const kind = `${rule} ${operationId}`;
    const count = told.get(kind) ?? 0;
    if (count >= most) {
      for (const seq of observation.exchanges) partly.add(seq);
      return;
    }
    told.set(kind, count + 1);
    const { times = 1, exchanges, found = null } = observation;
    causes.set(key, { rule, first: observation, times, exchanges: new Set(exchanges), found: copyOf(found) });
  };
  function* steps(): Iterable<void> {
    // No target sends these, so that they are as many as there are.
    for (const { rule, observation } of also) add(rule, observation, Number.POSITIVE_INFINITY);
    for (const id of RULE_IDS) {
      const rule = RULES[id];
      if (rule.scope !== 'run') continue;
      for (const observation of rule.judge(run)) add(id, observation);
      yield;
    }
    for (const sample of run.samples) {
      for (const id of RULE_IDS) {
        const rule = RULES[id];
        if (rule.scope !== 'sample') continue;
        for (const observation of rule.judge(sample, run)) add(id, observation);
        yield;
      }
      judged.add(sample);
    }
  }
  return { causes, partly, judged, steps: steps() };
}

function isNewField(rule: RuleId): boolean {
  return rule === 'unrecorded-field' || rule === 'undocumented-field';
}

function copyOf(shape: Shape | null): Shape | null {
  if (shape === null) return null;
  const copy = createShape();
  merge(copy, shape);
  return copy;
}

/** What all of them say. */
export function theOne({ rule, first, found }: Cause): Observation {
  if (found === null) return first;
  return isNewField(rule) ? { ...first, found, actual: typesOfShape(found) } : { ...first, found };
}
