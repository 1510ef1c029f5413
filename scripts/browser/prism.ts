import { ToolError } from '../../src/errors.ts';

/** Prism does not run in a browser: an answer that needs it says so (501). */
export function createPrismEngine(): never {
  throw new ToolError('engine-missing', 'This answer needs Prism, which does not run in a browser.', {
    hint: 'Start `banking-api-contract mock` and forward to it.',
  });
}
