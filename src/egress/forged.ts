import type { Forgery } from '../model/call.ts';
import { parseJson } from '../text/decode.ts';

const FORGERIES: Readonly<Record<Forgery, (header: string, payload: string, signature: string) => string>> = {
  'changed-signature': (header, payload, signature) => {
    const middle = Math.floor(signature.length / 2);
    const other = signature[middle] === 'A' ? 'B' : 'A';
    return `${header}.${payload}.${signature.slice(0, middle)}${other}${signature.slice(middle + 1)}`;
  },
  'empty-signature': (header, payload) => `${header}.${payload}.`,
  unsigned: (header, payload) => `${encoded({ ...decoded(header), alg: 'none' })}.${payload}.`,
  'other-subject': (header, payload, signature) =>
    `${header}.${encoded({ ...decoded(payload), sub: 'somebody-else' })}.${signature}`,
};

/** A token that a service rejects if it checks signatures (RFC 7515, 5.2); null if the token is not a signed JWT. */
export function forged(token: string, how: Forgery): string | null {
  const [header = '', payload = '', signature = '', ...more] = token.split('.');
  const isJwt = decoded(header) !== null && decoded(payload) !== null && signature !== '' && more.length === 0;
  return isJwt ? FORGERIES[how](header, payload, signature) : null;
}

function decoded(part: string): object | null {
  const value = parseJson(Buffer.from(part, 'base64url').toString());
  return typeof value === 'object' ? value : null;
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
