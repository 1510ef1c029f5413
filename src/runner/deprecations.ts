import { type Call, finalAttempt } from '../drift/call.ts';
import type { Judged } from '../drift/judge.ts';
import { formDifferences } from '../drift/rules/deprecations.ts';
import { header } from '../http/exchange.ts';
import type { DeprecationWatch } from '../report/report.ts';
import type { Contract, Operation } from '../spec/contract.ts';

/** For each deprecated form: whether it still answers, in the shape of its successor, and what it announces. */
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
        sameShape: sameShape(contract, judged, operation),
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

function sameShape(contract: Contract, judged: Judged, operation: Operation): boolean | null {
  const differences = formDifferences(contract, judged.samples, operation);
  return differences === null ? null : differences.length === 0;
}
