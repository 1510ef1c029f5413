import {
  createTokenProvider,
  TokenError,
  type TokenFetch,
  type TokenProvider,
  type TokenProviderOptions,
} from '../../src/client/client.ts';
import { VirtualClock } from './virtual-clock.ts';

export const USERNAME = 'tenant-user-7';
export const PASSWORD = 'p@ss "wörd":/+%2B';
export const BASE = 'https://bank.example/sandbox';

/** A valid answer of the token endpoint with these members changed; undefined omits a member. */
export function tokenResponse(members: Record<string, unknown> = {}, init: ResponseInit = {}): Response {
  const body = { access_token: 'token-0', token_type: 'bearer', expires_in: 3600, jti: 'j-0', scope: '', ...members };
  return Response.json(body, init);
}

export type Handler = (call: number, init: RequestInit, url: string) => Response | Promise<Response>;

/** An in-memory token endpoint that counts and numbers its answers from 1. */
export class Endpoint {
  calls = 0;
  inFlight = 0;
  mostInFlight = 0;
  readonly times: number[] = [];
  readonly clock: VirtualClock;
  handler: Handler;

  constructor(clock: VirtualClock, handler: Handler = numbered()) {
    this.clock = clock;
    this.handler = handler;
  }

  readonly fetch: TokenFetch = async (url, init) => {
    this.calls += 1;
    this.times.push(this.clock.monotonic());
    this.inFlight += 1;
    this.mostInFlight = Math.max(this.mostInFlight, this.inFlight);
    try {
      return await this.handler(this.calls, init, url);
    } finally {
      this.inFlight -= 1;
    }
  };
}

/** Answers token-1, token-2, … */
export function numbered(members: Record<string, unknown> = {}): Handler {
  return (call) => tokenResponse({ access_token: `token-${call}`, ...members });
}

export interface Setup {
  readonly clock: VirtualClock;
  readonly endpoint: Endpoint;
  readonly provider: TokenProvider;
}

/** A provider on a virtual clock with an in-memory endpoint. */
export function setup(handler?: Handler, options: Partial<TokenProviderOptions> = {}): Setup {
  const clock = new VirtualClock();
  const endpoint = new Endpoint(clock, handler);
  const provider = createTokenProvider({
    baseUrl: BASE,
    username: USERNAME,
    password: PASSWORD,
    fetch: endpoint.fetch,
    clock,
    random: () => 0.5,
    ...options,
  });
  return { clock, endpoint, provider };
}

/** The error of a promise that must fail with a TokenError. */
export async function tokenError(promise: Promise<unknown>): Promise<TokenError> {
  const outcome = await promise.then(
    () => 'no error',
    (error: unknown) => error,
  );
  if (outcome instanceof TokenError) return outcome;
  throw new Error('not a TokenError', { cause: outcome });
}

/** Behaves like a fetch that listens to its signal and never answers. */
export function silence(init: RequestInit): Promise<Response> {
  return new Promise((_, reject) => {
    init.signal?.addEventListener('abort', () => reject(init.signal?.reason));
  });
}
