import { createTokenProvider, TokenError, type TokenProvider, withToken } from '../../src/client/client.ts';
import { silence, tokenResponse } from './support.ts';
import { settle, VirtualClock } from './virtual-clock.ts';

/** The behaviour of the token endpoint in a simulation. */
export type Mode = 'up' | 'unavailable' | 'refuses' | 'malformed' | 'silent' | 'unreachable';

interface Issued {
  readonly lifetime: number;
  readonly receivedAt: number;
  /** The API no longer accepts it. */
  revoked: boolean;
  /** The client knows this from a 401 or from the caller. */
  dead: boolean;
}

export const MARGIN = 45;
const BASE = 'https://bank.example';

/**
 * A bank, its token endpoint, and callers of one token client, in virtual time.
 * A broken promise of the client is written to `broken` at once.
 */
export class Simulation {
  readonly clock: VirtualClock = new VirtualClock();
  readonly broken: string[] = [];
  readonly calls: Promise<string>[] = [];
  mode: Mode = 'up';
  lifetime = 3600;
  /** Milliseconds until the token endpoint and the API answer. */
  tokenLatency = 50;
  apiLatency = 50;
  /** The API answers 401 to every token, as for a forbidden operation. */
  refusesAll = false;
  tokenRequests = 0;
  #inFlight = 0;
  /** Time of the client's last final failure; it must not send another request at once. */
  #coolUntil = Number.NEGATIVE_INFINITY;
  readonly #tokens = new Map<string, Issued>();
  readonly #provider: TokenProvider;
  readonly #fetch: typeof fetch;
  readonly #controllers: AbortController[] = [];
  #attempts = new Map<string, number>();

  constructor(random: () => number) {
    const { clock } = this;
    this.#provider = createTokenProvider({
      baseUrl: BASE,
      username: 'u',
      password: 'p',
      margin: MARGIN,
      clock,
      random,
      fetch: (_, init) => this.#tokenEndpoint(init),
    });
    this.#fetch = withToken((url, init) => this.#api(url, init), this.#provider);
  }

  /** One API call; `abortAfter` in milliseconds. */
  call(abortAfter?: number): void {
    const controller = new AbortController();
    const { signal } = controller;
    const id = `/call/${this.calls.length}`;
    if (abortAfter !== undefined) void this.clock.sleep(abortAfter).then(() => controller.abort());
    this.#controllers.push(controller);
    const outcome = this.#fetch(`${BASE}${id}`, { signal }).then(
      ({ status }) => `${status}`,
      (error: unknown) => {
        if (error instanceof TokenError) return error.code;
        if (signal.aborted) return 'aborted';
        this.broken.push(`a call failed with ${String(error)}`);
        return 'broken';
      },
    );
    this.calls.push(outcome);
  }

  /** The caller reports a current or old token as dead. */
  invalidate(which: number): void {
    const values = [...this.#tokens.keys()];
    const value = values.at(-1 - (which % Math.max(values.length, 1)));
    if (value === undefined) return;
    this.#kill(value);
    this.#provider.invalidate(value);
  }

  /** The API rejects all tokens issued so far. */
  revokeAll(): void {
    for (const token of this.#tokens.values()) token.revoked = true;
  }

  /** Waits until every call has ended. */
  async finish(): Promise<string[]> {
    await this.clock.advance(120_000);
    const pending = Symbol();
    return Promise.all(
      this.calls.map(async (call, index) => {
        const outcome = await Promise.race([call, settle().then(() => pending)]);
        if (typeof outcome === 'string') return outcome;
        this.broken.push(`call ${index} never ended`);
        return 'pending';
      }),
    );
  }

  async #tokenEndpoint(init: RequestInit): Promise<Response> {
    const { clock, mode, lifetime } = this;
    this.#expectNeeded();
    this.tokenRequests += 1;
    const value = `token-${this.tokenRequests}`;
    this.#inFlight += 1;
    if (this.#inFlight > 1) this.broken.push('two token requests at once');
    try {
      if (mode === 'silent') return await silence(init);
      await clock.sleep(this.tokenLatency);
      if (mode === 'unreachable') throw new TypeError('fetch failed');
      if (mode === 'unavailable') return new Response('', { status: 503 });
      if (mode === 'refuses') {
        this.#coolUntil = clock.monotonic() + 30_000;
        return Response.json({ error: 'invalid_client' }, { status: 401 });
      }
      if (mode === 'malformed') {
        this.#coolUntil = clock.monotonic() + 1_000;
        return tokenResponse({ access_token: '' });
      }
      this.#tokens.set(value, { lifetime, receivedAt: clock.monotonic(), revoked: false, dead: false });
      return tokenResponse({ access_token: value, expires_in: lifetime });
    } finally {
      this.#inFlight -= 1;
    }
  }

  /** A token request is needed if no token is alive, or the newest is within its margin. */
  #expectNeeded(): void {
    if (this.clock.monotonic() < this.#coolUntil) this.broken.push('a token request within the cool-down');
    const newest = [...this.#tokens.values()].at(-1);
    if (newest === undefined || newest.dead) return;
    const left = newest.lifetime - this.#age(newest);
    const margin = Math.min(MARGIN, newest.lifetime / 5);
    if (left > margin + 0.001) this.broken.push(`a token request with ${left} s of ${newest.lifetime} left`);
  }

  async #api(url: string, init: RequestInit): Promise<Response> {
    const attempts = (this.#attempts.get(url) ?? 0) + 1;
    this.#attempts.set(url, attempts);
    if (attempts > 2) this.broken.push(`attempt ${attempts} of ${url}`);
    const value = new Headers(init.headers).get('authorization')?.replace('Bearer ', '') ?? '';
    const token = this.#tokens.get(value);
    if (token === undefined) this.broken.push(`a token that was never issued: ${value}`);
    else {
      if (token.dead) this.broken.push(`${value} was sent though it is known to be dead`);
      if (this.#age(token) >= token.lifetime) this.broken.push(`${value} was sent after its expiry`);
    }
    await Promise.race([this.clock.sleep(this.apiLatency), silence(init)]);
    if (!this.refusesAll && token !== undefined && !token.revoked && this.#age(token) < token.lifetime)
      return new Response('ok');
    // From now on the client knows; a second 401 may have another cause than the token.
    if (attempts === 1) this.#kill(value);
    return new Response('', { status: 401 });
  }

  #kill(value: string): void {
    const token = this.#tokens.get(value);
    if (token !== undefined) token.dead = true;
  }

  #age(token: Issued): number {
    return (this.clock.monotonic() - token.receivedAt) / 1000;
  }
}
