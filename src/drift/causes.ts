import type { Observation, Run } from './rule.ts';
import type { RuleId } from './rule-ids.ts';
import { rules } from './rules.ts';

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
  for (const rule of rules) {
    if (rule.scope === 'run') for (const observation of rule.judge(run)) add(rule.id, observation);
    else for (const sample of run.samples) for (const observation of rule.judge(sample, run)) add(rule.id, observation);
  }
  for (const { rule, observation } of also) add(rule, observation);
  return [...causes.values()];
}

function isNewField(rule: RuleId): boolean {
  return rule === 'unrecorded-field' || rule === 'undocumented-field';
}

/** What all of them say. The types of a new field are those that it had, null only where it was never more. */
export function theOne({ rule, observations }: Cause): Observation {
  const [first] = observations;
  if (!isNewField(rule)) return first;
  const types = new Set(observations.map(({ actual }) => actual));
  if (types.has('number')) types.delete('integer');
  if (types.size > 1) types.delete('null');
  return { ...first, actual: [...types].sort().join(' or ') };
}
