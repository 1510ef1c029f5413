import type { Contract, Operation } from '../contract/contract.ts';
import type { Judged } from '../judge/judge.ts';
import { formDifferences } from '../judge/rules/deprecations.ts';
import { type Call, finalAttempt } from '../model/call.ts';
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
    const last: Call | undefined = calls.at(-1)?.[0];
    const fields = (last === undefined ? undefined : finalAttempt(last)?.response?.headers) ?? [];
    const announced = (name: string): string | null => {
      const value = header(fields, name);
      return value === undefined ? null : redact(value);
    };
    return [
      {
        operationId,
        successor,
        alive: aliveness(calls.map(([, judgement]) => judgement.kind)),
        sameShape: sameShape(judged, operation),
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

function sameShape(judged: Judged, operation: Operation): boolean | null {
  const differences = formDifferences(judged.samples, operation);
  return differences === null ? null : differences.length === 0;
}
