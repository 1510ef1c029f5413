/** What counts as long, soon or at once when a caller is judged. Milliseconds unless said otherwise. */
import type { Contract } from '../contract/contract.ts';

/** The default lifetime that a contract documents, in seconds. */
export interface DefaultLifetime {
  readonly seconds: number;
  /** A lifetime between the two is taken for the default one: what is left when a token arrives may be a little less. */
  readonly from: number;
  readonly to: number;
}

/** Null where the contract documents no default: then nobody can assume it. */
export function defaultLifetime({ token }: Pick<Contract, 'token'>): DefaultLifetime | null {
  const seconds = token?.lifetime ?? null;
  return seconds === null ? null : { seconds, from: seconds - seconds / 60, to: seconds * 1.1 };
}

/** How long before its expiry a token is renewed, at the latest and at the earliest, as the contract suggests it. */
export function marginsOf({ token }: Pick<Contract, 'token'>): { readonly shortest: number; readonly longest: number } {
  const [shortest, longest] = token?.margin ?? [30, 60];
  return { shortest: shortest * 1000, longest: longest * 1000 };
}

/** Of a short life a margin takes this part at most. */
export const MARGIN_SHARE = 0.1;
/** A request that is repeated so soon after its retry was refused is a further retry, whoever in the program repeats it. */
export const AT_ONCE = 1_000;
/** Recorders note the end of an answer a little before or after its caller has it. */
export const RECORDER_SLACK = 50;
/** So long a program may be held up between two of its steps, on a machine that is far too busy. */
export const STALLED = 5_000;
/** What lies further back has nothing to do with a request. */
export const FORGOTTEN = 60_000;
/** A retry comes within this time of the new token being there. */
export const RETRY_WINDOW = 5_000;
/** From here on a token that was refused cannot be that of a request that had been waiting for a connection. */
export const QUEUED = 5_000;
/** A request is looked for a retry for so long, the slowest token endpoint included; before that nobody can say that it was given up. */
export const GIVEN_UP: number = 2 * RETRY_WINDOW;
/** Attempts of one request from which a bounded retry is a loop, where it is known how often the request is meant to be sent. */
export const LOOP = 5;
/** The same where that is not known: several calls with a few sendings each look like one call that is sent for ever. */
export const LOOP_UNTOLD = 50;
/** Token requests within `HAMMER_WINDOW` from which the token endpoint is hammered. */
export const HAMMER = 10;
/** The same of failed ones that mostly had a pause before them: several calls that back off each make some. */
export const HAMMER_PAUSED = 30;
export const HAMMER_WINDOW = 10_000;
/** Between two token requests this is no pause. */
export const HURRY = 200;
/** Token requests that begin within this time begin at the same moment. */
export const SAME_MOMENT = 250;

/** `10:00:01.250`, UTC. */
export function clockTime(at: number): string {
  return new Date(at).toISOString().slice(11, 23);
}

/** `1.25 s`, `12 s`, `1 h 2 min`. */
export function span(ms: number): string {
  if (ms >= 3_600_000) return `${Math.floor(ms / 3_600_000)} h ${Math.round((ms % 3_600_000) / 60_000)} min`;
  if (ms >= 120_000) return `${Math.round(ms / 60_000)} min`;
  return `${Number((ms / 1000).toFixed(ms < 10_000 ? 2 : 0))} s`;
}
