import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { type Body, type Exchange, type HeaderFields, header, type TransportFailure } from '../model/exchange.ts';
import { contentOf } from '../model/media.ts';
import { carriedToken, issuedToken } from '../model/token.ts';
import type { Redactor } from '../redact/redact.ts';
import type { Json } from '../schema/json.ts';
import { decodeUtf8, parseJson } from '../text/decode.ts';

/** One line of a journal (`schemas/journal.schema.json`). */
export interface JournalEntry {
  readonly v: 1;
  /** Values were reduced to their types (`--journal-shapes`). */
  readonly shapes?: true;
  readonly seq: number;
  /** ISO 8601 date-time, UTC. */
  readonly startedAt: string;
  /** ISO 8601 date-time, UTC. */
  readonly endedAt: string;
  /** Milliseconds by which a user had moved the mock's clock, which gives both times. Absent if it was not moved. */
  readonly clockAhead?: number;
  readonly connection: number | null;
  readonly operationId: string | null;
  readonly method: string;
  /** Path and query as sent; ids stay, secrets are masked. */
  readonly path: string;
  readonly request: {
    readonly headers: readonly (readonly [name: string, value: string])[];
    readonly body: JournalBody | null;
  };
  readonly response: {
    readonly status: number;
    readonly headers: readonly (readonly [name: string, value: string])[];
    readonly body: JournalBody | null;
    /** The caller closed its connection before the answer. */
    readonly delivered?: false;
  } | null;
  /** Why there is no response. */
  readonly failure?: { readonly kind: TransportFailure; readonly message: string };
  /** Pseudonym of the client id that the request carried, in HTTP Basic or in a form. */
  readonly client?: string;
  readonly token: {
    /** Pseudonym, the same for the same token within one journal. */
    readonly id: string;
    readonly issuedAt: string | null;
    /** Seconds. */
    readonly expiresIn: number | null;
  } | null;
}

/** A time of an entry by the caller's clock, which does not follow the clock of a mock. Milliseconds since the epoch. */
export function callerTime({ clockAhead = 0 }: Pick<JournalEntry, 'clockAhead'>, time: string): number {
  return Date.parse(time) - clockAhead;
}

type Pseudonym = (token: string) => string;

/** Keyed pseudonyms for tokens and client ids: they cannot be reversed, or compared between journals. */
export function createPseudonym(key: Uint8Array = randomBytes(32)): Pseudonym {
  // made of bytes, the key would be prepared anew for each token
  const prepared = createSecretKey(key);
  // A caller sends the same token many times.
  let [last, pseudonym] = ['', ''];
  return (token) => {
    if (token === last) return pseudonym;
    last = token;
    pseudonym = `t_${createHmac('sha256', prepared).update(token).digest('base64url').slice(0, 22)}`;
    return pseudonym;
  };
}

interface EntryOptions {
  readonly redactor: Redactor;
  readonly pseudonym: Pseudonym;
  /** Larger bodies are left out. Bytes. */
  readonly bodyLimit: number;
}

export function journalEntry(exchange: Exchange, { redactor, pseudonym, bodyLimit }: EntryOptions): JournalEntry {
  const token = exchange.token ?? issuedToken(exchange) ?? carriedToken(exchange);
  // an opaque token has no recognisable form: elsewhere (an echo, an error) it is masked only by value
  if (token !== null) redactor.learn(token.value);
  const { request, response } = exchange;
  const requestBody = recordableBody(request.body, 'complete', request.headers, bodyLimit);
  const client = basicUser(request.headers) ?? (requestBody?.kind === 'form' && requestBody.fields.get('client_id'));
  const responseBody =
    response === null ? null : recordableBody(response.body.bytes, response.body.state, response.headers, bodyLimit);
  // before anything is written: a secret that one body names may appear in any other part of the exchange
  const cut = request.target.indexOf('?');
  if (cut >= 0) redactor.learnFrom(Object.fromEntries(new URLSearchParams(request.target.slice(cut + 1))));
  learnFromBody(requestBody, redactor);
  learnFromBody(responseBody, redactor);
  return {
    v: 1,
    seq: exchange.seq,
    startedAt: new Date(exchange.startedAt).toISOString(),
    endedAt: new Date(exchange.endedAt).toISOString(),
    ...(exchange.clockAhead && { clockAhead: exchange.clockAhead }),
    connection: exchange.connection,
    operationId: exchange.operationId,
    method: redactor.text(request.method),
    path: redactor.target(request.target),
    request: { headers: redactor.headers(request.headers), body: journalBody(requestBody, redactor) },
    response:
      response === null
        ? null
        : {
            status: response.status,
            headers: redactor.headers(response.headers),
            body: journalBody(responseBody, redactor),
            ...(response.delivered === false && { delivered: false }),
          },
    ...(exchange.failure === null
      ? {}
      : { failure: { kind: exchange.failure.kind, message: redactor.text(exchange.failure.message) } }),
    ...(client && { client: pseudonym(client).replace('t', 'c') }),
    token:
      token === null
        ? null
        : {
            id: pseudonym(token.value),
            issuedAt: token.issuedAt === null ? null : new Date(token.issuedAt).toISOString(),
            expiresIn: token.expiresIn,
          },
  };
}

