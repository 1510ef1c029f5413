import type { Contract } from '../contract/contract.ts';
import { secretNames } from '../contract/secrets.ts';
import { type Auth, type Call, type Forgery, isForgery } from '../model/call.ts';
import { type Exchange, type HeaderFields, header } from '../model/exchange.ts';
import type { Finding, Ticket } from '../model/finding.ts';
import { type Variables, variablesOf } from '../model/variables.ts';
import { excerpt } from '../redact/excerpt.ts';
import { createSecretKeys } from '../redact/keys.ts';
import { parseJson } from '../text/decode.ts';
import { shellWord, variableNamed, type WordPart } from './shell.ts';

/** Default header fields in which a target returns its request id. */
export const REQUEST_IDS: readonly string[] = ['x-request-id', 'x-correlation-id', 'traceparent'];

export interface TicketOptions {
  readonly contract: Contract;
  readonly baseUrl: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly requestIds?: readonly string[] | undefined;
  /** Header fields in which the run sends its own request ids, in lower case. */
  readonly sentIds?: readonly string[];
  /** The requests come from a caller: values stay in the process, only names are printed. */
  readonly byName?: boolean;
  /** Names of the variables that hold the credentials. */
  readonly variables?: Variables | undefined;
  /** The variable that holds the bearer token. Default: `TOKEN`, which a person sets. */
  readonly bearer?: string;
  readonly redact: (text: string) => string;
}

const LONGEST_ID = 200;
const LONGEST_BODY = 4096;

export function withTickets(findings: readonly Finding[], calls: readonly Call[], options: TicketOptions): Finding[] {
  const bySeq = new Map(
    calls.flatMap((call) => call.attempts.map((exchange) => [exchange.seq, { call, exchange }] as const)),
  );
  const write = createWriter(options);
  return findings.map((finding) => {
    const shown = finding.exchanges.flatMap((seq) => bySeq.get(seq) ?? []);
    const last = shown.findLast(({ exchange }) => exchange.response !== null) ?? shown.at(-1);
    return last === undefined ? finding : { ...finding, ticket: ticketOf(last.exchange, write(last), options) };
  });
}

function ticketOf({ startedAt, request, response }: Exchange, curl: string | null, options: TicketOptions): Ticket {
  const idsIn = (fields: HeaderFields, names: readonly string[]): Record<string, string> =>
    Object.fromEntries(
      names.flatMap((name): [string, string][] => {
        const value = header(fields, name.toLowerCase());
        return value === undefined ? [] : [[name.toLowerCase(), excerpt(value, LONGEST_ID, options.redact)]];
      }),
    );
  const sentIds = idsIn(request.headers, options.sentIds ?? []);
  return {
    at: new Date(startedAt).toISOString(),
    requestIds: idsIn(response?.headers ?? [], options.requestIds ?? REQUEST_IDS),
    ...(Object.keys(sentIds).length > 0 && { sentIds }),
    curl,
  };
}

/** Fields that curl sets itself, or that concern the connection. */
const NOT_REPEATED: ReadonlySet<string> = new Set([
  'authorization',
  'host',
  'user-agent',
  'content-length',
  'transfer-encoding',
  'connection',
  'accept-encoding',
]);

const PLAIN_FIELDS: ReadonlySet<string> = new Set(['accept', 'accept-language', 'content-type']);

interface SentRequest {
  readonly call: Call;
  readonly exchange: Exchange;
}

