/**
 * "A pigeon carries letters only once it has a leg ring" (x-rules, ring-before-flight). False refuses.
 *
 * @param {import('banking-api-contract/contract').HookInput} input
 */
export function ringBeforeFlight({ named }) {
  return named('pigeonRef')?.ringNumber !== undefined;
}

/** Valuable letters take the route with more ships. */
export function seaRoute({ record }) {
  return record.declaredValue > 1000 ? 'Gotland Sound' : 'Kalmar Strait';
}
