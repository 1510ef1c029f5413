import type { ScenarioRule } from '../../generated/mock/scenario.ts';
import type { Situation } from './situations.ts';

export interface Loss {
  readonly id: string;
  readonly title: string;
  /** The effect on the request, for any operation. */
  readonly effects: ScenarioRule;
  /** Seconds that it may delay a program. */
  readonly seconds?: number;
  /** True if the answer does not show whether the act was done. */
  readonly isOpen: boolean;
}

/** Longer than most clients wait. Milliseconds. */
const SILENCE = 10_000;

export const LOSSES: readonly Loss[] = [
  {
    id: 'reset-after',
    title: 'the connection is reset after the act',
    effects: { fault: { kind: 'reset' } },
    isOpen: true,
  },
  {
    id: 'late-act',
    title: 'the connection is reset, and the act happens one second later',
    effects: { fault: { kind: 'reset-late' } },
    seconds: 1,
    isOpen: true,
  },
  { id: 'cut', title: 'the answer is cut after the act', effects: { fault: { kind: 'cut' } }, isOpen: true },
  {
    id: 'silence',
    title: 'the answer comes ten seconds after the act',
    effects: { delay: SILENCE },
    seconds: SILENCE / 1000,
    isOpen: true,
  },
  {
    id: 'bad-gateway-after',
    title: 'the answer is 502 after the act',
    effects: { answer: { status: 502, at: 'answer' } },
    isOpen: true,
  },
  {
    id: 'unavailable-before',
    title: 'the answer is 503 and nothing is done',
    effects: { answer: { status: 503, at: 'token' } },
    isOpen: false,
  },
  {
    id: 'unauthorized',
    title: 'the token is revoked before the write',
    effects: { token: { refuse: 'revoked', which: 'first' } },
    isOpen: false,
  },
  {
    id: 'reset-upload',
    title: 'the connection is reset in the middle of the request body, before the act',
    effects: { fault: { kind: 'reset-upload' } },
    isOpen: true,
  },
];

/** What differs between these runs is volatile. */
export const UNDISTURBED: readonly Situation[] = [1, 2, 3].map((number) => {
  return { id: 'normal', title: `normal traffic, run ${number}`, requests: 1, keepsState: true };
});

/** The situation in which one write of the normal run meets a loss. @param after earlier writes of its operation */
export function situationOf(loss: Loss, operationId: string, after: number): Situation {
  const number = after === 0 ? '' : ` (number ${after + 1})`;
  return {
    id: `${operationId}-${after + 1}-${loss.id}`,
    title: `${operationId}${number}: ${loss.title}`,
    requests: 1,
    rules: [{ operations: [operationId], after, times: 1, ...loss.effects }],
    ...(loss.seconds !== undefined && { seconds: loss.seconds }),
    keepsState: true,
  };
}
