import { createHmac, createSecretKey, type KeyObject, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import type { Token } from '../../../generated/mock/control.ts';
import { ToolError } from '../../errors.ts';
import type { IssuedToken } from '../message/answer.ts';
import type { MockTokens } from '../mock.ts';

/** Who issues the tokens: a name that cannot be a host's (RFC 6761). */
const ISSUER = 'https://banking-api-contract.invalid/mock';

/** Claims of a token of this mock (RFC 7519). Times in seconds since the epoch. */
export interface Claims {
  readonly iss: string;
  readonly sub: string;
  readonly client_id: string;
  readonly iat: number;
  readonly exp: number;
  readonly jti: string;
}

export type TokenEnd = 'expired' | 'revoked';

export type TokenState = 'valid' | TokenEnd | 'unknown';

export interface TokenAuthorityOptions {
  /** Seconds. */
  readonly lifetime: number;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Signs the tokens; a random one by default. */
  readonly key?: Uint8Array | undefined;
}

interface Verified {
  readonly claims: Claims;
  readonly generation: number;
}

/** What is known of a token beside what it says itself; its value is not kept. */
interface TokenRecord {
  readonly client: string;
  readonly generation: number;
  /** Milliseconds since the epoch. */
  readonly issuedAt: number;
  /** Seconds since the epoch. */
  readonly exp: number;
}

/** How many tokens are listed, and how many that were seen as valid are remembered, so that their signature is not computed again. */
const REMEMBERED = 1_000;
/** How many tokens have an end of their own. */
const RECORDED = 10_000;

/**
 * Issues signed tokens and tells its own from all others. Unless a key is given it lives as long as the process, so that a token
 * of another start is as foreign as a forged one. A token is judged by its signature, not by a list of all that were issued:
 * a mock that serves for days does not grow.
 *
 * Signed with HMAC-SHA256 (`HS256`, RFC 7518) by node:crypto, since WebCrypto, on which jose rests, costs a thread hop per token.
 */
export class TokenAuthority implements MockTokens {
  // a key object: made of bytes, the key would be prepared anew for each signature, which costs more than the signature
  readonly #key: KeyObject;
  readonly #lifetime: number;
  readonly #verified = new Map<string, Verified>();
  readonly #records = new Map<string, TokenRecord>();
  /** Until when a token is accepted (milliseconds since the epoch) whose answer promised more than its `exp`, by `jti`. */
  readonly #promised = new Map<string, number>();
  /** What became of each generation but the last: its tokens were revoked or expired, all at once. */
  readonly #generations: TokenEnd[] = [];
  /** Tokens that were ended by themselves, by `jti`. */
  readonly #ended = new Map<string, TokenEnd>();
  #header = headerOf(0);
  #lastHead: { readonly client: string; readonly text: string } | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  issued = 0;
  requests = 0;
  #toRefuse = 0;

  /** @throws ToolError `usage` for a lifetime that is no positive whole number. */
  constructor({ lifetime, clock, key = randomBytes(32) }: TokenAuthorityOptions) {
    if (!Number.isSafeInteger(lifetime) || lifetime <= 0) {
      throw new ToolError('usage', `The token lifetime is a whole number of seconds above 0, not ${lifetime}.`);
    }
    this.#key = createSecretKey(key);
    this.#lifetime = lifetime;
    this.now = clock;
  }

  readonly refuseNext = (count: number): void => {
    this.#toRefuse = Math.max(0, Math.trunc(count));
  };

  refusesNow(): boolean {
    if (this.#toRefuse === 0) return false;
    this.#toRefuse -= 1;
    return true;
  }

  /** `expiresIn` is what is left of its life in whole seconds, rounded down, at least 1. */
  issue(client: string): Required<IssuedToken> {
    const issuedAt = this.now();
    const iat = Math.floor(issuedAt / 1000);
    const exp = iat + this.#lifetime;
    const jti = randomUUID();
    // by hand, since this is all that a token request costs: the names are ours, numbers and a UUID need no escape
    const text = `${this.#claimsHeadOf(client)},"iat":${iat},"exp":${exp},"jti":"${jti}"}`;
    const signed = `${this.#header}.${Buffer.from(text).toString('base64url')}`;
    this.issued += 1;
    const generation = this.#generations.length;
    remember(this.#records, REMEMBERED, jti, { client, generation, issuedAt, exp });
    return { value: `${signed}.${this.#sign(signed)}`, expiresIn: this.left(exp), claims: { jti, iat, exp } };
  }

  /** What an answer may promise of a token that expires then (seconds since the epoch). */
  left(exp: number): number {
    return Math.max(1, Math.floor(exp - this.now() / 1000));
  }

  /** When a token expires by its claims; undefined for one that is not accepted. Seconds since the epoch. */
  aliveUntil(token: string): number | undefined {
    return this.state(token) === 'valid' ? this.claims(token)?.exp : undefined;
  }

  /** Its answer goes out now: from here on the token is accepted for as many seconds as were promised. */
  promise(jti: string, expiresIn: number): void {
    const until = this.now() + expiresIn * 1000;
    const { exp } = this.#records.get(jti) ?? {};
    if (exp !== undefined && until > this.#until(jti, exp)) remember(this.#promised, RECORDED, jti, until);
  }

  state(token: string): TokenState {
    const verified = this.#verify(token);
    if (!verified) return 'unknown';
    const { claims, generation } = verified;
    const ended = this.#endOf(generation, claims.jti);
    if (ended) return ended;
    const now = this.now();
    if (now >= this.#until(claims.jti, claims.exp)) return 'expired';
    return now < claims.iat * 1000 ? 'unknown' : 'valid';
  }

  /** The claims of a token that this authority signed, whatever became of it; undefined for every other text. */
  claims(token: string): Claims | undefined {
    return this.#verify(token)?.claims;
  }

  revokeAll(): void {
    this.#endAll('revoked');
  }

  expireAll(): void {
    this.#endAll('expired');
  }

  /** The newest tokens that were issued, the last one first. A token itself is never shown. */
  list(): readonly Token[] {
    const now = this.now();
    return [...this.#records].reverse().map(([jti, { client, generation, issuedAt, exp }]) => ({
      jti,
      client,
      issuedAt: new Date(issuedAt).toISOString(),
      expiresAt: new Date(exp * 1000).toISOString(),
      state: this.#endOf(generation, jti) ?? (now >= this.#until(jti, exp) ? 'expired' : 'valid'),
    }));
  }

  /** Ends one token; false where none of the jti is known. */
  end(jti: string, how: TokenEnd): boolean {
    if (!this.#records.has(jti)) return false;
    remember(this.#ended, RECORDED, jti, how);
    return true;
  }

  #endAll(how: TokenEnd): void {
    this.#generations.push(how);
    this.#header = headerOf(this.#generations.length);
  }

  #until(jti: string, exp: number): number {
    return this.#promised.get(jti) ?? exp * 1000;
  }

  #endOf(generation: number, jti: string): TokenEnd | undefined {
    return this.#generations[generation] ?? this.#ended.get(jti);
  }

  #verify(token: string): Verified | undefined {
    const before = this.#verified.get(token);
    if (before) return before;
    const cut = token.lastIndexOf('.');
    const signed = token.slice(0, cut);
    const given = Buffer.from(token.slice(cut + 1));
    const expected = Buffer.from(this.#sign(signed));
    // the comparison is of text, not of decoded bytes: another spelling of the same signature is another token
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
    const [header = '', claims = ''] = signed.split('.');
    const verified = { claims: decode<Claims>(claims), generation: Number(decode<{ kid: string }>(header).kid) };
    remember(this.#verified, REMEMBERED, token, verified);
    return verified;
  }

  #claimsHeadOf(client: string): string {
    if (this.#lastHead?.client !== client) this.#lastHead = { client, text: claimsHead(client) };
    return this.#lastHead.text;
  }

  #sign(text: string): string {
    return createHmac('sha256', this.#key).update(text).digest('base64url');
  }
}

function remember<Value>(map: Map<string, Value>, most: number, key: string, value: Value): void {
  if (map.size >= most) map.delete(map.keys().next().value ?? '');
  map.set(key, value);
}

function headerOf(generation: number): string {
  return encode({ alg: 'HS256', typ: 'JWT', kid: String(generation) });
}

function claimsHead(client: string): string {
  return JSON.stringify({ iss: ISSUER, sub: client, client_id: client } satisfies Partial<Claims>).slice(0, -1);
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function decode<T>(part: string): T {
  return JSON.parse(Buffer.from(part, 'base64url').toString()) as T;
}
