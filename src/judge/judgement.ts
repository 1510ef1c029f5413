import type { Reason } from '../model/reason.ts';

export interface Inconclusive {
  readonly kind: 'inconclusive';
  readonly why: Reason;
}

export function inconclusive(why: Reason): Inconclusive {
  return { kind: 'inconclusive', why };
}

export type Judgement =
  | { readonly kind: 'good'; readonly note: string }
  /** `shape` is `actual` without the measurements of one run. */
  | { readonly kind: 'failing'; readonly actual: string; readonly shape: string }
  | { readonly kind: 'withdrawn'; readonly actual: string }
  | { readonly kind: 'status-changed'; readonly recorded: string; readonly actual: string; readonly source: string }
  /** The target has not known the ids for several nights. */
  | { readonly kind: 'ids-gone'; readonly why: Extract<Reason, { readonly kind: 'ids-gone' }> }
  /** No night of the last three could judge it. */
  | { readonly kind: 'unsettled'; readonly why: Extract<Reason, { readonly kind: 'unsettled' }> }
  | Inconclusive;

export type Rejection =
  | { readonly kind: 'refused' }
  | { readonly kind: 'accepted'; readonly actual: string }
  | { readonly kind: 'otherwise'; readonly actual: string }
  | Inconclusive;
