import { check } from './support/check.ts';
import { answers } from './support/operations.ts';
import { operations } from './support/suite.ts';

const CURRENT = ['getCardFees', 'getAccountFees', 'getTransactionFees'];

for (const operationId of CURRENT) answers('fees', operationId);

for (const { operationId, successor } of operations) {
  if (successor === null) continue;
  check({ id: `fees.deprecated-answers.${operationId}`, operationId, reference: 'Versioning 3' }, async (t) => {
    await t.succeed(operationId);
  });
  check(
    {
      id: `fees.deprecated-shape.${operationId}`,
      operationId,
      reference: 'Versioning 3',
      calls: [{ operationId: successor }, { operationId }],
    },
    async (t) => {
      await t.succeed(successor);
      await t.succeed(operationId);
    },
  );
}

// The deprecated form is GET, the current one POST.
for (const [operationId, method] of [
  ['getTransactionFees', 'GET'],
  ['getTransactionFeesDeprecated', 'POST'],
] as const) {
  check(
    {
      id: `fees.other-method.${operationId}`,
      operationId,
      kind: 'probe',
      reference: 'Endpoints',
      calls: [{ purpose: 'refuse-method', method }],
    },
    async (t) => {
      await t.ask(operationId, { purpose: 'refuse-method', method, json: null });
    },
  );
}
