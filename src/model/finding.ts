import { createHash } from 'node:crypto';
import type { Provenance } from '../contract/contract.ts';

export const SEVERITIES = ['error', 'warning', 'info'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** What `--fail-on` takes: `breaking` is every error, and each warning that breaks callers. */
export const THRESHOLDS = ['error', 'warning', 'info', 'breaking'] as const;
export type Threshold = (typeof THRESHOLDS)[number];

export type Compatibility = 'breaking' | 'additive' | 'unknown';

export interface Ticket {
  /** ISO 8601 date-time: when the request was sent. */
  readonly at: string;
  readonly requestIds: Readonly<Record<string, string>>;
  /** What the run itself called it, by the name of the header field, where the configuration has it name each request. */
  readonly sentIds?: Readonly<Record<string, string>>;
  /** A command for a POSIX shell that sends it again, secrets and ids as variables; null where it cannot be written in a line. */
  readonly curl: string | null;
}

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
  readonly path: string | null;
  // JSON pointer into the judged part, such as `/rate`; items of a list as `/items/*/x`; empty for the answer as a whole.
  readonly pointer: string;
  readonly expected: string;
  readonly actual: string;
  readonly message: string;
  readonly reference: string;
  readonly occurrences: number;
  readonly location: { readonly file: string; readonly line: number; readonly column: number } | null;
  readonly exchanges: readonly number[];
  /** Of a change that several operations show alike: what each of them shows, with the fingerprint that it has alone. Then no operation is named. */
  readonly parts?: readonly {
    readonly operationId: string;
    readonly pointer: string;
    readonly fingerprint: string;
  }[];
  readonly checks?: readonly string[];
  /** Absent in reports of early versions and of `audit`. It is no part of the fingerprint. */
  readonly compatibility?: Compatibility;
  /** One exchange that shows it, as somebody who runs the target looks it up; absent where there was none. */
  readonly ticket?: Ticket;
  /** ISO 8601 date-time. */
  readonly firstSeen?: string;
  /** ISO 8601 date-time. */
  readonly lastSeen?: string;
}

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
