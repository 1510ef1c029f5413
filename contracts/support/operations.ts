import type { SuiteOperation } from '../../src/runner/suite.ts';
import { check } from './check.ts';
import { operation, operations } from './suite.ts';

const PREFERRED = ['getCardFees', 'getAccountFees', 'getCard', 'listClientCards', 'getTransactionFees'];

/** A reading operation that this run can call, to ask things of tokens with; without one, the first that it cannot. */
export function anyRead(): SuiteOperation {
  const reads = PREFERRED.map(operation);
  const [first] = reads;
  const callable = [...reads, ...operations.filter(isLocatedRead)].find(({ skip }) => skip === null);
  const found = callable ?? first;
  if (found === undefined) throw new Error('the contract has no reading operation');
  return found;
}

function isLocatedRead({ method, auth }: SuiteOperation): boolean {
  return method === 'GET' && auth === 'bearer';
}

/** The plainest check: the operation answers, and what is documented of its answer holds. */
export function answers(area: string, operationId: string): void {
  const { knownByNameOnly } = operation(operationId);
  check(
    {
      id: `${area}.answers.${operationId}`,
      operationId,
      reference: knownByNameOnly ? 'Endpoints, Operations known by name only' : 'Endpoints',
    },
    async (t) => {
      await t.succeed(operationId);
    },
  );
}
