import type { ScenarioScope } from '../../../generated/mock/control.ts';
import type { ScenarioDefinition, ScenarioRule } from '../../../generated/mock/scenario.ts';
import { ToolError } from '../../errors.ts';
import { EVERY } from './rules.ts';

/** Limits a scenario to some operations and parameters. @throws ToolError `usage` if no rule is left. */
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
  if (left.length === 0) {
    const own = [...new Set(rules.flatMap((rule) => rule.operations ?? []))].join(', ');
    throw new ToolError('usage', `The scenario ${definition.name} does not concern these operations.`, {
      hint: own === '' ? 'It has no rules.' : `It concerns ${own}.`,
      place: { file: 'scenario', pointer: '/scope/operations' },
    });
  }
  return { ...definition, rules: left };
}

function commonOf({ operations }: ScenarioRule, wanted: readonly string[]): readonly string[] | null {
  if (operations === undefined || operations.includes(EVERY)) return wanted;
  const common = wanted.filter((one) => operations.includes(one));
  return common.length === 0 ? null : common;
}
