import type { Provenance } from '../spec/contract.ts';
import { type Answer, type FlatHeaders, jsonAnswer } from './answer.ts';
import { createBasicCheck } from './basic.ts';
import { type Call, field, mediaTypeOf } from './call.ts';
import { type Form, parseForm } from './form.ts';
import type { Credentials } from './mock.ts';
import { problem } from './problem.ts';
import type { IssuedToken, TokenAuthority } from './tokens.ts';

/** Tokens and refusals must not be cached (RFC 6749, 5.1 and 5.2). */
const NO_STORE: FlatHeaders = ['cache-control', 'no-store', 'pragma', 'no-cache'];
const FORM = 'application/x-www-form-urlencoded';

const DOCUMENTED_FORM: Form = { fields: new Map([['grant_type', 'client_credentials']]), repeated: [] };

export interface TokenEndpointOptions {
  readonly credentials: Credentials;
  readonly tokens: TokenAuthority;
  /** What the path of the token endpoint rests on. */
  readonly provenance: Provenance;
  readonly onIssued?: (token: IssuedToken) => void;
}

/** Client credentials in, signed token out (API reference, Authentication; RFC 6749, 4.4). */
export function createTokenEndpoint(options: TokenEndpointOptions): (call: Call) => Answer {
  const { tokens, provenance } = options;
  const knows = createBasicCheck(options.credentials);

  return (call) => {
    tokens.requests += 1;
    const form = readForm(call);
    if ('status' in form) return form;
    const authorization = field(call, 'authorization');
    if (authorization !== undefined && form.fields.has('client_secret')) {
      return refuse('invalid_request', 'the client authenticates in two ways; send HTTP Basic only');
    }
    if (authorization === undefined || !knows(authorization)) return refuseClient();
    const wrong = judgeGrant(form);
    if (wrong) return wrong;
    const token = tokens.issue(options.credentials.username);
    options.onIssued?.(token);
    const body = {
      access_token: token.value,
      expires_in: token.expiresIn,
      jti: token.jti,
      scope: '',
      token_type: 'bearer',
    };
    return jsonAnswer(200, body, provenance, NO_STORE);
  };
}

function readForm(call: Call): Form | Answer {
  const type = mediaTypeOf(call);
  if (call.body && type !== FORM) {
    return problem(
      415,
      'unsupported-type',
      `the token endpoint takes ${FORM}, not ${type ?? 'a body without a content type'}`,
      {
        headers: NO_STORE,
        members: { error: 'invalid_request' },
      },
    );
  }
  // the documented form, as nearly every client sends it, needs no parsing
  const text = call.body ? call.body.toString('utf8') : '';
  if (text === 'grant_type=client_credentials') return DOCUMENTED_FORM;
  const form = parseForm(text);
  if ('wrong' in form) return refuse('invalid_request', form.wrong);
  // the name of the field is not told: it is the caller's text and might not fit into a description
  return form.repeated.length > 0 ? refuse('invalid_request', 'a parameter is repeated') : form;
}

function judgeGrant(form: Form): Answer | undefined {
  const grant = form.fields.get('grant_type');
  if (grant === undefined) return refuse('invalid_request', 'grant_type is missing');
  return grant === 'client_credentials'
    ? undefined
    : refuse('unsupported_grant_type', 'the only grant is client_credentials');
}

/** RFC 6749, 5.2: 401 with the scheme that the client is to use. */
function refuseClient(): Answer {
  const challenge = 'Basic realm="banking-api mock", charset="UTF-8"';
  return oauthError(401, 'invalid_client', 'the client credentials are missing or wrong', [
    'www-authenticate',
    challenge,
  ]);
}

function refuse(error: string, description: string): Answer {
  return oauthError(400, error, description);
}

/** Descriptions are ASCII without quotes and backslashes, as RFC 6749, 5.2 demands; they are all ours. */
function oauthError(status: number, error: string, description: string, more: FlatHeaders = []): Answer {
  return jsonAnswer(status, { error, error_description: description }, 'assumed', [...NO_STORE, ...more]);
}
