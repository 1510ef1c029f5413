import type { Fee, SeedFees } from '../../seed.ts';
import { type Asked, type Given, type Scene, type StateOperation, type StateOperations, text } from '../operation.ts';

/** The price list of the customer: it asks for no client, and every form of an operation reads the same one. */
function fees(kind: keyof SeedFees, currencyOf: (asked: Asked) => string | undefined): StateOperation {
  return {
    needs: kind === 'transaction' ? [] : ['currency'],
    run(_, asked: Asked, { seed }: Scene): Given {
      const table = new Map<string, readonly Fee[]>(Object.entries(seed.fees?.[kind] ?? {}));
      const [first = 'GBP'] = table.keys();
      const wanted = currencyOf(asked) ?? first;
      const currency = /^[A-Z]{3}$/.test(wanted) ? wanted : first;
      return { value: { currency, fees: table.get(currency) ?? table.get(first) ?? [] } };
    },
  };
}

const inPath = ({ parameters }: Asked): string | undefined => parameters.currency;
const inBody = ({ body }: Asked): string | undefined => text(body, 'currency');

export const FEE_OPERATIONS: StateOperations = {
  getCardFees: fees('card', inPath),
  getCardFeesDeprecated: fees('card', inPath),
  getNewCardFees: fees('card', inPath),
  getAccountFees: fees('account', inPath),
  getAccountFeesDeprecated: fees('account', inPath),
  getNewAccountFees: fees('account', inPath),
  getTransactionFees: fees('transaction', inBody),
  getTransactionFeesDeprecated: fees('transaction', inBody),
};
