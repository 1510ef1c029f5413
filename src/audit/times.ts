/** What counts as long, soon or at once when a caller is judged. Milliseconds unless stated otherwise. */
import type { Contract } from '../contract/contract.ts';

/** The default lifetime that a contract documents, in seconds. */
export interface DefaultLifetime {
  readonly seconds: number;
  /** A lifetime between the two counts as the default: what is left when a token arrives may be a little less. */
  readonly from: number;
  readonly to: number;
}

/** Null if the contract documents no default. */
export function defaultLifetime({ token }: Pick<Contract, 'token'>): DefaultLifetime | null {
  const seconds = token?.lifetime ?? null;
  return seconds === null ? null : { seconds, from: seconds - seconds / 60, to: seconds * 1.1 };
}

/** How long before its expiry a token is renewed, at the latest and at the earliest. */
export function marginsOf({ token }: Pick<Contract, 'token'>): { readonly shortest: number; readonly longest: number } {
  const [shortest, longest] = token?.margin ?? [30, 60];
  return { shortest: shortest * 1000, longest: longest * 1000 };
}

/** The margin is at most this part of a lifetime. */
export const MARGIN_SHARE = 0.1;
/** A request that is repeated so soon after its retry was refused is a further retry. */
export const AT_ONCE = 1_000;
/** Recorders note the end of an answer a little before or after its caller has it. */
export const RECORDER_SLACK = 50;
/** How long a program may be held up between two steps on a busy machine. */
export const STALLED = 5_000;
/** What is older has nothing to do with a request. */
export const FORGOTTEN = 60_000;
/** From here on a refused token cannot be that of a request that was waiting for a connection. */
export const QUEUED = 5_000;
/** When a missing retry counts as given up, after the refusal or the next answer of the token endpoint. */
export const GIVEN_UP = 10_000;
/** Attempts from which retries are a loop. */
export const LOOP = 50;
/** Token requests within `HAMMER_WINDOW` that are too many. */
export const HAMMER = 10;
/** Calls without a pause that are too many if the tool itself asked for the pause. */
export const HAMMER_DRIVEN = 3;
/** The same with pauses between them: several calls that back off each make some. */
export const HAMMER_PAUSED = 30;
export const HAMMER_WINDOW = 10_000;
/** Less than this is no pause between two token requests. */
export const HURRY = 200;
/** Token requests that begin within this time begin at the same moment. */
export const SAME_MOMENT = 250;

/** @param at ISO 8601 date-time, UTC */
export function clockTime(at: string): string {
  return at.slice(11, 23);
}

export function span(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes >= 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  if (ms >= 120_000) return `${minutes} min`;
  return `${Number((ms / 1000).toFixed(ms < 10_000 ? 2 : 0))} s`;
}
