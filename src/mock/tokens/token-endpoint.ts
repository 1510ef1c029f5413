import type { TokenFacts } from '../../contract/contract.ts';
import type { Provenance } from '../../schema/schema-document.ts';
import { type Answer, type FlatHeaders, jsonAnswer } from '../message/answer.ts';
import {
  decodeFormPart,
  FORM_TYPE,
  type FormFields,
  field,
  mediaTypeOf,
  parseForm,
  type ReceivedRequest,
} from '../message/call.ts';
import { problem } from '../message/problem.ts';
import type { MockCredentials } from '../mock.ts';
import type { TokenAuthority } from './token-authority.ts';

export const DEFAULT_CREDENTIALS: MockCredentials = { username: 'sandbox', password: 'sandbox-secret' };

/** Tokens and errors must not be cached (RFC 6749, 5.1 and 5.2). */
const NO_STORE: FlatHeaders = ['cache-control', 'no-store', 'pragma', 'no-cache'];

export interface TokenEndpointOptions {
  readonly facts: TokenFacts;
  readonly credentials: MockCredentials;
  readonly tokens: TokenAuthority;
  readonly provenance: Provenance;
}

/** Issues tokens for client credentials (RFC 6749, 4.4). Clients must authenticate in the way the contract states. */
export function createTokenEndpoint(options: TokenEndpointOptions): (call: ReceivedRequest) => Answer {
  const { facts, credentials, tokens, provenance } = options;
  const basic = facts.clientAuthentication === 'basic';
  const holdsCredentials = createBasicCheck(credentials);
  // fast path: the documented form of HTTP Basic, which nearly every client sends, needs no parsing
  const usual = `grant_type=${facts.grant}`;
  const usualForm: FormFields = { fields: new Map([['grant_type', facts.grant]]), repeated: [] };

  const isClient = (authorization: string | undefined, { fields }: FormFields): boolean =>
    basic
      ? authorization !== undefined && holdsCredentials(authorization)
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
    const grant = form.fields.get('grant_type');
    if (grant === undefined) return refuse('invalid_request', 'grant_type is missing');
    if (grant !== facts.grant) return refuse('unsupported_grant_type', `the only grant is ${facts.grant}`);
    const issued = tokens.issue(credentials.username);
    const { value, expiresIn, claims } = issued;
    const scope = form.fields.get('scope') ?? '';
    const body = { access_token: value, expires_in: expiresIn, jti: claims.jti, scope, token_type: 'bearer' };
    return { ...jsonAnswer(200, body, provenance, NO_STORE), issued };
  };
}

function readForm(call: ReceivedRequest, parse: typeof parseForm): FormFields | Answer {
  const type = mediaTypeOf(call);
  if (call.body && type !== FORM_TYPE) {
    const detail = `the token endpoint takes ${FORM_TYPE}, not ${type ?? 'a body without a content type'}`;
    return problem('unsupported-type', detail, { headers: NO_STORE, members: { error: 'invalid_request' } });
  }
  const form = parse(call.body ? call.body.toString('utf8') : '');
  if ('wrong' in form) return refuse('invalid_request', form.wrong);
  // the field's name is the caller's text, which may not be valid in a description
  return form.repeated.length > 0 ? refuse('invalid_request', 'a parameter is repeated') : form;
}

/** 401, with the scheme if the client must use HTTP Basic or tried to (RFC 6749, 5.2). */
function refuseClient(challenged: boolean): Answer {
  const challenge = ['www-authenticate', 'Basic realm="banking-api mock", charset="UTF-8"'];
  return oauthError(401, 'invalid_client', 'the client credentials are missing or wrong', challenged ? challenge : []);
}

function refuse(error: string, description: string): Answer {
  return oauthError(400, error, description);
}

/** Descriptions must be ASCII without quotes and backslashes (RFC 6749, 5.2). Only our own texts are used. */
function oauthError(status: number, error: string, description: string, more: FlatHeaders = []): Answer {
  return jsonAnswer(status, { error, error_description: description }, 'assumed', [...NO_STORE, ...more]);
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Checks the credentials of an `Authorization` field. The user ends at the first colon; the password may contain colons
 * (RFC 7617). Both may be plain (RFC 7617) or form-urlencoded (RFC 6749, 2.3.1).
 */
export function createBasicCheck({ username, password }: MockCredentials): (field: string) => boolean {
  // the last accepted field is accepted again without decoding
  let last: string | undefined;
  return (field) => {
    if (field === last) return true;
    const [user, secret] = parseBasic(field) ?? [];
    if (user === undefined || secret === undefined) return false;
    const plain = user === username && secret === password;
    const encoded = decodeFormPart(user) === username && decodeFormPart(secret) === password;
    if (plain || encoded) last = field;
    return plain || encoded;
  };
}

/** The scheme is case-insensitive (RFC 9110, 11.1). Null for another scheme or invalid base64 or UTF-8. */
function parseBasic(field: string): readonly [user: string, password: string] | null {
  const match = /^basic +([A-Za-z0-9+/_-]+={0,2}) *$/i.exec(field);
  if (!match?.[1]) return null;
  try {
    const text = decoder.decode(Buffer.from(match[1], 'base64'));
    const colon = text.indexOf(':');
    return colon === -1 ? null : [text.slice(0, colon), text.slice(colon + 1)];
  } catch {
    return null;
  }
}

/**
 * Keeps the promise of a token response: its token is accepted for `expires_in` seconds after the answer was written.
 * This matters if a scenario delays the answer, or if the token's last second is rounded up.
 */
export function withPromise(tokens: TokenAuthority, answer: Answer): Answer {
  const { expiresIn, claims } = answer.issued ?? {};
  if (claims === undefined || expiresIn === undefined) return answer;
  const keep = (): void => tokens.promise(claims, expiresIn);
  keep();
  const onSent = (): void => {
    keep();
    answer.onSent?.();
  };
  return { ...answer, onSent };
}

/** A token request as a curl command. `client` holds user and password in shell syntax: quoted, or variables. */
export function tokenCommand(
  { grant, clientAuthentication }: TokenFacts,
  url: string,
  [user, password]: readonly [user: string, password: string],
): string {
  const rest = `-d grant_type=${grant} ${url}`;
  if (clientAuthentication === 'basic') return `curl -u ${user}:${password} ${rest}`;
  // next to its name, the password would be masked in printed output
  return `printf %s ${password} | curl --data-urlencode client_id=${user} --data-urlencode client_secret@- ${rest}`;
}
