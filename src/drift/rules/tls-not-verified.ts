import type { RunRule } from '../rule.ts';

/** The run talked to an https target without checking its certificate. The run adds it: no exchange shows it. */
export const tlsNotVerified: RunRule = { id: 'tls-not-verified', scope: 'run', judge: () => [] };
