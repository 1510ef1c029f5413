import { createShape, merge } from './record/shape.ts';
import type { Observation, Run } from './rule.ts';
import { RULE_IDS, RULES, type RuleId } from './rules.ts';
import { typesOfShape } from './shape-text.ts';

/** What was seen of one cause. */
export interface Cause {
  readonly rule: RuleId;
  readonly observations: [Observation, ...Observation[]];
}

/** Lets every rule judge and puts together what has one cause. */
export function causesOf(
  run: Run,
  also: readonly { readonly rule: RuleId; readonly observation: Observation }[],
): Cause[] {
  const causes = new Map<string, Cause>();
  const add = (rule: RuleId, observation: Observation): void => {
    const { operationId, pointer } = observation;
    const { expected, actual } = observation.identity ?? observation;
    // A new field is one new field, whatever it holds.
    const key = JSON.stringify([rule, operationId, pointer, expected, isNewField(rule) ? '' : actual]);
    const known = causes.get(key);
    if (known === undefined) causes.set(key, { rule, observations: [observation] });
    else known.observations.push(observation);
  };
  for (const id of RULE_IDS) {
    const rule = RULES[id];
    if (rule.scope === 'run') for (const observation of rule.judge(run)) add(id, observation);
    else for (const sample of run.samples) for (const observation of rule.judge(sample, run)) add(id, observation);
  }
  for (const { rule, observation } of also) add(rule, observation);
  return [...causes.values()];
}

function isNewField(rule: RuleId): boolean {
  return rule === 'unrecorded-field' || rule === 'undocumented-field';
}

/** What all of them say. */
export function theOne({ rule, observations }: Cause): Observation {
  const [first] = observations;
  const shapes = observations.flatMap(({ found }) => (found === undefined ? [] : [found]));
  if (shapes.length === 0) return first;
  const found = createShape();
  for (const shape of shapes) merge(found, shape);
  return isNewField(rule) ? { ...first, found, actual: typesOfShape(found) } : { ...first, found };
}
