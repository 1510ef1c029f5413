import type { PlannedOperation } from '../compile/plan.ts';
import type { Answer, FlatHeaders } from '../http/answer.ts';
import { fillPath } from '../http/call.ts';
import { problem } from '../http/problem.ts';

/**
 * Since when the old fee forms are deprecated. The reference names the release (28.0.0) and no date, so this one is assumed;
 * it is written as RFC 9745 wants it.
 */
export const ASSUMED_DEPRECATION: Date = new Date('2024-01-01T00:00:00Z');

export interface DeprecationOptions {
  readonly sunset: Date | undefined;
  /** The status of a withdrawn operation, or false as long as it is served. */
  readonly withdrawn: 404 | 410 | false;
  /** operationIds of the forms that still live, or null for all: the others are withdrawn, by 410 unless `withdrawn` says otherwise. */
  readonly live?: () => readonly string[] | null;
}

export interface Deprecation {
  /** `Deprecation`, `Link` and `Sunset` for any answer of a deprecated operation, also an error (RFC 9745, 8288, 8594). */
  headers(operation: PlannedOperation, parameters: Readonly<Record<string, string>>): FlatHeaders;
  /** The refusal of an operation that was withdrawn; undefined as long as it is served. */
  withdrawn(operation: PlannedOperation): Answer | undefined;
}

/** What the mock adds to deprecated operations (API reference, Versioning 3). */
export function createDeprecation(options: DeprecationOptions): Deprecation {
  const fixed = ['deprecation', `@${Math.floor(ASSUMED_DEPRECATION.getTime() / 1000)}`];
  if (options.sunset) fixed.push('sunset', options.sunset.toUTCString());
  return {
    headers(operation, parameters) {
      if (!operation.deprecated) return NONE;
      if (!operation.successor) return fixed;
      const path = fillPath(operation.successor.path, parameters);
      return [...fixed, 'link', `<${path}>; rel="successor-version"`];
    },
    withdrawn(operation) {
      if (!operation.deprecated) return undefined;
      const lives = options.live?.()?.includes(operation.operationId) ?? true;
      if (options.withdrawn === false && lives) return undefined;
      return problem(
        options.withdrawn || 410,
        'operation-withdrawn',
        `${operation.operationId} was withdrawn; ${advice(operation)}`,
      );
    },
  };
}

const NONE: FlatHeaders = [];

/** What to call instead; a `Link` cannot say that the method changed too. */
function advice(operation: PlannedOperation): string {
  const { successor } = operation;
  if (!successor) return 'it has no successor';
  const change =
    successor.method === operation.method
      ? ''
      : ` (the method changed from ${operation.method} to ${successor.method})`;
  return `call ${successor.method} ${successor.path}${change}`;
}

/** A hint for a request whose method belongs to the other form of an operation whose method changed; undefined for all others. */
export function methodChangeHint(
  method: string,
  there: readonly PlannedOperation[],
  all: readonly PlannedOperation[],
): string | undefined {
  for (const operation of there) {
    if (operation.successor && operation.successor.method === method && operation.method !== method) {
      return `${operation.operationId} is the deprecated form and is called by ${operation.method}; ${advice(operation)}`;
    }
    const old = all.find(
      (other) => other.successor?.path === operation.path && other.successor.method === operation.method,
    );
    if (old && old.method === method && operation.method !== method) {
      return `${operation.operationId} is called by ${operation.method}; ${old.method} was the method of its deprecated form ${old.path}`;
    }
  }
  return undefined;
}
