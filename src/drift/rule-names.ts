import type { ContractFolder } from '../spec/folder.ts';

/** What a contract calls a rule of the engine (`rules` of contract.yaml): the id that reports and baselines know it by. */
export function ruleName(rule: string, { rules }: Pick<ContractFolder, 'rules'>): string {
  return Object.hasOwn(rules, rule) ? (rules[rule] ?? rule) : rule;
}

/** The engine's id of a rule by its name in a contract. */
export function ruleNamed(name: string, { rules }: Pick<ContractFolder, 'rules'>): string {
  return Object.entries(rules).find(([, alias]) => alias === name)?.[0] ?? name;
}
