import type { TokenResponseField } from './token-error.ts';

/** What a valid token response says (API reference, Token response). */
export interface TokenResponse {
  readonly accessToken: string;
  /** Seconds; null where the response did not say. Zero or less: for the call at hand only. */
  readonly expiresIn: number | null;
  readonly jti: string | null;
  readonly scope: string | null;
}

/** The part of a response that is wrong, and how. Never quotes a value. */
interface Flaw {
  readonly field: TokenResponseField;
  readonly problem: string;
}

type Checked = { readonly token: TokenResponse } | { readonly flaw: Flaw };

/** In bytes: a token is ASCII. No server takes a header field that is longer. */
const LONGEST_TOKEN = 32 * 1024;
/** Seconds; an answer that claims more is taken for this. */
const LONGEST_LIFETIME = 2 ** 31 - 1;

/** Whether a content type is JSON. Several values in one field are not. */
export function isJson(contentType: string | null): boolean {
  return /^application\/(?:[\w.+-]+\+)?json[ \t]*(?:;[^,]*)?$/i.test(contentType?.trim() ?? '');
}

/** Checks the body of an answer with status 200 (RFC 6749, section 5.1). Unknown members are ignored. */
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

/** Seconds, null for a response that does not say, undefined for one that says nonsense. */
function lifetime(value: unknown): number | null | undefined {
  if (value === undefined) return null;
  // Some servers send the number as a string.
  const seconds = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  if (typeof seconds !== 'number' || !Number.isFinite(seconds)) return undefined;
  return Math.min(seconds, LONGEST_LIFETIME);
}

/** The OAuth error code of an error answer (RFC 6749, section 5.2), if it has a sound one. */
export function oauthErrorCode(bytes: Uint8Array, secrets: readonly string[]): string | undefined {
  const code = parseJsonObject(bytes)?.get('error');
  if (typeof code !== 'string' || !/^[a-z][a-z0-9_.-]{0,63}$/i.test(code)) return undefined;
  if (KNOWN_CODES.has(code)) return code;
  // A careless server may echo what it was sent.
  return secrets.some((secret) => code.includes(secret)) ? undefined : code;
}

const KNOWN_CODES: ReadonlySet<string> = new Set([
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
  'server_error',
  'temporarily_unavailable',
]);

function flaw(field: TokenResponseField, problem: string): Checked {
  return { flaw: { field, problem } };
}

/**
 * The members of a JSON object, or undefined if the text is no JSON, no object, or names a member twice.
 * A parameter must not appear more than once (RFC 6749, section 3.2), and which of two counts differs between parsers.
 */
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

/** Members of the outermost object of a text that is known to be JSON: its colons outside of strings, one level deep. */
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
 * Seconds of a `Retry-After` field (RFC 9110, section 10.2.3): a number of seconds or an HTTP date.
 * Undefined where there is none or it is neither; never negative.
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
