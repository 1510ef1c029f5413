import type { PlannedOperation } from '../compile/plan.ts';

export interface Trail {
  /** Number of the exchange, from 1. */
  seq?: number;
  operation: PlannedOperation | null;
  /** Decoded path parameters. */
  parameters?: Readonly<Record<string, string>>;
  scenarios?: readonly string[];
}
