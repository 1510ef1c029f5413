import { ToolError } from '../../errors.ts';
import { type Answer, type FlatHeaders, jsonAnswer } from './answer.ts';

/**
 * Base of the `type` of every problem that the mock makes. The API's own error shape is not documented
 * (API reference, Errors), so ours must not be mistaken for it: the host cannot exist (RFC 6761).
 */
export const PROBLEM_BASE = 'https://banking-api-contract.invalid/problems/';

/** Every problem of the mock: its title. A problem without a title does not compile. */
const TITLES = {
  'bad-request': 'The request is not well-formed HTTP',
  'bad-target': 'The request target is not valid',
  'bad-body': 'The body cannot be read',
  'invalid-body': 'The body does not satisfy the contract',
  'invalid-query': 'The query does not satisfy the contract',
  'invalid-header': 'A header field does not satisfy the contract',
  'invalid-path': 'The path does not satisfy the contract',
  'unknown-member': 'The body has members that the operation does not know',
  'unknown-query': 'The query has names that the operation does not know',
  'missing-body': 'A body is required',
  'host-refused': 'The Host is not one that this mock answers',
  'no-such-path': 'No operation has this path',
  'method-not-allowed': 'The path has no such method',
  'two-tokens': 'The token was sent in more than one way',
  'token-missing': 'A bearer token is needed',
  'token-refused': 'The bearer token was not accepted',
  'not-acceptable': 'No answer of an acceptable type exists',
  'missing-type': 'The type of the body is not said',
  'unsupported-type': 'The type of the body is not taken here',
  'body-too-large': 'The body is too large',
  'target-too-long': 'The request target is too long',
  'headers-too-large': 'The header fields are too large',
  'request-timeout': 'The request did not arrive in time',
  'expectation-failed': 'The expectation cannot be met',
  'operation-withdrawn': 'The operation has been withdrawn',
  'preference-unmet': 'No such answer can be given',
  scenario: 'A scenario of the mock answers',
  'scenario-unknown': 'There is no such scenario',
  conflict: 'The state of things does not allow this',
  'too-many-requests': 'Too many requests',
  'server-error': 'The mock answers as a server that failed',
  'not-found': 'Nothing here has this id',
  'unknown-reference': 'The body names something that is not there',
  'store-unavailable': 'The store of the mock does not answer',
  'control-refused': 'The control API does not take this request',
  'control-input': 'The control API cannot do this',
  'control-conflict': 'Something has this id already',
  'no-such-control': 'The control API has no such path',
  'engine-missing': 'This answer needs what is not installed',
  fault: 'The mock failed',
} as const;

export type ProblemKind = keyof typeof TITLES;

/** A problem that the contract names, not the mock. */
export interface NamedProblem {
  readonly name: string;
  readonly title: string;
}

/** One thing that is wrong with a request, and where: a JSON pointer into the body or the name of a parameter. */
export interface Wrong {
  readonly in: 'body' | 'query' | 'header' | 'path';
  readonly pointer?: string;
  readonly name?: string;
  readonly message: string;
}

export interface ProblemMore {
  readonly headers?: FlatHeaders;
  /** Extension members (RFC 9457, 3.2). */
  readonly members?: Readonly<Record<string, unknown>>;
}

/** An `application/problem+json` answer (RFC 9457). Nothing of it is documented, so all of it is `assumed`. */
export function problem(
  status: number,
  kind: ProblemKind | NamedProblem,
  detail: string,
  more: ProblemMore = {},
): Answer {
  const { name, title } = typeof kind === 'string' ? { name: kind, title: TITLES[kind] } : kind;
  const body = {
    type: PROBLEM_BASE + name,
    title,
    status,
    detail,
    ...more.members,
  };
  return jsonAnswer(status, body, 'assumed', more.headers, 'application/problem+json');
}

/** Nothing that a request holds may lead here; what does is a fault of ours and is said as one, without its message. */
export function fault(error: unknown): Answer {
  if (error instanceof ToolError) {
    return problem(501, error.code === 'engine-missing' ? 'engine-missing' : 'fault', error.describe());
  }
  return problem(500, 'fault', 'the mock failed; please report it with the request that led to this');
}
