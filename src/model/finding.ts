import { createHash } from 'node:crypto';
import type { Provenance } from '../contract/contract.ts';

export const SEVERITIES = ['error', 'warning', 'info'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** One typed observation of a rule, without a secret in it. */
export interface Finding {
  /** Of rule, operation, pointer and the expected and actual shape; never of prose, values, order or host. */
  readonly fingerprint: string;
  readonly rule: string;
  /** The engine's id of the rule, where the contract calls it by another name. */
  readonly engineRule?: string;
  readonly severity: Severity;
  readonly provenance: Provenance;
  readonly operationId: string | null;
  readonly method: string | null;
  /** Path template, never a path with ids in it. */
  readonly path: string | null;
  // JSON pointer into the judged part, such as `/rate`; items of a list as `/items/*/x`; empty for the answer as a whole.
  readonly pointer: string;
  readonly expected: string;
  readonly actual: string;
  readonly message: string;
  /** Section of the API reference, or the RFC. */
  readonly reference: string;
  readonly occurrences: number;
  /** The line of the spec or overlay that is contradicted. */
  readonly location: { readonly file: string; readonly line: number; readonly column: number } | null;
  /** Numbers of the exchanges that show it. */
  readonly exchanges: readonly number[];
  /** Ids of the checks whose exchanges show it. */
  readonly checks?: readonly string[];
  /** ISO 8601 date-time. */
  readonly firstSeen?: string;
  /** ISO 8601 date-time. */
  readonly lastSeen?: string;
}

/** What makes two findings the same one. */
export interface Identity {
  readonly rule: string;
  readonly operationId: string | null;
  readonly pointer: string;
  /** Shape, not prose. */
  readonly expected: string;
  /** Shape, not prose. */
  readonly actual: string;
}

/** 16 hexadecimal digits over rule, operation, pointer and the two shapes; the same on every machine and in every run. */
export function fingerprint(identity: Identity): string {
  const { rule, operationId, pointer, expected, actual } = identity;
  return createHash('sha256')
    .update(JSON.stringify([rule, operationId, pointer, expected, actual]))
    .digest('hex')
    .slice(0, 16);
}
