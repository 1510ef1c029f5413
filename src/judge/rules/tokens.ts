import type { Contract } from '../../contract/contract.ts';
import { parseJson } from '../../text/decode.ts';
import { sourceOf } from '../responses.ts';
import { type AnswerRule, ofSample, type Sample } from '../rule.ts';

export const tokenNotJwt: AnswerRule = {
  id: 'token-not-jwt',
  title: 'The access token is not a signed JWT',
  severity: { documented: 'error' },
  judges: ['live'],
  message: ({ actual }) => `The access token is documented as a signed JWT and is ${actual}.`,
  of: 'answer',
  *judge(sample, { contract }) {
    const token = contract.token?.isJwt === true ? memberOf(sample, 'access_token') : undefined;
    const flaw = typeof token === 'string' ? flawOf(token) : null;
    if (flaw !== null) yield { ...ofMember(contract, sample, 'access_token'), expected: 'signed JWT', actual: flaw };
  },
};

/** A token that reports no remaining lifetime. No specific lifetime is expected, because it may be customised. */
export const tokenLifetimeNotPositive: AnswerRule = {
  id: 'token-lifetime-not-positive',
  title: 'The token has no lifetime left',
  severity: { documented: 'error' },
  reference: 'RFC 6749, 5.1',
  judges: ['live'],
  message: ({ actual }) => `expires_in is documented as the remaining lifetime in seconds and is ${actual}.`,
  of: 'answer',
  *judge(sample, { contract }) {
    const lifetime = memberOf(sample, 'expires_in');
    if (typeof lifetime !== 'number' || lifetime > 0) return;
    const actual = lifetime === 0 ? 'zero' : 'negative number';
    yield { ...ofMember(contract, sample, 'expires_in'), expected: 'positive integer', actual };
  },
};

/** Seconds by which a lifetime may be rounded. */
const ROUNDING = 60;

/** An `expires_in` beyond the token's own lifetime. `iat` and `exp` come from one clock, so no other clock matters. */
export const tokenLifetimeExceedsExp: AnswerRule = {
  id: 'token-lifetime-exceeds-exp',
  title: 'expires_in exceeds the exp of the token',
  severity: 'warning',
  reference: 'RFC 7519, 4.1.4',
  judges: ['live'],
  message: () => 'expires_in is far longer than the token lives by its own iat and exp.',
  of: 'answer',
  *judge(sample, { contract }) {
    const [lifetime, token] = [memberOf(sample, 'expires_in'), memberOf(sample, 'access_token')];
    const { iat, exp } = (typeof token === 'string' && decode(token.split('.')[1] ?? '')) || {};
    if (typeof lifetime !== 'number' || typeof iat !== 'number' || typeof exp !== 'number') return;
    const own = exp - iat;
    if (lifetime <= own + Math.max(ROUNDING, own / 10)) return;
    yield { ...ofMember(contract, sample, 'expires_in'), expected: 'at most exp - iat', actual: 'a longer time' };
  },
};

function memberOf({ operation, content }: Sample, name: string): unknown {
  if (operation.auth !== 'issues' || content.kind !== 'json') return undefined;
  return (content.value as Readonly<Record<string, unknown>> | null)?.[name];
}

function ofMember(contract: Contract, sample: Sample, name: string) {
  const source = sourceOf(contract, sample.operation, sample.status, name);
  return { ...ofSample(sample), pointer: `/${name}`, source };
}

/** Why a text is not a signed JWT (RFC 7515, 3.1; RFC 7519, 7.2), or null. */
function flawOf(token: string): string | null {
  const parts = token.split('.');
  if (parts.length !== 3) return 'string without three parts';
  const [header, payload] = parts.map(decode);
  if (header == null || payload == null) return 'parts that are no JSON objects';
  if (typeof header.alg !== 'string') return 'a header without alg';
  if (header.alg.toLowerCase() === 'none' || parts[2] === '') return 'an unsigned JWT';
  return /^[A-Za-z0-9_-]+$/.test(parts[2] ?? '') ? null : 'a signature that is not base64url';
}

function decode(part: string): Readonly<Record<string, unknown>> | null {
  if (!/^[A-Za-z0-9_-]+$/.test(part)) return null;
  const value = parseJson(Buffer.from(part, 'base64url').toString('utf8'));
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : null;
}
