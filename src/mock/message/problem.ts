import { ToolError } from '../../errors.ts';
import { type Answer, type FlatHeaders, headerOf, jsonAnswer } from './answer.ts';

/**
 * Base of each problem's `type`. It is not the API's own error shape. This host cannot
 * exist (RFC 6761), so our problems are not mistaken for the API's.
 */
export const PROBLEM_BASE = 'https://banking-api-contract.invalid/problems/';

/** Media type of a problem (RFC 9457, 3). */
export const PROBLEM_TYPE = 'application/problem+json';

/** The fixed facts about a kind of problem. */
export interface ProblemRow {
  readonly status: number;
  readonly title: string;
  /** The step of the check, named as in docs/mock.md. */
  readonly step: string;
  readonly reference: string;
  readonly wouldPass: string;
}

/** All problems of the mock, by step and reference, then by kind: status, title, and a request that would pass. */
const GROUPS = {
  'framing: RFC 9110, RFC 9112': {
    'bad-request': [400, 'The request is not well-formed HTTP', 'a well-formed request with one Host field'],
    'expectation-failed': [417, 'The expectation cannot be met', 'no Expect, or 100-continue'],
  },
  'framing: limits of the mock': {
    'body-too-large': [413, 'The body is too large', 'a body of at most 1 MiB'],
    'target-too-long': [414, 'The request target is too long', 'a target of at most 8 KiB'],
    'headers-too-large': [431, 'The header fields are too large', 'header fields of at most 16 KiB together'],
    'request-timeout': [408, 'The request did not arrive in time', 'a request that arrives within 30 seconds'],
  },
  'host: DNS rebinding': {
    'host-refused': [421, 'This mock does not accept this Host', 'a loopback name, or a host of allowedHosts'],
  },
  'path: RFC 9110, RFC 9112': {
    'bad-target': [400, 'The request target is not valid', 'a path and a query whose percent-escapes are valid UTF-8'],
  },
  'path: the paths of the contract': {
    'no-such-path': [404, 'No operation has this path', 'a path of the contract (banking-api spec prints them)'],
  },
  'method: RFC 9110, 15.5.6': {
    'method-not-allowed': [405, 'This path does not accept this method', 'a method that the Allow header lists'],
  },
  'withdrawn: the deprecation of the operation': {
    'operation-withdrawn': [410, 'The operation has been withdrawn', 'the successor that the Link header names'],
  },
  'token: RFC 6750, 2': {
    'two-tokens': [400, 'The token was sent in more than one way', 'the token once, in one Authorization field'],
  },
  'token: RFC 6750, 3': {
    'token-missing': [401, 'A bearer token is required', 'a bearer token from the token endpoint'],
    'token-refused': [
      401,
      'The bearer token was not accepted',
      'a token that this mock issued since it started, neither expired nor revoked',
    ],
  },
  'token: the security schemes of the operation': {
    'key-refused': [401, 'The credentials were not accepted', 'the credentials that the mock was started with'],
  },
  'accept: RFC 9110, 12.5.1': {
    'not-acceptable': [
      406,
      'No response type of this operation is acceptable',
      'an Accept field that allows a type of the operation',
    ],
  },
  'body: RFC 8259': {
    'bad-body': [400, 'The body cannot be read', 'JSON in UTF-8 without a byte order mark, no member twice'],
  },
  'body: the schema of the request body': {
    'invalid-body': [
      422,
      'The body does not satisfy the contract',
      'a body that satisfies the schema at every named place',
    ],
    'unknown-member': [
      422,
      'The body has members that the operation does not define',
      'a body without the named members, or a mock without --strict',
    ],
  },
  'body: the parameters of the operation': {
    'invalid-query': [422, 'The query does not satisfy the contract', 'parameters that satisfy their schemas'],
    'invalid-header': [422, 'A header field does not satisfy the contract', 'parameters that satisfy their schemas'],
    'invalid-path': [422, 'The path does not satisfy the contract', 'parameters that satisfy their schemas'],
    'unknown-query': [
      422,
      'The query has parameters that the operation does not define',
      'a query without the given names, or a mock without --strict',
    ],
  },
  'body: the request body of the operation': {
    'missing-body': [400, 'A body is required', 'the same request with a JSON body'],
  },
  'body: RFC 9110, 8.3': {
    'missing-type': [415, 'Content-Type is missing', 'a content type of the operation'],
  },
  'body: RFC 9110, 15.5.16': {
    'unsupported-type': [415, 'This operation does not accept this Content-Type', 'a content type of the operation'],
  },
  'behaviour: an assumption of the mock': {
    'not-found': [404, 'No resource has this id', 'an id that a list of the same kind shows'],
    'unknown-reference': [422, 'The body refers to an id that does not exist', 'a body with existing ids'],
  },
  'behaviour: the store of the mock': {
    'store-unavailable': [503, 'The store of the mock does not answer', 'the same request when /__mock/health is ok'],
  },
  'payload: the responses of the operation': {
    'preference-unmet': [400, 'The preferred response does not exist', 'a Prefer that names one of them'],
    'no-example': [501, 'The mock found no response that satisfies the contract', 'an example in the contract'],
  },
  'payload: the Prefer of the request': {
    conflict: [409, 'The current state does not allow this', 'the same request without Prefer'],
    'too-many-requests': [429, 'Too many requests', 'the same request without Prefer'],
    'server-error': [500, 'The mock simulates a server failure', 'the same request without Prefer'],
  },
  'scenario: a scenario of the mock': {
    scenario: [400, 'A scenario of the mock sent this answer', 'the same request without the scenario'],
    'scenario-unknown': [400, 'The scenario does not exist', 'a name that GET /__mock/scenarios lists'],
  },
  'control: the control API': {
    'control-refused': [403, 'The control API does not accept this request', 'see docs/mock-control.md'],
    'control-input': [422, 'The control API cannot do this', 'see /__mock/openapi.json'],
    'control-conflict': [409, 'This conflicts with a record of the mock', 'see /__mock/openapi.json'],
    'no-such-control': [404, 'The control API does not have this path', 'see /__mock/openapi.json'],
  },
  'fault: an engine that is not installed': {
    'engine-missing': [501, 'This answer needs a missing package', 'the same request after its installation'],
  },
  'fault: a fault of the mock': {
    fault: [500, 'The mock failed', 'nothing: please report it'],
  },
} as const;

