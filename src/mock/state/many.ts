import type { Asked, CompiledKind } from './kinds.ts';
import type { Draft, Value } from './records.ts';
import { RefusedChange } from './refusals.ts';
import type { Transitions } from './transitions.ts';

/** Most records that one request or one entry of a seed makes. */
export const MOST_AT_ONCE = 10_000;
/** Due changes apply this often at most while records are made, because each time reads all records. */
const MOST_STEPS = 100;

export interface Many {
  readonly kind: CompiledKind;
  readonly transitions: Transitions;
  readonly asked: Asked;
  readonly count: number;
}

/** The records, and the refusal that ended their making too early. */
export interface Made {
  readonly made: readonly Value[];
  readonly refused?: RefusedChange;
}

/**
 * Makes records of a kind, the oldest first. If the kind states a time (`over`), each is made as if at a moment of that
 * time before now, and more of them are recent. What is due at that moment applies first, so that a payment finds the
 * balance of its time. Stops at the first refused record.
 */
export function makeMany(
  draft: Draft,
  { kind, transitions, asked, count }: Many,
  make: (asked: Asked) => Value | RefusedChange,
): Made {
  const made: Value[] = [];
  const momentOf = momentsOf(draft, kind, asked, count);
  const step = Math.ceil(count / MOST_STEPS);
  for (let index = 0; index < count; index += 1) {
    const then = { ...asked, now: momentOf(index) };
    if (kind.over > 0 && index % step === 0) transitions.settle(draft, then, true);
    const record = make(then);
    if (record instanceof RefusedChange) return { made, refused: record };
    made.push(record);
  }
  if (kind.over > 0) transitions.settle(draft, asked, true);
  return { made };
}

function momentsOf(draft: Draft, kind: CompiledKind, { now, tenant }: Asked, count: number): (index: number) => number {
  if (kind.over === 0) return () => now;
  const random = kind.random(draft, tenant);
  return (index) => now - kind.over * ((count - index - random.number(1_000) / 1_000) / count) ** 1.5;
}
