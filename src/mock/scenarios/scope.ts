import type { ScenarioDefinition, ScenarioRule } from '../../../generated/mock/scenario.ts';
import { ToolError } from '../../errors.ts';
import { EVERY } from './rules.ts';

export interface ScenarioScope {
  readonly operations?: readonly [string, ...string[]] | undefined;
  /** Values that path parameters must have, decoded. */
  readonly parameters?: Readonly<Record<string, string>> | undefined;
  readonly times?: number | undefined;
}

/** The scenario for a part of its requests, without the rules of other operations. @throws ToolError `usage` if no rule is left. */
export function narrowed(
  definition: ScenarioDefinition,
  { operations, parameters, times }: ScenarioScope,
): ScenarioDefinition {
  const { rules = [] } = definition;
  const left = rules.flatMap((rule): ScenarioRule[] => {
    const common = operations && commonOf(rule, operations);
    if (common === null) return [];
    return [
      {
        ...rule,
        ...(common && { operations: common }),
        ...(parameters && { parameters: { ...rule.parameters, ...parameters } }),
        ...(times !== undefined && { times: Math.min(times, rule.times ?? times) }),
      },
    ];
  });
  const [first, ...others] = left;
  if (first === undefined) {
    const own = [...new Set(rules.flatMap((rule) => rule.operations ?? []))].join(', ');
    throw new ToolError('usage', `The scenario ${definition.name} concerns none of these operations.`, {
      hint: own === '' ? 'It has no rules.' : `It concerns ${own}.`,
      place: { file: 'scenario', pointer: '/scope/operations' },
    });
  }
  return { ...definition, rules: [first, ...others] };
}

function commonOf({ operations }: ScenarioRule, wanted: readonly [string, ...string[]]): [string, ...string[]] | null {
  if (operations === undefined || operations.includes(EVERY)) return [...wanted];
  const [first, ...others] = wanted.filter((one) => operations.includes(one));
  return first === undefined ? null : [first, ...others];
}
