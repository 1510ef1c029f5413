import { decodeFormPart } from '../http/form.ts';
import type { Credentials } from '../mock.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Says whether an `Authorization` field holds the credentials. The user ends at the first colon, so that a password may
 * hold more of them (RFC 7617); both are taken as they are (API reference, Authentication 2) and form-urlencoded (RFC 6749, 2.3.1).
 */
export function createBasicCheck(credentials: Credentials): (field: string) => boolean {
  // what was accepted once is accepted again without decoding; the number of accepted spellings is small
  let last: string | undefined;
  return (field) => {
    if (field === last) return true;
    const given = parseBasic(field);
    if (!given) return false;
    const plain = same(given, credentials);
    const user = decodeFormPart(given.username);
    const password = decodeFormPart(given.password);
    const encoded = user !== null && password !== null && same({ username: user, password }, credentials);
    if (plain || encoded) last = field;
    return plain || encoded;
  };
}

function same(left: Credentials, right: Credentials): boolean {
  return left.username === right.username && left.password === right.password;
}

/** The scheme's name has no case (RFC 9110, 11.1). Null for another scheme or what is no base64 of UTF-8. */
function parseBasic(field: string): Credentials | null {
  const match = /^basic +([A-Za-z0-9+/_-]+={0,2}) *$/i.exec(field);
  if (!match?.[1]) return null;
  let text: string;
  try {
    text = decoder.decode(Buffer.from(match[1], 'base64'));
  } catch {
    return null;
  }
  const colon = text.indexOf(':');
  return colon === -1 ? null : { username: text.slice(0, colon), password: text.slice(colon + 1) };
}
