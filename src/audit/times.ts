/** Limits for judging a caller. Milliseconds unless stated otherwise. */
import type { Contract } from '../contract/contract.ts';

/** The default lifetime that a contract documents, in seconds. */
export interface DefaultLifetime {
  readonly seconds: number;
  /** Lifetimes in this range count as the default: a token loses a little of its life on the way. */
  readonly from: number;
  readonly to: number;
}

/** Null if the contract documents no default. */
export function defaultLifetime({ token }: Pick<Contract, 'token'>): DefaultLifetime | null {
  const seconds = token?.lifetime ?? null;
  return seconds === null ? null : { seconds, from: seconds - seconds / 60, to: seconds * 1.1 };
}

/** Time before its expiry at which a token is renewed, at the latest and at the earliest. */
export function marginsOf({ token }: Pick<Contract, 'token'>): { readonly shortest: number; readonly longest: number } {
  const [shortest, longest] = token?.margin ?? [30, 60];
  return { shortest: shortest * 1000, longest: longest * 1000 };
}

/** The margin is at most this part of a lifetime. */
export const MARGIN_SHARE = 0.1;
/** A request repeated this soon after its retry was refused is a further retry. */
export const AT_ONCE = 1_000;
/** Recorders note the end of an answer slightly before or after its caller has it. */
export const RECORDER_SLACK = 50;
/** Longest delay of a program between two steps on a busy machine. */
export const STALLED = 5_000;
/** An older exchange has no influence on a request. */
export const FORGOTTEN = 60_000;
/** After this time, a refused token cannot belong to a request that was waiting for a connection. */
export const QUEUED = 5_000;
/** Time after the refusal, or the next token response, when a missing retry counts as given up. */
export const GIVEN_UP = 10_000;
/** Number of attempts that counts as a loop. */
export const LOOP = 50;
/** Number of token requests within `HAMMER_WINDOW` that is too many. */
export const HAMMER = 10;
/** Number of calls without a pause that is too many if the answers stated the pause, or the tool demanded it. */
export const HAMMER_STATED = 3;
/** The same with pauses: several calls with back-off each add some. */
export const HAMMER_PAUSED = 30;
export const HAMMER_WINDOW = 10_000;
/** A shorter gap between two token requests is no pause. */
export const HURRY = 200;
/** Token requests that begin within this time count as simultaneous. */
export const SAME_MOMENT = 250;

export function span(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes >= 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  if (ms >= 120_000) return `${minutes} min`;
  return `${Number((ms / 1000).toFixed(ms < 10_000 ? 2 : 0))} s`;
}
