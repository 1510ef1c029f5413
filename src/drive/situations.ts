import type { ScenarioRule } from '../../generated/mock/scenario.ts';
import type { Mock, MockOptions } from '../mock/mock.ts';
import type { Evolver } from './evolver.ts';

export interface Situation {
  readonly id: string;
  readonly title: string;
  /** Number of requests that the program should make. */
  readonly requests: number;
  /** Lifetime of the tokens in seconds; 3600 by default. */
  readonly lifetime?: number;
  /** Behaviour of the mock. The rules name no operation, so they fit any contract. */
  readonly rules?: readonly ScenarioRule[];
  prepare?(mock: Mock): void;
  /** Whether the mock keeps state. If not, the program may request unknown ids. */
  readonly keepsState?: boolean;
  /** Changes what the program and the mock send to each other. */
  readonly evolver?: Evolver;
  /** A program that sends more is in a loop; 200 by default. */
  readonly mostExchanges?: number;
  /** Approximate duration; the longest situation starts first. */
  readonly seconds?: number;
}

/** Seconds. A token response states one second less, because a started second does not count. */
const SHORT_LIFETIME = 3;
const TOKEN = ['{token}'];

export const SITUATIONS: readonly Situation[] = [
  { id: 'normal', title: 'normal traffic', requests: 6 },
  {
    id: 'short-lifetime',
    title: 'tokens live two seconds',
    requests: 6,
    lifetime: SHORT_LIFETIME,
    rules: [{ after: 1, times: 1, delay: 3_200 }],
    seconds: 3.2,
  },
  {
    id: 'clock-ahead',
    title: 'tokens live two seconds, and the clock of the mock is ten minutes ahead',
    requests: 6,
    lifetime: SHORT_LIFETIME,
    rules: [{ after: 1, times: 1, delay: 3_200 }],
    prepare: (mock) => mock.clock.advance(600),
    seconds: 3.2,
  },
  {
    id: 'margin',
    title: 'a call begins shortly before the token expires',
    requests: 3,
    lifetime: 5,
    rules: [
      // 180 ms before the end of the stated four seconds
      { times: 1, delay: 3_820 },
      // a request after the expiry is not a renewal in time
      { after: 1, times: 1, delay: 1_100 },
    ],
    seconds: 5,
  },
  {
    id: 'last-second',
    title: 'a call arrives when its token has just expired',
    requests: 3,
    lifetime: SHORT_LIFETIME,
    rules: [
      { times: 1, delay: 1_700 },
      { after: 1, token: { refuse: 'expired', which: 'first' } },
    ],
    seconds: 2,
  },
  {
    id: 'same-token',
    title: 'the token endpoint returns the same token until it expires',
    requests: 6,
    lifetime: SHORT_LIFETIME,
    rules: [
      { operations: TOKEN, issue: 'same' },
      { after: 1, times: 1, delay: 1_820 },
      { after: 3, times: 1, delay: 2_500 },
    ],
    seconds: 4.3,
  },
  {
    id: 'expired-forbidden',
    title: 'an expired token gets 403',
    requests: 3,
    lifetime: SHORT_LIFETIME,
    rules: [{ expired: 403 }, { times: 1, delay: 3_200 }],
    seconds: 3.2,
  },
  {
    id: 'revoked',
    title: 'the token is revoked midway',
    requests: 6,
    rules: [{ after: 3, token: { refuse: 'revoked', which: 'first' } }],
  },
  {
    id: 'unauthorized-once',
    title: 'one call gets 401',
    requests: 1,
    prepare: (mock) => mock.refuseNext(1),
  },
  {
    id: 'unauthorized-always',
    title: 'every call gets 401',
    requests: 1,
    // enough for eight parallel loops
    mostExchanges: 1_000,
    prepare: (mock) => mock.refuseNext(Number.MAX_SAFE_INTEGER),
  },
  {
    id: 'forbidden',
    title: 'every call gets 403',
    requests: 2,
    rules: [{ answer: { status: 403, at: 'token' } }],
  },
  {
    id: 'rate-limited',
    title: 'every call gets 429',
    requests: 2,
    rules: [{ answer: { status: 429, at: 'token', headers: { 'retry-after': '1' } } }],
    seconds: 1,
  },
  {
    id: 'quota',
    title: 'three calls a second with one token',
    requests: 6,
    rules: [{ quota: { limit: 3, window: 1 } }],
    seconds: 1,
  },
  {
    id: 'token-slow',
    title: 'the token endpoint takes 1.5 seconds',
    requests: 3,
    rules: [{ operations: TOKEN, delay: 1_500 }],
    seconds: 1.5,
  },
  {
    id: 'token-down',
    title: 'the token endpoint answers 503',
    requests: 3,
    rules: [{ operations: TOKEN, answer: { status: 503, body: 'unavailable' } }],
    seconds: 1,
  },
  {
    id: 'parallel',
    title: 'parallel calls whose token is revoked, with one 401 after the other',
    requests: 8,
    rules: [
      { operations: TOKEN, delay: 300 },
      { token: { refuse: 'revoked', which: 'first' } },
      ...[1, 2, 3, 4, 5, 6, 7].map((number) => ({ after: number, times: 1, delay: 60 * number })),
    ],
  },
];

export function mockOptionsOf({ lifetime, rules }: Situation): Pick<MockOptions, 'tokenLifetime' | 'scenarios'> {
  return {
    ...(lifetime !== undefined && { tokenLifetime: lifetime }),
    ...(rules && { scenarios: [{ name: 'situation', rules }] }),
  };
}
