import type { Refusal } from '../../../generated/mock/entities.ts';
import type { JournalEntry } from '../../journal/write.ts';
import { headerOf } from '../http/answer.ts';
import { fillPath } from '../http/call.ts';
import { PROBLEM_BASE, type ProblemKind } from '../http/problem.ts';
import type { Heard } from '../http/recorder.ts';
import type { Nearest } from '../pipeline/nearest.ts';
import { WARNING_HEADER } from '../pipeline/objections.ts';
import { tokenCommand } from '../tokens/token-endpoint.ts';
import type { Controls } from './controls.ts';
import { type FittedBody, fitBody, leastBody } from './fit-body.ts';
import type { Repair } from './repeat.ts';

/** The steps of judgement, as docs/mock.md counts them. */
const ORDER = ['framing', 'host', 'path', 'method', 'withdrawn', 'token', 'accept', 'body', 'behaviour', 'payload'];

/** Why a request was refused, or what a stricter mock would have refused of it. */
export interface Why {
  readonly seq: number;
  readonly method: string;
  readonly path: string;
  readonly operationId: string | null;
  readonly status: number;
  /** The rule: the kind of the problem, or the error code of the token endpoint. */
  readonly rule: string;
  /** The step of judgement at which it was refused, as docs/mock.md counts them. */
  readonly step: string;
  /** All steps, in the order of judgement. */
  readonly order: readonly string[];
  readonly message: string;
  /** What is wrong with it, each with its place. */
  readonly where: readonly {
    readonly in: string;
    readonly pointer?: string;
    readonly name?: string;
    /** In a body that cannot be read, from 1. */
    readonly position?: { readonly line: number; readonly column: number };
    readonly message: string;
  }[];
  readonly wouldPass: string;
  /** What the rule rests on. */
  readonly reference: string;
  /** Scenarios that had a hand in it. */
  readonly scenarios: readonly string[];
  /** Why a stricter mock would have refused what was served; null where none would. */
  readonly warning: string | null;
  /** Operations whose paths are nearest to the one that no operation has. */
  readonly nearest: readonly Nearest[];
  /** Ids that are there, where one was named that is not. */
  readonly existing: readonly string[];
  /** A request that passes, as a command line; null where none can be told. */
  readonly example: string | null;
  /** What of the request to change when it is repeated, so that this rule lets it pass; empty where that cannot be told. */
  readonly repair: Repair;
}

export function isRefusal({ answer }: Heard): boolean {
  return answer.status >= 400;
}

/** True of what a stricter mock would have refused. */
export function isWarned({ answer }: Heard): boolean {
  return headerOf(answer, WARNING_HEADER) !== undefined;
}

/** Explains a refusal by the answer that was given and by the contract. */
export async function why(heard: Heard, entry: JournalEntry, controls: Controls): Promise<Why> {
  const { answer, trail, call } = heard;
  const told = parsed(heard);
  const warning = headerOf(answer, WARNING_HEADER) ?? null;
  const isServed = answer.status < 400;
  const rule = isServed ? 'warning' : (ruleOf(told) ?? (trail.scenarios ? 'scenario' : 'other'));
  const named = controls.parts().entities.file.refusals?.[rule];
  const reason = REASONS[rule] ?? (named ? reasonOf(named) : REASONS.other);
  const challenge = headerOf(answer, 'www-authenticate');
  const errors = Array.isArray(told.errors) ? (told.errors as Why['where']) : [];
  const [field, fault = ''] = FAULTY_FIELDS[rule] ?? [];
  const where = field === undefined ? unreadable(told) : [{ in: 'header', name: field, message: fault }];
  const allow = headerOf(answer, 'allow');
  const nearest = listIn<Nearest>(told.nearest);
  const existing = listIn<string>(told.existing);
  const meant = nearest[0] ?? withExisting(heard, errors, existing);
  const fitted = await fitBody(heard, controls);
  return {
    seq: heard.seq,
    method: call.method,
    path: entry.path,
    operationId: entry.operationId,
    status: answer.status,
    rule,
    step: reason.step,
    order: ORDER,
    message: String(
      (isServed ? warning : told.detail) ??
        told.error_description ??
        challenge ??
        'the answer says no more than its status',
    ),
    where: errors.length > 0 ? errors : where,
    wouldPass: passing(rule, allow, { meant, fitted }) ?? reason.wouldPass,
    reference: reason.reference,
    scenarios: trail.scenarios ?? [],
    warning,
    nearest,
    existing,
    example: await exampleOf(heard, controls, meant),
    repair: fitted ? { fit: 'body' } : repairOf(rule, allow, meant),
  };
}

/** Where a body could not be read on. */
function unreadable({ position, detail }: Readonly<Record<string, unknown>>): Why['where'] {
  const at = position as { readonly line: number; readonly column: number } | undefined;
  return at === undefined
    ? []
    : [{ in: 'body', position: { line: at.line, column: at.column }, message: String(detail) }];
}

/** What was probably meant: another path, or the same with an id that is there. */
type Meant = Pick<Nearest, 'method' | 'example'>;

