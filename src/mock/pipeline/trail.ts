import type { PlannedOperation } from '../compile/plan.ts';

/** What is learnt of a request beside its answer. */
export interface Trail {
  /** Number of the exchange, from 1. */
  seq?: number;
  operation: PlannedOperation | null;
  /** Decoded path parameters. */
  parameters?: Readonly<Record<string, string>>;
  /** Names of the scenarios that had a hand in the answer. */
  scenarios?: readonly string[];
}
