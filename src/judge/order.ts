import type { Contract } from '../contract/contract.ts';
import type { Finding } from '../model/finding.ts';
import { RULE_IDS, ruleName } from './rules.ts';

/** By operation in the order of the contract, then by rule and place: the same for the same traffic. */
export function inOrder(findings: readonly Finding[], contract: Contract): Finding[] {
  const order = new Map(contract.operations.map(({ operationId }, index) => [operationId, index]));
  const operation = ({ operationId }: Finding): number => order.get(operationId ?? '') ?? order.size;
  const rules = RULE_IDS.map((id) => ruleName(id, contract.folder));
  const rule = (finding: Finding): number => rules.indexOf(finding.rule);
  return [...findings].sort(
    (a, b) =>
      operation(a) - operation(b) ||
      rule(a) - rule(b) ||
      compare(a.pointer, b.pointer) ||
      compare(a.path ?? '', b.path ?? '') ||
      compare(a.fingerprint, b.fingerprint),
  );
}

/** By code points, the same on every machine. */
export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
