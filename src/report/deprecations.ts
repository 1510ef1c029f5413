import type { Contract } from '../contract/contract.ts';
import type { Judged } from '../judge/judge.ts';
import { formDifferences } from '../judge/rules/deprecations.ts';
import { header } from '../model/exchange.ts';
import type { DeprecationWatch } from '../model/report.ts';

export function deprecationsOf(
  contract: Contract,
  judged: Judged,
  redact: (text: string) => string,
): DeprecationWatch[] {
  return contract.operations.flatMap((operation): DeprecationWatch[] => {
    const { operationId, successor } = operation;
    if (successor === null) return [];
    const calls = [...judged.judgements].filter(([call]) => call.operationId === operationId);
    const fields = calls.at(-1)?.[0].attempts.at(-1)?.response?.headers ?? [];
    const differences = formDifferences(judged.samples, operation);
    const announced = (name: string): string | null => {
      const value = header(fields, name);
      return value === undefined ? null : redact(value);
    };
    return [
      {
        operationId,
        successor,
        alive: aliveness(calls.map(([, judgement]) => judgement.kind)),
        sameShape: differences === null ? null : differences.length === 0,
        deprecation: announced('deprecation'),
        sunset: announced('sunset'),
      },
    ];
  });
}

function aliveness(kinds: readonly string[]): boolean | null {
  if (kinds.includes('good')) return true;
  return kinds.includes('withdrawn') ? false : null;
}
