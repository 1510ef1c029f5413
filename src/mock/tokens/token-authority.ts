import { createHmac, createSecretKey, type KeyObject, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import type { Token } from '../../../generated/mock/control.ts';
import { ToolError } from '../../errors.ts';
import type { IssuedToken } from '../message/answer.ts';
import { RecordRing } from '../message/ring.ts';
import type { MockTokens } from '../mock.ts';

/** Issuer of the tokens: a name that cannot belong to a host (RFC 6761). */
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
  /** Signs the tokens; random by default. */
  readonly key?: Uint8Array | undefined;
}

interface Verified {
  readonly claims: Claims;
  readonly generation: number;
}

/** A token that was issued. Its value is not kept. */
interface Issued extends Verified {
  /** Milliseconds since the epoch. */
  readonly issuedAt: number;
}

interface Ended {
  readonly how: TokenEnd;
  /** Seconds since the epoch. */
  readonly exp: number;
}

/** How many tokens are listed, and how many verified tokens are cached to save computing signatures. */
const REMEMBERED = 1_000;
/** How many promises are stored, and after how many ended tokens the expired ones are dropped. */
const RECORDED = 10_000;

/**
 * Issues signed tokens and recognizes them. The default key lives as long as the process, so tokens from an earlier
 * start are unknown. Tokens are recognized by their signature. A list would grow with every issued token.
 *
 * Signs with HMAC-SHA256 (`HS256`, RFC 7518) in node:crypto. WebCrypto, which jose uses, costs a thread hop per token.
 */
export class TokenAuthority implements MockTokens {
  // a key object: with bytes, node:crypto would prepare the key for each signature, which costs more than signing
  readonly #key: KeyObject;
  readonly #lifetime: number;
  readonly #verified = new Map<string, Verified>();
  /** Kept as JSON in bytes, because collecting objects that live for a moment takes long. */
  readonly #newest = new RecordRing(REMEMBERED, Number.POSITIVE_INFINITY);
  /** End of tokens whose answer promised more than their `exp` (milliseconds since the epoch), by `jti`. */
  readonly #promised = new Map<string, number>();
  /** How each generation but the last ended. All its tokens were revoked or expired at once. */
  readonly #generations: TokenEnd[] = [];
  /** Tokens that were ended individually, by `jti`. One that is forgotten before its `exp` would be accepted again. */
  readonly #ended = new Map<string, Ended>();
  #header = headerOf(0);
  #lastHead: { readonly client: string; readonly text: string } | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  requests = 0;
  #toRefuse = 0;

  /** @throws ToolError `usage` if the lifetime is not a positive whole number. */
  constructor({ lifetime, clock, key = randomBytes(32) }: TokenAuthorityOptions) {
    if (!Number.isSafeInteger(lifetime) || lifetime <= 0) {
      throw new ToolError('usage', `The token lifetime is a whole number of seconds above 0, not ${lifetime}.`);
    }
    this.#key = createSecretKey(key);
    this.#lifetime = lifetime;
    this.now = clock;
  }

  get issued(): number {
    return this.#newest.end;
  }

  readonly refuseNext = (count: number): void => {
    this.#toRefuse = Math.max(0, Math.trunc(count));
  };

  refusesNow(): boolean {
    if (this.#toRefuse === 0) return false;
    this.#toRefuse -= 1;
    return true;
  }

  /** `expiresIn` is the remaining life in whole seconds, rounded down, at least 1. */
  issue(client: string): Required<IssuedToken> {
    const issuedAt = this.now();
    const iat = Math.floor(issuedAt / 1000);
    const exp = iat + this.#lifetime;
    const jti = randomUUID();
    // built by hand, since this is the main cost of a token request; names, numbers and a UUID need no escaping
    const text = `${this.#claimsHeadOf(client)},"iat":${iat},"exp":${exp},"jti":"${jti}"}`;
    const signed = `${this.#header}.${Buffer.from(text).toString('base64url')}`;
    const generation = this.#generations.length;
    this.#newest.push(`{"generation":${generation},"issuedAt":${issuedAt},"claims":${text}}`);
    return { value: `${signed}.${this.#sign(signed)}`, expiresIn: this.left(exp), claims: { jti, iat, exp } };
  }

  /** The `expires_in` for a token that expires at `exp` (seconds since the epoch). */
  left(exp: number): number {
    return Math.max(1, Math.floor(exp - this.now() / 1000));
  }

  /** The `exp` of an accepted token, in seconds since the epoch; undefined if the token is not accepted. */
  aliveUntil(token: string): number | undefined {
    return this.state(token) === 'valid' ? this.claims(token)?.exp : undefined;
  }

  /** Called when the answer is sent. From now on the token is accepted for the promised seconds. */
  promise({ jti, exp }: Pick<Claims, 'jti' | 'exp'>, expiresIn: number): void {
    const until = this.now() + expiresIn * 1000;
    // an answer that is sent at once promises less than the token's own life
    if (until > exp * 1000 && until > this.#until(jti, exp)) remember(this.#promised, RECORDED, jti, until);
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

  /** The claims of a token that this authority signed, even if it has ended. Undefined for any other text. */
  claims(token: string): Claims | undefined {
    return this.#verify(token)?.claims;
  }

  revokeAll(): void {
    this.#endAll('revoked');
  }

  expireAll(): void {
    this.#endAll('expired');
  }

  /** The newest tokens, the last one first. The token itself is never shown. */
  list(): readonly Token[] {
    const now = this.now();
    return Array.from(this.#issued(), ({ claims: { jti, exp, client_id: client }, generation, issuedAt }) => ({
      jti,
      client,
      issuedAt: new Date(issuedAt).toISOString(),
      expiresAt: new Date(exp * 1000).toISOString(),
      state: this.#endOf(generation, jti) ?? (now >= this.#until(jti, exp) ? 'expired' : 'valid'),
    }));
  }

  /** Ends one token. Returns false for an unknown jti. */
  end(jti: string, how: TokenEnd): boolean {
    for (const { claims } of this.#issued()) {
      if (claims.jti !== jti) continue;
      this.#ended.set(jti, { how, exp: claims.exp });
      if (this.#ended.size % RECORDED === 0)
        for (const [one, { exp }] of this.#ended) if (this.now() >= this.#until(one, exp)) this.#ended.delete(one);
      return true;
    }
    return false;
  }

  /** The last one first. */
  *#issued(): Generator<Issued, void> {
    const { first, end } = this.#newest;
    for (let number = end - 1; number >= first; number -= 1) yield JSON.parse(String(this.#newest.at(number)?.text));
  }

  #endAll(how: TokenEnd): void {
    this.#generations.push(how);
    this.#header = headerOf(this.#generations.length);
  }

  #until(jti: string, exp: number): number {
    return this.#promised.get(jti) ?? exp * 1000;
  }

  #endOf(generation: number, jti: string): TokenEnd | undefined {
    return this.#generations[generation] ?? this.#ended.get(jti)?.how;
  }

  #verify(token: string): Verified | undefined {
    const before = this.#verified.get(token);
    if (before) return before;
    const cut = token.lastIndexOf('.');
    const signed = token.slice(0, cut);
    const given = Buffer.from(token.slice(cut + 1));
    const expected = Buffer.from(this.#sign(signed));
    // compares text, not decoded bytes: a different encoding of the same signature is a different token
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
  if (map.size >= most && !map.has(key)) map.delete(map.keys().next().value ?? '');
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
