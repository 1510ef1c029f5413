import { createHash } from 'node:crypto';
import type { Provenance } from '../schema/schema-document.ts';

export const SEVERITIES = ['error', 'warning', 'info'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** Values of `--fail-on`. `breaking` means every error, and each warning that breaks callers. */
export const THRESHOLDS = ['error', 'warning', 'info', 'breaking'] as const;
export type Threshold = (typeof THRESHOLDS)[number];

export type Compatibility = 'breaking' | 'additive' | 'unknown';

export interface Ticket {
  /** ISO 8601 date-time of the request. */
  readonly at: string;
  readonly requestIds: Readonly<Record<string, string>>;
  /** The run's own id of the request, by header field, if the configuration defines one. */
  readonly sentIds?: Readonly<Record<string, string>>;
  /** A POSIX shell command that repeats the request, with variables for secrets; null if it needs several lines. */
  readonly curl: string | null;
}

export interface Finding {
  /** Hash of rule, operation, pointer and both shapes. Text, values, order and host have no influence. */
  readonly fingerprint: string;
  readonly rule: string;
  /** The engine's id of the rule, if the contract renames it. */
  readonly engineRule?: string;
  readonly severity: Severity;
  readonly provenance: Provenance;
  readonly operationId: string | null;
  readonly method: string | null;
  readonly path: string | null;
  // JSON pointer into the judged part, for instance `/rate`. List items are `/items/*/x`. Empty for the whole answer.
  readonly pointer: string;
  readonly expected: string;
  readonly actual: string;
  readonly message: string;
  readonly reference: string;
  readonly occurrences: number;
  readonly location: { readonly file: string; readonly line: number; readonly column: number } | null;
  readonly exchanges: readonly number[];
  /** The findings behind a merged one, each with its own fingerprint. `operationId` is null then. */
  readonly parts?: readonly {
    readonly operationId: string;
    readonly pointer: string;
    readonly fingerprint: string;
  }[];
  readonly checks?: readonly string[];
  /** Absent in reports of early versions and of `audit`. Not part of the fingerprint. */
  readonly compatibility?: Compatibility;
  /** One exchange that shows it, in a form for the operator of the target; absent if there was no exchange. */
  readonly ticket?: Ticket;
  /** ISO 8601 date-time. */
  readonly firstSeen?: string;
  /** ISO 8601 date-time. */
  readonly lastSeen?: string;
  /** ISO 8601 date-time: the last earlier run that saw the fact as it should be. */
  readonly lastConfirmed?: string;
}

export interface Identity {
  readonly rule: string;
  readonly operationId: string | null;
  readonly pointer: string;
  /** A shape, not prose. */
  readonly expected: string;
  /** A shape, not prose. */
  readonly actual: string;
}

/** 16 hexadecimal digits over rule, operation, pointer and both shapes. Equal on every machine and in every run. */
export function fingerprint(identity: Identity): string {
  const { rule, operationId, pointer, expected, actual } = identity;
  return createHash('sha256')
    .update(JSON.stringify([rule, operationId, pointer, expected, actual]))
    .digest('hex')
    .slice(0, 16);
}
