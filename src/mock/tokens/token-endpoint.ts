import type { Provenance, TokenFacts } from '../../contract/contract.ts';
import { type Answer, type FlatHeaders, jsonAnswer } from '../http/answer.ts';
import { type Call, field, mediaTypeOf } from '../http/call.ts';
import { type Form, parseForm } from '../http/form.ts';
import { problem } from '../http/problem.ts';
import type { Credentials } from '../mock.ts';
import { createBasicCheck } from './basic.ts';
import type { IssuedToken, TokenAuthority } from './token-authority.ts';

/** Tokens and refusals must not be cached (RFC 6749, 5.1 and 5.2). */
const NO_STORE: FlatHeaders = ['cache-control', 'no-store', 'pragma', 'no-cache'];
const FORM = 'application/x-www-form-urlencoded';

export interface TokenEndpointOptions {
  readonly facts: TokenFacts;
  readonly credentials: Credentials;
  readonly tokens: TokenAuthority;
  /** What the path of the token endpoint rests on. */
  readonly provenance: Provenance;
  readonly onIssued?: (token: IssuedToken) => void;
}

/** Client credentials in, signed token out (RFC 6749, 4.4). The client names itself as the contract says, and in no other way. */
export function createTokenEndpoint(options: TokenEndpointOptions): (call: Call) => Answer {
  const { facts, credentials, tokens, provenance } = options;
  const basic = facts.clientAuthentication === 'basic';
  const knows = createBasicCheck(credentials);
  // the documented form of HTTP Basic, as nearly every client sends it, needs no parsing
  const usual = `grant_type=${facts.grant}`;
  const usualForm: Form = { fields: new Map([['grant_type', facts.grant]]), repeated: [] };

  const isClient = (authorization: string | undefined, { fields }: Form): boolean =>
    basic
      ? authorization !== undefined && knows(authorization)
      : authorization === undefined &&
        fields.get('client_id') === credentials.username &&
        fields.get('client_secret') === credentials.password;

  return (call) => {
    tokens.requests += 1;
    const form = readForm(call, (text) => (text === usual ? usualForm : parseForm(text)));
    if ('status' in form) return form;
    const authorization = field(call, 'authorization');
    if (authorization !== undefined && form.fields.has('client_secret')) {
      const way = basic ? 'HTTP Basic' : 'client_id and client_secret in the form';
      return refuse('invalid_request', `the client authenticates in two ways; send ${way} only`);
    }
    if (!isClient(authorization, form)) return refuseClient(basic || authorization !== undefined);
    const wrong = judgeGrant(form, facts.grant);
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

function readForm(call: Call, parse: (text: string) => ReturnType<typeof parseForm>): Form | Answer {
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
  const form = parse(call.body ? call.body.toString('utf8') : '');
  if ('wrong' in form) return refuse('invalid_request', form.wrong);
  // the name of the field is not told: it is the caller's text and might not fit into a description
  return form.repeated.length > 0 ? refuse('invalid_request', 'a parameter is repeated') : form;
}

function judgeGrant(form: Form, wanted: string): Answer | undefined {
  const grant = form.fields.get('grant_type');
  if (grant === undefined) return refuse('invalid_request', 'grant_type is missing');
  return grant === wanted ? undefined : refuse('unsupported_grant_type', `the only grant is ${wanted}`);
}

/** RFC 6749, 5.2: 401, and the scheme where the client is to use one or did. */
function refuseClient(challenged: boolean): Answer {
  const challenge = ['www-authenticate', 'Basic realm="banking-api mock", charset="UTF-8"'];
  return oauthError(401, 'invalid_client', 'the client credentials are missing or wrong', challenged ? challenge : []);
}

function refuse(error: string, description: string): Answer {
  return oauthError(400, error, description);
}

/** Descriptions are ASCII without quotes and backslashes, as RFC 6749, 5.2 demands; they are all ours. */
function oauthError(status: number, error: string, description: string, more: FlatHeaders = []): Answer {
  return jsonAnswer(status, { error, error_description: description }, 'assumed', [...NO_STORE, ...more]);
}
