import { createHmac, createSecretKey, type KeyObject, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import type { MockTokens } from '../mock.ts';

/** Who issues the tokens: a name that cannot be a host's (RFC 6761). */
export const ISSUER = 'https://banking-api-contract.invalid/mock';

/** A token that was issued, as the token endpoint shows it. */
export interface IssuedToken {
  readonly value: string;
  readonly jti: string;
  /** Milliseconds since the epoch. */
  readonly issuedAt: number;
  /** Whole seconds that are left of its life, rounded down, at least 1. It is accepted for so long, whatever its claims say. */
  readonly expiresIn: number;
}

/** Claims of a token of this mock (RFC 7519). Times in seconds since the epoch. */
export interface Claims {
  readonly iss: string;
  readonly sub: string;
  readonly client_id: string;
  readonly iat: number;
  readonly exp: number;
  readonly jti: string;
}

/** A token that was issued, without its value. */
export interface ShownToken {
  readonly jti: string;
  readonly client: string;
  readonly issuedAt: string;
  readonly expiresAt: string;
  readonly state: 'valid' | 'expired' | 'revoked';
}

/** What a bearer token turned out to be. */
export type TokenState = 'valid' | 'expired' | 'revoked' | 'unknown';

export interface TokenAuthorityOptions {
  /** Seconds. */
  readonly lifetime: number;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Signs the tokens; a random one by default. */
  readonly key?: Uint8Array;
}

/** How many tokens that were seen as valid are remembered, so that their signature is not computed again. */
const REMEMBERED = 1_000;

/**
 * Issues signed tokens and tells its own from all others. The key lives as long as the process, so a token of another
 * start is as foreign as a forged one. A token is judged by its signature, not by a list of all that were issued:
 * a mock that serves for days does not grow.
 *
 * Signed with HMAC-SHA256 (`HS256`, RFC 7518) by node:crypto, since WebCrypto, on which jose rests, costs a thread hop per token.
 */
export class TokenAuthority implements MockTokens {
  // a key object: made of bytes, the key would be prepared anew for each signature, which costs more than the signature
  readonly #key: KeyObject;
  readonly #lifetime: number;
  readonly #clock: () => number;
  readonly #seen = new Map<string, Claims>();
  /** What became of each generation but the last: its tokens were revoked or expired, all at once. */
  readonly #ended: ('expired' | 'revoked')[] = [];
  /** The newest that were issued, by their jti; without their values. */
  readonly #known = new Map<
    string,
    { readonly client: string; readonly generation: number; readonly exp: number; readonly issuedAt: number }
  >();
  /** What became of single ones. */
  readonly #endedAlone = new Map<string, 'expired' | 'revoked'>();
  /** Until when those are accepted whose answers promised more than their claims, by jti. Milliseconds since the epoch. */
  readonly #promised = new Map<string, number>();
  #header = encode({ alg: 'HS256', typ: 'JWT', kid: '0' });
  #issued = 0;
  requests = 0;

  constructor(options: TokenAuthorityOptions) {
    this.#key = createSecretKey(options.key ?? randomBytes(32));
    this.#lifetime = options.lifetime;
    this.#clock = options.clock;
  }

  get issued(): number {
    return this.#issued;
  }

  issue(client: string): IssuedToken {
    const now = this.#clock();
    const iat = Math.floor(now / 1000);
    const exp = iat + this.#lifetime;
    const jti = randomUUID();
    // by hand, since this is all that a token request costs: the names are ours, numbers and a UUID need no escape
    const text = `${claimsHead(client)},"iat":${iat},"exp":${exp},"jti":"${jti}"}`;
    const signed = `${this.#header}.${Buffer.from(text).toString('base64url')}`;
    this.#issued += 1;
    this.#known.set(jti, { client, generation: this.#ended.length, exp, issuedAt: now });
    if (this.#known.size > REMEMBERED) forgetOldest(this.#known);
    return { value: `${signed}.${this.#sign(signed)}`, jti, issuedAt: now, expiresIn: this.left(exp) };
  }

  /** What an answer may promise of a token that expires then (seconds since the epoch). */
  left(exp: number): number {
    return Math.max(1, Math.floor(exp - this.#clock() / 1000));
  }

  /** When a token expires by its claims; undefined for one that is not accepted. Seconds since the epoch. */
  aliveUntil(token: string): number | undefined {
    return this.state(token) === 'valid' ? this.claims(token)?.exp : undefined;
  }

  /** Whether a text is a token of this authority, whatever became of it. */
  issuedHere(token: string): boolean {
    return this.claims(token) !== undefined;
  }

  /** Its answer goes out now: from here on the token is accepted for as many seconds as were promised. */
  promise(token: string, expiresIn: number): void {
    const { jti, exp } = decode<Claims>(token.slice(token.indexOf('.') + 1, token.lastIndexOf('.')));
    const until = this.#clock() + expiresIn * 1000;
    if (until <= Math.max(exp * 1000, this.#promised.get(jti) ?? 0)) return;
    this.#promised.set(jti, until);
    if (this.#promised.size > 10 * REMEMBERED) forgetOldest(this.#promised);
  }

  state(token: string): TokenState {
    const claims = this.claims(token);
    if (!claims) return 'unknown';
    const generation = this.#generationOf(token);
    const ended = generation === this.#ended.length ? undefined : this.#ended[generation];
    if (ended) return ended;
    const alone = this.#endedAlone.size > 0 && this.#endedAlone.get(claims.jti);
    if (alone) return alone;
    const now = this.#clock() / 1000;
    if (now >= this.#endOf(claims.jti, claims.exp)) return 'expired';
    return now < claims.iat ? 'unknown' : 'valid';
  }

  /** The claims of a token that this authority signed; undefined for every other text. */
  claims(token: string): Claims | undefined {
    const seen = this.#seen.get(token);
    if (seen) return seen;
    const claims = this.#verify(token);
    if (claims) this.#remember(token, claims);
    return claims;
  }

  revokeAll(): void {
    this.#end('revoked');
  }

  expireAll(): void {
    this.#end('expired');
  }

  /** The newest tokens that were issued, the last one first. A token itself is never shown. */
  list(): readonly ShownToken[] {
    const now = this.#clock() / 1000;
    return [...this.#known].reverse().map(([jti, { client, generation, exp, issuedAt }]) => ({
      jti,
      client,
      issuedAt: new Date(issuedAt).toISOString(),
      expiresAt: new Date(exp * 1000).toISOString(),
      state:
        this.#ended[generation] ?? this.#endedAlone.get(jti) ?? (now >= this.#endOf(jti, exp) ? 'expired' : 'valid'),
    }));
  }

  /** Ends one token; false where none of the jti is known. */
  end(jti: string, how: 'expired' | 'revoked'): boolean {
    if (!this.#known.has(jti)) return false;
    this.#endedAlone.set(jti, how);
    if (this.#endedAlone.size > 10 * REMEMBERED) forgetOldest(this.#endedAlone);
    return true;
  }

  /** When a token ceases to be accepted. Seconds since the epoch. */
  #endOf(jti: string, exp: number): number {
    const promised = this.#promised.size > 0 ? this.#promised.get(jti) : undefined;
    return promised === undefined ? exp : Math.max(exp, promised / 1000);
  }

  #end(how: 'expired' | 'revoked'): void {
    this.#ended.push(how);
    this.#header = encode({ alg: 'HS256', typ: 'JWT', kid: String(this.#ended.length) });
    this.#seen.clear();
  }

  #remember(token: string, claims: Claims): void {
    if (this.#seen.size >= REMEMBERED) forgetOldest(this.#seen);
    this.#seen.set(token, claims);
  }

  #verify(token: string): Claims | undefined {
    const cut = token.lastIndexOf('.');
    const signed = token.slice(0, cut);
    const given = Buffer.from(token.slice(cut + 1));
    const expected = Buffer.from(this.#sign(signed));
    // the comparison is of text, not of decoded bytes: another spelling of the same signature is another token
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
    return decode<Claims>(signed.slice(signed.indexOf('.') + 1));
  }

  /** The number of the generation, which its header names; the signature was checked before. */
  #generationOf(token: string): number {
    if (token.startsWith(`${this.#header}.`)) return this.#ended.length;
    return Number(decode<{ kid: string }>(token.slice(0, token.indexOf('.'))).kid);
  }

  #sign(text: string): string {
    return createHmac('sha256', this.#key).update(text).digest('base64url');
  }
}

function forgetOldest(map: Map<string, unknown>): void {
  for (const oldest of map.keys()) {
    map.delete(oldest);
    return;
  }
}

/** The claims that do not change, without the closing brace. */
function claimsHead(client: string): string {
  return JSON.stringify({ iss: ISSUER, sub: client, client_id: client } satisfies Partial<Claims>).slice(0, -1);
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function decode<T>(part: string): T {
  return JSON.parse(Buffer.from(part, 'base64url').toString()) as T;
}
