import type { TokenResponseField } from './token-error.ts';

/** The contents of a valid token response (RFC 6749, 5.1). */
export interface TokenResponse {
  readonly accessToken: string;
  /** Seconds; null if the response did not state it. If it is zero or less, the token serves only the current call. */
  readonly expiresIn: number | null;
  readonly jti: string | null;
  readonly scope: string | null;
}

type Checked =
  | { readonly token: TokenResponse }
  | { readonly flaw: { readonly field: TokenResponseField; readonly problem: string } };

/** In bytes, because a token is ASCII. No server accepts a longer header field. */
const LONGEST_TOKEN = 32 * 1024;
/** Seconds; longer lifetimes are cut to this. */
const LONGEST_LIFETIME = 2 ** 31 - 1;

/** Whether a content type is JSON. A field with several values is not. */
export function isJson(contentType: string | null): boolean {
  return /^application\/(?:[\w.+-]+\+)?json[ \t]*(?:;[^,]*)?$/i.test(contentType?.trim() ?? '');
}

/** The body of an answer with status 200 (RFC 6749, section 5.1). Unknown members are ignored. */
export function checkTokenResponse(bytes: Uint8Array): Checked {
  const members = parseJsonObject(bytes);
  if (members === undefined) return flaw('body', 'is not one JSON object');

  const accessToken = members.get('access_token');
  if (typeof accessToken !== 'string')
    return flaw('access_token', accessToken === undefined ? 'is missing' : 'is not a string');
  if (!/^[\x21-\x7e]+$/.test(accessToken)) return flaw('access_token', 'is empty or not visible ASCII throughout');
  if (accessToken.length > LONGEST_TOKEN) return flaw('access_token', `is longer than ${LONGEST_TOKEN} bytes`);

  const tokenType = members.get('token_type');
  if (typeof tokenType !== 'string')
    return flaw('token_type', tokenType === undefined ? 'is missing' : 'is not a string');
  if (tokenType.toLowerCase() !== 'bearer') return flaw('token_type', 'is not bearer');

  const expiresIn = lifetime(members.get('expires_in'));
  if (expiresIn === undefined) return flaw('expires_in', 'is not a finite number');

  const scope = members.get('scope');
  if (scope !== undefined && typeof scope !== 'string') return flaw('scope', 'is not a string');

  const jti = members.get('jti');
  return { token: { accessToken, expiresIn, jti: typeof jti === 'string' ? jti : null, scope: scope ?? null } };
}

/** Seconds, null if the response has no lifetime, undefined if it is invalid. */
function lifetime(value: unknown): number | null | undefined {
  if (value === undefined) return null;
  // Some servers send the number as a string.
  const seconds = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  if (typeof seconds !== 'number' || !Number.isFinite(seconds)) return undefined;
  return Math.min(seconds, LONGEST_LIFETIME);
}

/** The OAuth error code of an error answer (RFC 6749, section 5.2). */
export function oauthErrorCode(bytes: Uint8Array, secrets: readonly string[]): string | undefined {
  const code = parseJsonObject(bytes)?.get('error');
  if (typeof code !== 'string' || !/^[a-z][a-z0-9_.-]{0,63}$/i.test(code)) return undefined;
  // A careless server may echo the credentials.
  return secrets.some((secret) => code.includes(secret)) ? undefined : code;
}

function flaw(field: TokenResponseField, problem: string): Checked {
  return { flaw: { field, problem } };
}

export function parseJsonObject(bytes: Uint8Array): Map<string, unknown> | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    const members = new Map<string, unknown>(Object.entries(value));
    return members.size === countMembers(text) ? members : undefined;
  } catch {
    return undefined;
  }
}

/** Number of members of the outermost object, without a full parse: counts its colons outside of strings. */
function countMembers(text: string): number {
  let depth = 0;
  let members = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') {
      at += 1;
      while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
    } else if (char === '{' || char === '[') depth += 1;
    else if (char === '}' || char === ']') depth -= 1;
    else if (char === ':' && depth === 1) members += 1;
  }
  return members;
}

const HTTP_DATE = /^[A-Z][a-z]{2,8}, \d{2}[ -][A-Z][a-z]{2}[ -]\d{2,4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * Seconds of a `Retry-After` field (RFC 9110, section 10.2.3): a number or an HTTP date. Never negative.
 *
 * @param now wall clock, milliseconds since the epoch
 */
export function retryAfterSeconds(field: string | null, now: number): number | undefined {
  const value = field?.trim();
  if (value === undefined) return undefined;
  if (/^\d{1,10}$/.test(value)) return Number(value);
  if (!HTTP_DATE.test(value)) return undefined;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, (date - now) / 1000);
}