/** The same request with an id that is there, where its path names one that is not. */
function withExisting(
  { call, trail: { operation, parameters } }: Heard,
  errors: Why['where'],
  [id]: readonly string[],
): Meant | undefined {
  const name = errors.find((error) => error.in === 'path')?.name;
  if (operation === null || name === undefined || id === undefined) return undefined;
  const query = call.query === '' ? '' : `?${call.query}`;
  return { method: call.method, example: `${fillPath(operation.path, { ...parameters, [name]: id })}${query}` };
}

function repairOf(rule: string, allow: string | undefined, meant: Meant | undefined): Repair {
  if (['token-missing', 'token-refused', 'two-tokens'].includes(rule)) return { token: 'fresh' };
  if (meant) return { method: meant.method, path: meant.example };
  const method = allow?.split(', ').find((one) => one !== 'OPTIONS' && one !== 'HEAD');
  return rule === 'method-not-allowed' && method !== undefined ? { method } : {};
}

/** What would pass where the answer itself says it. */
function passing(
  rule: string,
  allow: string | undefined,
  { meant, fitted }: { readonly meant: Meant | undefined; readonly fitted: FittedBody | undefined },
): string | undefined {
  if (fitted && fitted.changes.length > 0) return `the same body with ${fitted.changes.join(', ')}`;
  if (rule === 'method-not-allowed' && allow !== undefined) return `one of ${allow}`;
  return meant && `${meant.method} ${meant.example}`;
}

function listIn<T>(value: unknown): readonly T[] {
  return Array.isArray(value) ? (value as T[]) : [];
}

