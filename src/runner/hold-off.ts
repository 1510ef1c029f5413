import type { Exchange } from '../http/exchange.ts';
import { isUnending } from './weather.ts';

/** Operations that are not asked for a while, because they asked for that, or no more, because they cost too much time. */
export interface HoldOff {
  /** Takes note of an answer, or of its absence. */
  note(operationId: string, exchange: Exchange): void;
  /** The operation asked to be left alone. Milliseconds. */
  asked(operationId: string, wait: number): void;
  /** Milliseconds until the operation may be asked again. */
  waitFor(operationId: string): number;
  /** Why the operation is not asked again in this run; null where it may be. */
  refusalOf(operationId: string): string | null;
}

/** Answers that did not end, after which an operation has had its chance. */
const MOST_UNENDING = 2;

/** @param clock milliseconds since the epoch */
export function createHoldOff(clock: () => number): HoldOff {
  const until = new Map<string, number>();
  const unending = new Map<string, number>();
  return {
    note(operationId, exchange) {
      if (isUnending(exchange)) unending.set(operationId, (unending.get(operationId) ?? 0) + 1);
    },
    asked(operationId, wait) {
      until.set(operationId, clock() + wait);
    },
    waitFor: (operationId) => Math.max(0, (until.get(operationId) ?? 0) - clock()),
    refusalOf(operationId) {
      const times = unending.get(operationId) ?? 0;
      return times < MOST_UNENDING
        ? null
        : `${operationId} did not end its answer in time ${times} times and is not asked again`;
    },
  };
}
