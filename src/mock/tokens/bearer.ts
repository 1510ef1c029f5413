import { type Answer, headerOf } from '../message/answer.ts';
import { countField, FORM_TYPE, field, mediaTypeOf, parseForm, type ReceivedRequest } from '../message/call.ts';
import { problem } from '../message/problem.ts';
import type { TokenAuthority, TokenState } from './token-authority.ts';

const REALM = 'realm="banking-api mock"';
/** RFC 6750, 2.1. The scheme is case-insensitive (RFC 9110, 11.1). */
const BEARER = /^bearer +([A-Za-z0-9\-._~+/]+=*) *$/i;

/** Why a token is refused: its state, or a test that asks for it. */
type Refused = Exclude<TokenState, 'valid'> | 'on-purpose';

const REFUSED: Readonly<Record<Refused, string>> = {
  expired: 'the token has expired',
  revoked: 'the token was revoked',
  unknown: 'the token was not issued by this mock',
  'on-purpose': 'the token is refused on purpose',
};

export interface BearerOptions {
  readonly issuedBy: string;
  readonly tokens: TokenAuthority;
  readonly anyToken: boolean;
}

/** Checks the bearer token (RFC 6750, 3). Undefined lets it pass. */
export function createBearerCheck(options: BearerOptions): (call: ReceivedRequest) => Answer | undefined {
  const { tokens, anyToken, issuedBy } = options;
  // most callers repeat one field; its token is then the same string, whose hash is known
  let last: { readonly authorization: string; readonly token: string } | undefined;
  return (call) => {
    const authorization = field(call, 'authorization');
    if (sentTwice(call)) return twoTokens();
    if (authorization === undefined) return missing(issuedBy);
    const token = authorization === last?.authorization ? last.token : BEARER.exec(authorization)?.[1];
    if (token === undefined) return malformed(authorization, issuedBy);
    if (token !== last?.token) last = { authorization, token };
    const state = anyToken ? 'valid' : tokens.state(token);
    if (state !== 'valid') return refusedToken(state);
    return tokens.refusesNow() ? refusedToken('on-purpose') : undefined;
  };
}

export function refusedToken(why: Refused): Answer {
  return invalidToken(REFUSED[why]);
}

export function isExpired(answer: Answer): boolean {
  return answer.status === 401 && (headerOf(answer, 'www-authenticate') ?? '').includes(REFUSED.expired);
}

/** True if the token is sent in two ways, or twice in one way (RFC 6750, 2 and 3.1: invalid_request). */
function sentTwice(call: ReceivedRequest): boolean {
  const inHeader = countField(call.rawHeaders, 'authorization');
  if (inHeader > 1) return true;
  const inQuery = call.query !== '' && hasAccessToken(call.query);
  const inBody = call.body !== null && hasFormToken(call);
  return Number(inHeader > 0) + Number(inQuery) + Number(inBody) > 1;
}

function hasFormToken(call: ReceivedRequest): boolean {
  return mediaTypeOf(call) === FORM_TYPE && hasAccessToken(String(call.body));
}

function hasAccessToken(form: string): boolean {
  if (!form.includes('access')) return false;
  const parsed = parseForm(form);
  return 'fields' in parsed && parsed.fields.has('access_token');
}

function twoTokens(): Answer {
  return problem('two-tokens', 'send one token, in one Authorization field', {
    headers: challenge('error="invalid_request", error_description="the token was sent more than once"'),
  });
}

/** Without credentials the challenge has no error code (RFC 6750, 3.1). */
function missing(issuedBy: string): Answer {
  return problem('token-missing', `send a bearer token from ${issuedBy}`, {
    headers: challenge(''),
  });
}

/** Another scheme counts as missing credentials. A Bearer field without a valid token counts as a refused token. */
function malformed(authorization: string, issuedBy: string): Answer {
  return /^bearer\b/i.test(authorization) ? invalidToken('the token is malformed') : missing(issuedBy);
}

function invalidToken(why: string): Answer {
  return problem('token-refused', why, {
    headers: challenge(`error="invalid_token", error_description="${why}"`),
  });
}

function challenge(parameters: string): readonly string[] {
  return ['www-authenticate', parameters === '' ? `Bearer ${REALM}` : `Bearer ${REALM}, ${parameters}`];
}