function parsed({ answer }: Heard): Readonly<Record<string, unknown>> {
  if (!/json/.test(headerOf(answer, 'content-type') ?? '')) return {};
  try {
    const value = JSON.parse(String(answer.body)) as unknown;
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function ruleOf({ type, error }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof type === 'string' && type.startsWith(PROBLEM_BASE)) return type.slice(PROBLEM_BASE.length);
  return typeof error === 'string' ? error : undefined;
}

/** A request of the same operation as the contract wants it, in words of curl; secrets are named, not shown. */
async function exampleOf({ trail, call }: Heard, controls: Controls, meant: Meant | undefined): Promise<string | null> {
  const { contract, url } = controls;
  const { operation } = trail;
  if (!operation) return null;
  const target = `${url()}${meant?.example ?? fillPath(operation.path, trail.parameters ?? {})}`;
  const { token: facts, operation: byId } = await contract();
  if (operation.auth === 'issues') return facts && tokenCommand(facts, `'${target}'`, ['"$USERNAME"', '"$PASSWORD"']);
  const method = operation.method === 'GET' ? '' : ` -X ${operation.method}`;
  const known = byId(operation.operationId);
  const media = operation.request?.media[0]?.type;
  const wantsBody = known && media !== undefined && (operation.request?.required || call.body);
  const least = wantsBody ? await leastBody(operation.operationId, controls) : undefined;
  if (wantsBody && least === undefined) return null;
  const text = JSON.stringify(least)?.replaceAll("'", "'\\''");
  const body = wantsBody ? ` -H 'Content-Type: ${media}' -d '${text}'` : '';
  const token = operation.auth === 'bearer' ? ' -H "Authorization: Bearer $TOKEN"' : '';
  return `curl${method}${token}${body} '${target.replaceAll("'", '%27')}'`;
}

/** What is to be said of a refusal beside what its answer says. */
export interface Reason {
  readonly step: string;
  readonly wouldPass: string;
  readonly reference: string;
}

function reason(step: string, reference: string, wouldPass: string): Reason {
  return { step, wouldPass, reference };
}

const TOKEN_ENDPOINT = 'API reference, Authentication 2; RFC 6749, 5.2';
const TOKEN = 'API reference, Authentication 4 and Errors; RFC 6750, 3';
const HTTP = 'RFC 9110, RFC 9112';
const CONTROL = reason('control', 'the control API', 'see /__mock/openapi.json');
const PARAMETERS = reason('body', 'the parameters of the operation', 'parameters that satisfy their schemas');

/** What is to be said of a refusal that the contract names. */
export function reasonOf({ assumed, reference, wouldPass }: Refusal): Reason {
  return reason(
    'behaviour',
    reference ?? (assumed ? 'an assumption of the mock' : 'a rule of the contract'),
    wouldPass ?? 'a request that keeps the rule',
  );
}

const PROBLEMS: Readonly<Record<ProblemKind, Reason>> = {
  'bad-request': reason('framing', HTTP, 'a well-formed request with one Host field'),
  'bad-target': reason('path', HTTP, 'a path and a query whose percent-escapes are valid UTF-8'),
  'bad-body': reason('body', 'RFC 8259', 'JSON in UTF-8 without a byte order mark, no member twice'),
  'invalid-body': reason(
    'body',
    'the schema of the request body',
    'a body of which every named place satisfies the schema',
  ),
  'invalid-query': PARAMETERS,
  'invalid-header': PARAMETERS,
  'invalid-path': PARAMETERS,
  'unknown-member': reason(
    'body',
    'the schema of the request body',
    'a body without the members that are named, or a mock without --strict',
  ),
  'unknown-query': reason(
    'body',
    'the parameters of the operation',
    'a query without the names that are given, or a mock without --strict',
  ),
  'missing-type': reason('body', 'RFC 9110, 8.3', 'a content type of the operation'),
  'missing-body': reason('body', 'the request body of the operation', 'the same request with a JSON body'),
  'host-refused': reason(
    'host',
    'rule of the mock against DNS rebinding',
    'a loopback name, or a host of allowedHosts',
  ),
  'no-such-path': reason('path', 'API reference, Endpoints', 'a path of the contract: banking-api spec prints them'),
  'method-not-allowed': reason('method', 'API reference, Endpoints; RFC 9110, 15.5.6', 'a method of Allow'),
  'two-tokens': reason('token', 'RFC 6750, 2', 'the token once, in one Authorization field'),
  'token-missing': reason('token', TOKEN, 'Authorization: Bearer with a token of the token endpoint'),
  'token-refused': reason(
    'token',
    TOKEN,
    'a token that this mock issued since it started and that is neither expired nor revoked',
  ),
  'not-acceptable': reason('accept', 'RFC 9110, 12.5.1', 'an Accept that takes a type of the operation'),
  'unsupported-type': reason('body', 'RFC 9110, 15.5.16', 'a content type of the operation'),
  'body-too-large': reason('framing', 'limits of the mock', 'a body of at most 1 MiB'),
  'target-too-long': reason('framing', 'limits of the mock', 'a target of at most 8 KiB'),
  'headers-too-large': reason('framing', 'limits of the mock', 'header fields of at most 16 KiB together'),
  'request-timeout': reason('framing', 'limits of the mock', 'a request that arrives within 30 seconds'),
  'expectation-failed': reason('framing', HTTP, 'no Expect, or 100-continue'),
  conflict: reason('payload', 'the Prefer of the request', 'the same request without Prefer'),
  'too-many-requests': reason('payload', 'the Prefer of the request', 'the same request without Prefer'),
  'server-error': reason('payload', 'the Prefer of the request', 'the same request without Prefer'),
  'operation-withdrawn': reason('withdrawn', 'API reference, Versioning 3', 'its successor, which the Link names'),
  'preference-unmet': reason(
    'payload',
    'the responses of the operation',
    'a Prefer that names a response or an example of the operation',
  ),
  'not-found': reason('behaviour', 'an assumption of the mock', 'an id that a list of the same kind shows'),
  'unknown-reference': reason(
    'behaviour',
    'an assumption of the mock',
    'a body whose ids are those of things that are there',
  ),
  'store-unavailable': reason(
    'behaviour',
    'the store of the mock',
    'the same request once /__mock/health is well again',
  ),
  scenario: reason('scenario', 'a scenario of the mock', 'the same request without the scenario'),
  'scenario-unknown': reason('scenario', 'a scenario of the mock', 'a name that GET /__mock/scenarios lists'),
  'control-refused': reason('control', 'the control API', 'see docs/mock-control.md'),
  'control-input': CONTROL,
  'control-conflict': CONTROL,
  'no-such-control': CONTROL,
  'engine-missing': reason('fault', 'an engine that is not installed', 'the same request where it is installed'),
  fault: reason('fault', 'a fault of the mock', 'nothing: please report it'),
};

/** By the kind of a problem, or the error code of the token endpoint. */
export const REASONS: Readonly<Record<string, Reason | undefined>> & { readonly other: Reason } = {
  ...PROBLEMS,
  invalid_client: reason(
    'credentials',
    TOKEN_ENDPOINT,
    'the credentials that the mock was started with, sent as the contract says: by HTTP Basic, or in the form',
  ),
  invalid_request: reason('grant', TOKEN_ENDPOINT, 'a form with the documented grant_type, once'),
  unsupported_grant_type: reason('grant', TOKEN_ENDPOINT, 'the documented grant_type'),
  warning: reason('body', 'what the mock assumes and knows', 'it passed here; a mock with --strict refuses it'),
  other: reason('answer', 'the answer itself', 'unknown: the answer does not say'),
};

/** The header field in which the fault lies when the answer names no place, and what is wrong with it. */
export const FAULTY_FIELDS: Readonly<Record<string, readonly [name: string, message: string] | undefined>> = {
  'host-refused': ['host', 'is not one of the mock'],
  'two-tokens': ['authorization', 'the token was sent more than once'],
  'token-missing': ['authorization', 'is missing'],
  'token-refused': ['authorization', 'the token is not accepted'],
  'not-acceptable': ['accept', 'takes none of the types of the operation'],
  'missing-type': ['content-type', 'is missing'],
  'unsupported-type': ['content-type', 'is not taken here'],
  'expectation-failed': ['expect', 'cannot be met'],
  'preference-unmet': ['prefer', 'cannot be met'],
  'scenario-unknown': ['x-mock-scenario', 'names no scenario'],
  invalid_client: ['authorization', 'the credentials are missing or wrong'],
};
