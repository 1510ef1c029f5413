import type { Mock } from '../../mock/mock.ts';

/** What is done to one request on its way. Milliseconds. */
export interface Fault {
  /** Before it is handed to the mock. */
  readonly waitBefore?: number;
  /** Before its answer is handed back. */
  readonly waitAfter?: number;
  /** Answered in place of the mock. */
  readonly status?: number;
}

/** One request as a situation sees it. */
export interface Passing {
  readonly kind: 'token' | 'call';
  /** From 1, among those of its kind. */
  readonly number: number;
  /** When the token that was given out last expires, by its expires_in; null before the first. Milliseconds since the epoch. */
  readonly expiresAt: number | null;
  readonly now: number;
}

export interface Situation {
  readonly id: SituationId;
  /** For a person. */
  readonly title: string;
  /** How many requests the program is asked to make (`BANKING_API_REQUESTS`). */
  readonly requests: number;
  /** Lifetime of the tokens in seconds; 3600 where absent. */
  readonly lifetime?: number;
  /** Before the program starts. */
  prepare?(mock: Mock): void;
  /** Before each request is handed on. */
  meet?(passing: Passing, mock: Mock): Fault;
  /** The situation whose program run shows how often each request is meant to be sent. */
  readonly like?: SituationId;
  /** True where every call can succeed. */
  readonly recoverable?: boolean;
}

export const SITUATION_IDS = [
  'normal',
  'short-lifetime',
  'revoked',
  'unauthorized-once',
  'unauthorized-always',
  'token-slow',
  'token-down',
  'parallel',
] as const;
export type SituationId = (typeof SITUATION_IDS)[number];

const SHORT_LIFETIME_S = 2;
/** So long after its expiry the next call of a sequential program starts. */
const BEYOND_EXPIRY = 700;

/** The fixed plan of `audit --drive`, in its order. */
export const SITUATIONS: readonly Situation[] = [
  { id: 'normal', title: 'normal traffic', requests: 6 },
  {
    id: 'short-lifetime',
    title: `tokens live ${SHORT_LIFETIME_S} seconds`,
    requests: 6,
    lifetime: SHORT_LIFETIME_S,
    like: 'normal',
    recoverable: true,
    meet({ kind, number, expiresAt, now }) {
      // the mock counts in whole seconds: a token that is asked for as one begins lives as long as it says
      if (kind === 'token') return { waitBefore: 1000 - (now % 1000) };
      const wait = number % 2 === 0 && expiresAt !== null ? expiresAt + BEYOND_EXPIRY - now : 0;
      return { waitAfter: Math.max(0, wait) };
    },
  },
  {
    id: 'revoked',
    title: 'the token is revoked midway',
    requests: 6,
    like: 'normal',
    recoverable: true,
    meet({ kind, number }, mock) {
      if (kind === 'call' && number === 4) mock.tokens.revokeAll();
      return {};
    },
  },
  {
    id: 'unauthorized-once',
    title: 'one call is answered 401',
    requests: 1,
    prepare: (mock) => mock.refuseNext(1),
  },
  {
    id: 'unauthorized-always',
    title: 'every call is answered 401',
    requests: 1,
    like: 'unauthorized-once',
    recoverable: false,
    prepare: (mock) => mock.refuseNext(Number.MAX_SAFE_INTEGER),
  },
  {
    id: 'token-slow',
    title: 'the token endpoint takes 1.5 seconds',
    requests: 3,
    meet: ({ kind }) => (kind === 'token' ? { waitAfter: 1_500 } : {}),
  },
  {
    id: 'token-down',
    title: 'the token endpoint answers 503',
    requests: 3,
    meet: ({ kind }) => (kind === 'token' ? { status: 503 } : {}),
  },
  {
    id: 'parallel',
    title: 'parallel calls, whose token is revoked under way and whose 401s come one by one',
    requests: 8,
    meet({ kind, number }, mock) {
      if (kind === 'token') return { waitAfter: 300 };
      if (number === 1) mock.tokens.revokeAll();
      return { waitAfter: 60 + 60 * (number % 8) };
    },
  },
];
