import type { TokenRequest } from './token-request.ts';

/** How a client authenticates at the token endpoint (RFC 6749, 2.3.1): HTTP Basic, or two form fields. */
export type ClientAuthentication = 'basic' | 'form';

/** Shorter strings would match half of any message. */
const SHORTEST_SECRET = 3;
/** A shorter user name may be part of a host name. */
const SHORTEST_USERNAME = 8;

// biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 7617 forbids exactly these
const CONTROL = /[\u0000-\u001f\u007f]/;

/**
 * Encodes the credentials for the token endpoint (RFC 7617).
 *
 * @param encode form-encode both parts before base64 (RFC 6749, section 2.3.1); the reference uses plain base64
 * @throws TypeError for credentials that Basic cannot carry. The message never quotes a value.
 */
export function clientCredentials(
  username: string,
  password: string,
  how: ClientAuthentication,
  encode: boolean,
): Pick<TokenRequest, 'authorization' | 'fields' | 'secrets'> {
  check('username', username);
  check('password', password);
  const isForm = how === 'form';
  if (!isForm && !encode && username.includes(':'))
    throw new TypeError('"username" must not contain a colon (RFC 7617)');
  const basic = base64((encode && !isForm ? [username, password].map(formEncode) : [username, password]).join(':'));
  return {
    authorization: isForm ? null : `Basic ${basic}`,
    fields: isForm ? `&${new URLSearchParams({ client_id: username, client_secret: password })}` : '',
    secrets: forms(username, password, basic),
  };
}

function check(name: string, value: unknown): void {
  if (typeof value !== 'string') throw new TypeError(`"${name}" must be a string`);
  if (value === '') throw new TypeError(`"${name}" must not be empty`);
  if (CONTROL.test(value)) throw new TypeError(`"${name}" must not contain control characters (RFC 7617)`);
  if (!value.isWellFormed()) throw new TypeError(`"${name}" must be well-formed Unicode`);
}

function forms(username: string, password: string, basic: string): string[] {
  const found = new Set<string>([basic, basic.replace(/=+$/, '')]);
  const raw = username.length >= SHORTEST_USERNAME ? [username, password] : [password];
  for (const value of raw) {
    if (value.length < SHORTEST_SECRET) continue;
    for (const form of [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value), formEncode(value)]) {
      found.add(form);
    }
    found.add(base64(value));
  }
  return [...found].sort((a, b) => b.length - a.length);
}

function formEncode(value: string): string {
  return new URLSearchParams({ v: value }).toString().slice(2);
}

function base64(text: string): string {
  return btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''));
}