function createWriter({
  contract,
  baseUrl,
  parameters,
  byName = false,
  variables = variablesOf(),
  bearer = 'TOKEN',
  redact,
}: TicketOptions): (sent: SentRequest) => string | null {
  const keys = createSecretKeys(secretNames(contract));

  /** A literal value, or a variable for an id of the run or a secret. */
  function pieceOf(name: string, value: string, own: Call['parameters'], encode = (text: string) => text): WordPart {
    const known = [...Object.entries(own), ...Object.entries(parameters)].find(([, each]) => each === value);
    if (known !== undefined) return { variable: variableNamed(known[0]) };
    if (byName || keys.isSensitive(name) || redact(value) !== value) return { variable: variableNamed(name) };
    return { literal: encode(value) };
  }

  function addressOf({ call, exchange }: SentRequest): WordPart[] {
    const { target } = exchange.request;
    const cut = target.indexOf('?');
    const path = contract.operation(call.operationId)?.path;
    const places = path?.split(/\{([^{}]*)\}/).map((part, index): WordPart => {
      return index % 2 === 1 ? { variable: variableNamed(part) } : { literal: part };
    });
    const asked = cut < 0 ? [] : queryOf(target.slice(cut + 1), call);
    return [
      { literal: baseUrl },
      ...(places ?? [{ literal: redact(cut < 0 ? target : target.slice(0, cut)) }]),
      ...asked,
    ];
  }

  function queryOf(query: string, { parameters: own }: Call): WordPart[] {
    return [...new URLSearchParams(query)].flatMap(([name, value], index) => [
      { literal: `${index === 0 ? '?' : '&'}${encodeURIComponent(name)}=` },
      pieceOf(name, value, own, encodeURIComponent),
    ]);
  }

  function fieldsOf({ exchange }: SentRequest): WordPart[][] {
    return exchange.request.headers
      .filter(([name]) => !NOT_REPEATED.has(name))
      .map(([name, value]) => [
        { literal: `${name}: ` },
        PLAIN_FIELDS.has(name) ? { literal: redact(value) } : { variable: variableNamed(name) },
      ]);
  }

  function jsonPieces(value: unknown, name: string, own: Call['parameters']): WordPart[] {
    if (typeof value === 'string') {
      const piece = pieceOf(name, value, own, (text) => JSON.stringify(text).slice(1, -1));
      return [{ literal: '"' }, piece, { literal: '"' }];
    }
    if (typeof value !== 'object' || value === null)
      return value === null ? [{ literal: 'null' }] : [pieceOf(name, JSON.stringify(value), own)];
    const parts = Array.isArray(value)
      ? value.map((item) => jsonPieces(item, name, own))
      : Object.entries(value).map(([key, item]) => [
          { literal: `${JSON.stringify(key)}:` },
          ...jsonPieces(item, key, own),
        ]);
    const [open, close] = Array.isArray(value) ? '[]' : '{}';
    return [
      { literal: open ?? '' },
      ...parts.flatMap((part, index) => (index === 0 ? part : [{ literal: ',' }, ...part])),
      { literal: close ?? '' },
    ];
  }

  /** Null if it does not fit into one line. */
  function bodyOf({ call, exchange }: SentRequest): WordPart[] | null {
    const { body, headers } = exchange.request;
    if (body === null || body.length === 0) return [];
    if (body.length > LONGEST_BODY) return null;
    const text = Buffer.from(body).toString('utf8');
    const type = header(headers, 'content-type') ?? '';
    if (type.startsWith('application/x-www-form-urlencoded')) {
      const [first, ...rest] = queryOf(text, call);
      return first === undefined ? [] : [{ literal: 'literal' in first ? first.literal.slice(1) : '' }, ...rest];
    }
    const value = parseJson(text);
    return value === undefined ? null : jsonPieces(value, '', call.parameters);
  }

  const ofClient = [`-u "$${variables.username}:$${variables.password}"`];
  const ofBearer = [`-H "Authorization: Bearer $${bearer}"`];
  const credentials: Readonly<Record<Exclude<Auth, Forgery | 'none'>, readonly string[]>> = {
    token: ofBearer,
    garbage: ["-H 'Authorization: Bearer not-a-token'"],
    client: ofClient,
    'wrong-client': ['-u nobody:wrong'],
  };

  function credentialsOf({ call: { auth }, exchange }: SentRequest): readonly string[] {
    if (isForgery(auth)) return ['-H "Authorization: Bearer $FORGED_TOKEN"'];
    if (auth !== 'none') return credentials[auth];
    // a contract without a token endpoint
    const [scheme] = header(exchange.request.headers, 'authorization')?.toLowerCase().split(' ') ?? [];
    if (scheme === 'basic') return ofClient;
    return scheme === 'bearer' ? ofBearer : [];
  }

  return (sent) => {
    const { method } = sent.exchange.request;
    const body = bodyOf(sent);
    if (body === null) return null;
    const how = method === 'GET' ? [] : method === 'HEAD' ? ['--head'] : ['-X', shellWord([{ literal: method }])];
    return [
      'curl -sS -i',
      ...how,
      shellWord(addressOf(sent)),
      ...credentialsOf(sent),
      ...fieldsOf(sent).flatMap((field) => ['-H', shellWord(field)]),
      ...(body.length === 0 ? [] : ['--data-raw', shellWord(body)]),
    ].join(' ');
  };
}
