import type { ScenarioDefinition } from '../../generated/mock/scenario.ts';
import type { Mock } from '../mock/mock.ts';

/** What is done to one request on its way. Milliseconds. */
export interface Fault {
  /** Before it is handed to the mock. */
  readonly waitBefore?: number;
  /** Done when that time has passed. */
  readonly meanwhile?: () => void;
  /** Before its answer is handed back. */
  readonly waitAfter?: number;
  /** Done when that time has passed. */
  readonly afterwards?: () => void;
  /** Answered in place of the mock. */
  readonly status?: number;
}

/** One request as a situation sees it. */
export interface Passing {
  readonly kind: 'token' | 'call';
  /** From 1, among those of its kind. */
  readonly number: number;
  /**
   * When the token that was given out last expires: its `expires_in` after its first use, by when its program has it for sure, however
   * busy the machine is. Null before the first. Milliseconds since the epoch.
   */
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
  /** Of the mock, from the start. Names no operation: it is for any contract. */
  readonly scenario?: ScenarioDefinition;
  /** How long a program waits in it, about; what waits longest starts first. */
  readonly seconds?: number;
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
  'margin',
  'last-second',
  'same-token',
  'expired-forbidden',
  'revoked',
  'unauthorized-once',
  'unauthorized-always',
  'forbidden',
  'rate-limited',
  'quota',
  'token-slow',
  'token-down',
  'parallel',
] as const;
export type SituationId = (typeof SITUATION_IDS)[number];

/** Seconds of which a token response promises one less, since what has begun counts for nothing. */
const SHORT_LIFETIME_S = 3;
/** So long after its expiry the next call of a sequential program starts. */
const BEYOND_EXPIRY = 1_200;
/** So long before its expiry the next call starts where the margin is of interest. */
const BEFORE_EXPIRY = 300;
/** The same within a margin of a tenth of two seconds. */
const SHORTLY_BEFORE = 180;

/** Holds an answer back until the token that was given out last has expired, or is about to. */
function heldUntil({ expiresAt, now }: Passing, beyond: number): Fault {
  return expiresAt === null ? {} : { waitAfter: Math.max(0, expiresAt + beyond - now) };
}

/** Ends the token that is in use by now, unless its program has got another when it comes to that: then it has expired, or been left. */
function expiring({ tokens }: Mock): () => void {
  const { issued } = tokens;
  return () => {
    if (tokens.issued === issued) tokens.expireAll();
  };
}

/** The fixed plan of `audit --drive`, in its order. */
export const SITUATIONS: readonly Situation[] = [
  { id: 'normal', title: 'normal traffic', requests: 6 },
  {
    id: 'short-lifetime',
    title: 'tokens live two seconds',
    requests: 6,
    lifetime: SHORT_LIFETIME_S,
    seconds: 3.2,
    like: 'normal',
    recoverable: true,
    meet: (passing) => (passing.kind === 'call' && passing.number === 2 ? heldUntil(passing, BEYOND_EXPIRY) : {}),
  },
  {
    id: 'margin',
    title: 'a call begins shortly before the token expires',
    requests: 3,
    lifetime: 5,
    seconds: 5,
    meet(passing) {
      if (passing.kind === 'token') return {};
      if (passing.number === 1) return heldUntil(passing, -SHORTLY_BEFORE);
      // what a program sends next, it sends long after the expiry: that is no renewal in time
      return passing.number === 2 ? { waitAfter: 1_100 } : {};
    },
  },
  {
    id: 'last-second',
    title: 'a call arrives when its token has just expired',
    requests: 3,
    lifetime: SHORT_LIFETIME_S,
    seconds: 2,
    like: 'margin',
    recoverable: true,
    meet(passing, mock) {
      const { kind, number, expiresAt, now } = passing;
      if (kind === 'token' || number > 2 || expiresAt === null) return {};
      if (number === 1) return heldUntil(passing, -BEFORE_EXPIRY);
      return { waitBefore: Math.max(0, expiresAt - now), meanwhile: expiring(mock) };
    },
  },
  {
    id: 'same-token',
    title: 'the token endpoint gives out the same token until it has expired',
    requests: 6,
    lifetime: SHORT_LIFETIME_S,
    scenario: { name: 'same-token', rules: [{ operations: ['*'], issue: 'same' }] },
    seconds: 3.2,
    like: 'normal',
    recoverable: true,
    meet(passing) {
      if (passing.kind === 'token') return {};
      if (passing.number === 2) return heldUntil(passing, -SHORTLY_BEFORE);
      return passing.number === 4 ? heldUntil(passing, BEYOND_EXPIRY) : {};
    },
  },
  {
    id: 'expired-forbidden',
    title: 'an expired token is answered 403',
    requests: 3,
    lifetime: SHORT_LIFETIME_S,
    scenario: { name: 'expired-forbidden', rules: [{ expired: 403 }] },
    seconds: 3.2,
    meet(passing, mock) {
      if (passing.kind === 'token' || passing.number !== 1) return {};
      // the mock counts in whole seconds and may take a token for longer than it promised
      return { ...heldUntil(passing, BEYOND_EXPIRY), afterwards: expiring(mock) };
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
    id: 'forbidden',
    title: 'every call is answered 403',
    requests: 2,
    scenario: { name: 'forbidden', rules: [{ answer: { status: 403, at: 'token' } }] },
  },
  {
    id: 'rate-limited',
    title: 'every call is answered 429',
    requests: 2,
    scenario: { name: 'limited', rules: [{ answer: { status: 429, at: 'token', headers: { 'retry-after': '1' } } }] },
    seconds: 1,
  },
  {
    id: 'quota',
    title: 'three calls a second with one token',
    requests: 6,
    scenario: { name: 'three-a-second', rules: [{ quota: { limit: 3, window: 1 } }] },
    seconds: 1,
  },
  {
    id: 'token-slow',
    title: 'the token endpoint takes 1.5 seconds',
    requests: 3,
    seconds: 1.5,
    meet: ({ kind }) => (kind === 'token' ? { waitAfter: 1_500 } : {}),
  },
  {
    id: 'token-down',
    title: 'the token endpoint answers 503',
    requests: 3,
    seconds: 1,
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
