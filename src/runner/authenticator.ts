import { randomBytes } from 'node:crypto';
import { createTokenProvider, type TokenProvider, withToken } from '../auth/client.ts';
import { basicCredentials } from '../auth/credentials.ts';
import type { Call } from '../drift/call.ts';
import type { Exchange, HeaderFields } from '../http/exchange.ts';
import type { Breaker } from './breaker.ts';
import type { Authenticator } from './caller.ts';
import type { Egress } from './egress.ts';
import { NotSent } from './not-sent.ts';
import type { Timeouts } from './settings.ts';
import { toTokenResponse } from './token-response.ts';

export interface AuthenticatorOptions {
  readonly baseUrl: string;
  readonly username: string;
  readonly password: string;
  /** Plain http is wanted although it leaves this machine. */
  readonly allowInsecure: boolean;
  readonly egress: Egress;
  readonly breaker: Breaker;
  readonly timeouts: Timeouts;
  readonly random: () => number;
  /** Path of the token endpoint below the base URL. */
  readonly tokenPath: string;
  /** Told of each token request with its retries, as a call of the run itself. */
  readonly onCall: (call: Call) => void;
}

export interface RunAuthenticator extends Authenticator {
  /** Gets the first token; what it costs to find out whether the target lets us in. Throws what the token client throws. */
  warm(): Promise<void>;
}

/** Knows the credentials; everything else in the run only names the way in which a call authenticates. */
export function createAuthenticator(options: AuthenticatorOptions): RunAuthenticator {
  const { egress, breaker } = options;
  const { authorization } = basicCredentials(options.username, options.password, false);
  const wrong = basicCredentials(options.username, `wrong-${randomBytes(12).toString('hex')}`, false).authorization;
  const garbage = `Bearer garbage-${randomBytes(12).toString('hex')}`;
  let attempts: Exchange[] = [];

  function flush(notSent: string | null): void {
    if (attempts.length === 0 && notSent === null) return;
    options.onCall({
      number: 0,
      checkId: null,
      operationId: 'getToken',
      purpose: 'succeed',
      auth: 'basic',
      parameters: {},
      attempts,
      notSent,
    });
    attempts = [];
  }

  async function send(init: RequestInit): Promise<Response> {
    if (breaker.open !== null) throw new NotSent('circuit', breaker.open);
    const headers: HeaderFields = [...new Headers(init.headers)];
    const signal = init.signal ?? undefined;
    breaker.begin();
    try {
      const exchange = await egress.send(
        {
          operationId: 'getToken',
          purpose: 'succeed',
          method: 'POST',
          target: options.tokenPath,
          headers,
          body: Buffer.from(String(init.body ?? '')),
        },
        signal === undefined ? breaker.signal : AbortSignal.any([signal, breaker.signal]),
      );
      attempts.push(exchange);
      if (exchange.response?.status === 200) flush(null);
      return toTokenResponse(exchange);
    } finally {
      breaker.end('getToken', 'alive', '', false);
    }
  }

  const inner = createTokenProvider({
    baseUrl: options.baseUrl,
    username: options.username,
    password: options.password,
    allowInsecure: options.allowInsecure,
    fetch: (_, init) => send(init),
    random: options.random,
    timeouts: { call: options.timeouts.firstByte, total: options.timeouts.dead },
    backoff: 0.5,
    // The breaker stops the run instead.
    coolDown: false,
  });

  const provider: TokenProvider = {
    origin: inner.origin,
    invalidate: (token) => inner.invalidate(token),
    async getToken(given) {
      try {
        return await inner.getToken(given);
      } catch (error) {
        flush(null);
        throw error;
      }
    },
  };

  return {
    fixed(auth) {
      if (auth === 'none') return null;
      if (auth === 'garbage') return garbage;
      return auth === 'basic' ? authorization : wrong;
    },
    withToken: (fetch) => withToken((input, init) => fetch(input, init), provider),
    async warm() {
      await provider.getToken();
    },
  };
}