function basicUser(headers: HeaderFields): string | undefined {
  const [, value = ''] = /^basic +([\w+/-]+={0,2}) *$/i.exec(header(headers, 'authorization') ?? '') ?? [];
  return /^([^:]+):/.exec(Buffer.from(value, 'base64').toString())?.[1];
}

/** A redacted body; `bytes` is its original size. */
export type JournalBody = Size & {
  /** A pseudonym if only types were kept. Equal bodies of one journal have equal pseudonyms. */
  readonly id?: string;
} & (
    | { readonly kind: 'json'; readonly json: Json }
    | { readonly kind: 'form'; readonly fields: readonly (readonly [name: string, value: string])[] }
    | { readonly kind: 'text'; readonly text: string }
    /** `omitted`: above the limit of the journal, or missing in the capture. */
    | { readonly kind: 'binary' | 'omitted' }
  );

/** A body before redaction, parsed if possible. */
type ReadBody =
  | { readonly kind: 'json'; readonly value: unknown; readonly size: Size }
  | { readonly kind: 'form'; readonly fields: URLSearchParams; readonly size: Size }
  | { readonly kind: 'text'; readonly text: string; readonly size: Size }
  | { readonly kind: 'binary' | 'omitted'; readonly size: Size };

interface Size {
  readonly bytes: number;
  readonly state: Body['state'];
}

/** Reads a body for the journal; null if it is missing. `limit` in bytes. */
function recordableBody(
  bytes: Uint8Array | null,
  state: Body['state'],
  headers: HeaderFields,
  limit: number,
): ReadBody | null {
  if (bytes === null || (bytes.length === 0 && state === 'complete')) return null;
  const size = { bytes: bytes.length, state };
  if (bytes.length > limit) return { kind: 'omitted', size };
  const text = decodeUtf8(bytes);
  if (text === undefined || text.includes('\0') || state === 'undecodable') return { kind: 'binary', size };
  const type = (header(headers, 'content-type') ?? '').toLowerCase();
  if (type.startsWith('application/x-www-form-urlencoded')) {
    return { kind: 'form', size, fields: new URLSearchParams(text) };
  }
  if (/json/.test(type) || /^\s*[[{]/.test(text)) {
    const value = parseJson(text);
    // broken JSON is kept as text, so that its error is visible
    if (value !== undefined) return { kind: 'json', size, value };
  }
  return { kind: 'text', size, text };
}

/**
 * Teaches a redactor the secrets of an exchange, which may reappear in an answer, a field name or an error.
 *
 * @param limit bytes of a body that are read
 */
export function learnFromExchange(exchange: Exchange, redactor: Redactor, limit: number): void {
  const { request, response, token } = exchange;
  if (token !== null) redactor.learn(token.value);
  learnFromBody(recordableBody(request.body, 'complete', request.headers, limit), redactor);
  const content = (response?.body.bytes.length ?? 0) > limit ? null : contentOf(exchange);
  if (content?.kind === 'json') redactor.learnFrom(content.value);
}

/** Teaches a redactor the secrets that a body names. */
function learnFromBody(body: ReadBody | null, redactor: Redactor): void {
  if (body?.kind === 'json') redactor.learnFrom(body.value);
  else if (body?.kind === 'form') redactor.learnFrom(Object.fromEntries(body.fields));
}

function journalBody(body: ReadBody | null, redactor: Redactor): JournalBody | null {
  if (body === null) return null;
  const { size } = body;
  switch (body.kind) {
    case 'json':
      return { kind: 'json', ...size, json: redactor.json(body.value) };
    case 'form':
      return { kind: 'form', ...size, fields: redactor.fields(body.fields) };
    case 'text':
      return { kind: 'text', ...size, text: redactor.text(body.text) };
    default:
      return { kind: body.kind, ...size };
  }
}
