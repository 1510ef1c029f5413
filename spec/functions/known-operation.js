import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A home in the ledger that is a whole operation. */
const HOME = /\bop:(\w+)(?=['",\]\s])/g;

/** Requires a row in the ledger beside the ruleset for every operation under `paths`. */
export default function knownOperation({ operationId }, _options, context) {
  if (typeof operationId !== 'string') return [{ message: 'The operation has no operationId.' }];
  const ledger = readFileSync(join(dirname(context.rule.owner.source), 'ledger.yaml'), 'utf8');
  if ([...ledger.matchAll(HOME)].some(([, name]) => name === operationId)) return [];
  return [{ message: `"${operationId}" has no row in the ledger.`, path: [...context.path, 'operationId'] }];
}
