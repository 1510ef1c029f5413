import type { RunRule } from '../rule.ts';

/** A promise that a check itself found broken and that no other rule explains. The run adds these: they come from the suite. */
export const contractCheckFailed: RunRule = { id: 'contract-check-failed', scope: 'run', judge: () => [] };