type KindIn<Rows> = Rows extends unknown ? keyof Rows : never;
export type ProblemKind = KindIn<(typeof GROUPS)[keyof typeof GROUPS]>;

export const PROBLEMS: Readonly<Record<ProblemKind, ProblemRow>> = Object.fromEntries(
  Object.entries(GROUPS).flatMap(([group, rows]) => {
    const [step = '', reference] = group.split(/: (.*)/);
    return Object.entries<readonly [number, string, string]>(rows).map(([kind, [status, title, wouldPass]]) => {
      return [kind, { status, title, step, reference, wouldPass }];
    });
  }),
) as Record<ProblemKind, ProblemRow>;

export interface NamedProblem {
  readonly name: string;
  readonly status: number;
  readonly title: string;
}

/** A fault in a request, with its place: a JSON pointer into the body, or the name of a parameter. */
export interface Wrong {
  readonly in: 'body' | 'query' | 'header' | 'path' | 'cookie';
  readonly pointer?: string;
  readonly name?: string;
  readonly message: string;
}

export interface ProblemMore {
  /** Overrides the usual status of the kind. */
  readonly status?: number;
  readonly headers?: FlatHeaders;
  /** Extension members (RFC 9457, 3.2). */
  readonly members?: Readonly<Record<string, unknown>>;
}

/** An `application/problem+json` answer (RFC 9457). It is `assumed`, since the reference documents no problems. */
export function problem(kind: ProblemKind | NamedProblem, detail: string, more: ProblemMore = {}): Answer {
  const { name, title, ...usual } = typeof kind === 'string' ? { name: kind, ...PROBLEMS[kind] } : kind;
  const { status = usual.status } = more;
  const body = {
    type: PROBLEM_BASE + name,
    title,
    status,
    detail,
    ...more.members,
  };
  return jsonAnswer(status, body, 'assumed', more.headers, PROBLEM_TYPE);
}

/** Adds the `instance` of a problem (RFC 9457, 3.1.5): the mock's page that explains this refusal. */
export function withInstance(given: Answer, seq: number): Answer {
  const { status, body, headers } = given;
  // a scenario may have broken the body, and a contract may document problems of its own
  if (status < 400 || !body?.includes(PROBLEM_BASE) || body.at(-1) !== '}'.charCodeAt(0)) return given;
  if (headerOf(given, 'content-type') !== PROBLEM_TYPE) return given;
  const bytes = Buffer.concat([body.subarray(0, -1), Buffer.from(`,"instance":"/__mock/#/exchange/${seq}"}`)]);
  const length = headers.findIndex((text, index) => index % 2 === 0 && text === 'content-length');
  return { ...given, body: bytes, headers: headers.with(length + 1, String(bytes.length)) };
}

/** Problem kinds by error code, for answers that cannot be made. */
const KINDS: Readonly<Record<string, ProblemKind>> = {
  'engine-missing': 'engine-missing',
  'spec-invalid': 'no-example',
};

/** Answers an error in the mock itself, which no request should cause. Only a ToolError shows its message. */
export function fault(error: unknown): Answer {
  if (error instanceof ToolError) {
    return problem(KINDS[error.code] ?? 'fault', error.describe(), { status: 501 });
  }
  return problem('fault', 'the mock failed; please report it with the request that led to this');
}
