import type { Fault, Nearest, Repair, Why } from '../../../generated/mock/control.ts';
import type { Refusal } from '../../../generated/mock/entities.ts';
import { createReach } from '../../contract/paths.ts';
import type { JournalEntry } from '../../journal/write.ts';
import { WARNING_HEADER } from '../../model/mock-answer.ts';
import { parseJson } from '../../text/decode.ts';
import type { PlannedOperation } from '../compile/plan.ts';
import type { RecordedExchange } from '../http/recorder.ts';
import { headerOf } from '../message/answer.ts';
import { encodePath } from '../message/call.ts';
import { PROBLEM_BASE, PROBLEMS, type ProblemRow } from '../message/problem.ts';
import { STEPS } from '../pipeline/steps.ts';
import { tokenCommand } from '../tokens/token-endpoint.ts';
import type { Controls } from './controls.ts';
import { leastBody, type RepairedBody, repairBody } from './repair-body.ts';

export function isRefusal({ answer }: RecordedExchange): boolean {
  return answer.status >= 400;
}

export function isWarned({ answer }: RecordedExchange): boolean {
  return headerOf(answer, WARNING_HEADER) !== undefined;
}

export async function diagnose(recorded: RecordedExchange, entry: JournalEntry, controls: Controls): Promise<Why> {
  const { answer, trail, call } = recorded;
  const problem = parsed(recorded);
  const warning = headerOf(answer, WARNING_HEADER) ?? null;
  const isServed = answer.status < 400;
  const rule = isServed ? 'warning' : (ruleOf(problem) ?? (trail.scenarios ? 'scenario' : 'other'));
  const named = controls.served().parts.entities.file.refusals?.[rule];
  const reason = REASONS[rule] ?? (named ? refusalReason(named) : REASONS.other);
  const challenge = headerOf(answer, 'www-authenticate');
  const errors = Array.isArray(problem.errors) ? (problem.errors as readonly Fault[]) : [];
  const [field, fault = ''] = FAULTY_FIELDS[rule] ?? [];
  const where = field === undefined ? unreadable(problem) : [{ in: 'header', name: field, message: fault }];
  const allow = headerOf(answer, 'allow');
  const nearest = listIn<Nearest>(problem.nearest);
  const existing = listIn<string>(problem.existing);
  const suggested = nearest[0] ?? withExisting(recorded, errors, existing);
  const repairedBody = await repairBody(recorded, controls);
  return {
    seq: recorded.seq,
    method: call.method,
    path: entry.path,
    operationId: entry.operationId,
    status: answer.status,
    rule,
    step: reason.step,
    order: STEPS,
    message: String(
      (isServed ? warning : (problem.detail ?? warning)) ??
        problem.error_description ??
        challenge ??
        'the answer says no more than its status',
    ),
    where: errors.length > 0 ? errors : where,
    wouldPass: passing(rule, allow, { suggested, repairedBody }) ?? reason.wouldPass,
    reference: reason.reference,
    scenarios: trail.scenarios ?? [],
    warning,
    nearest,
    existing,
    example: await exampleOf(recorded, controls, suggested),
    repair: repairedBody ? { fit: 'body' } : repairOf(rule, allow, suggested),
  };
}

function unreadable({ position, detail }: Readonly<Record<string, unknown>>): readonly Fault[] {
  const at = position as { readonly line: number; readonly column: number } | undefined;
  return at === undefined
    ? []
    : [{ in: 'body', position: { line: at.line, column: at.column }, message: String(detail) }];
}

/** The request that the caller probably meant: another path, or the same path with an existing id. */
type Suggested = Pick<Nearest, 'method' | 'example'>;

/** The same request with an existing id, if the id in its path does not exist. */
function withExisting(
  { call, trail: { operation } }: RecordedExchange,
  errors: readonly Fault[],
  [id]: readonly string[],
): Suggested | undefined {
  const name = errors.find((error) => error.in === 'path')?.name;
  if (operation === null || name === undefined || id === undefined) return undefined;
  const query = call.query === '' ? '' : `?${call.query}`;
  return {
    method: call.method,
    example: `${encodePath(operation.path, { ...parametersOf(operation, call), [name]: id })}${query}`,
  };
}

/** Decoded again, since the journal does not keep path parameters. */
function parametersOf(
  operation: PlannedOperation,
  { path }: RecordedExchange['call'],
): Readonly<Record<string, string>> {
  return createReach([operation])(path)?.[0]?.pathParameters ?? {};
}

function repairOf(rule: string, allow: string | undefined, suggested: Suggested | undefined): Repair {
  if (['token-missing', 'token-refused', 'two-tokens'].includes(rule)) return { token: 'fresh' };
  if (suggested) return { method: suggested.method, path: suggested.example };
  const method = allow?.split(', ').find((one) => one !== 'OPTIONS' && one !== 'HEAD');
  return rule === 'method-not-allowed' && method !== undefined ? { method } : {};
}

function passing(
  rule: string,
  allow: string | undefined,
  {
    suggested,
    repairedBody,
  }: { readonly suggested: Suggested | undefined; readonly repairedBody: RepairedBody | undefined },
): string | undefined {
  if (repairedBody && repairedBody.changes.length > 0) return `the same body with ${repairedBody.changes.join(', ')}`;
  if (rule === 'method-not-allowed' && allow !== undefined) return `one of ${allow}`;
  return suggested && `${suggested.method} ${suggested.example}`;
}

function listIn<T>(value: unknown): readonly T[] {
  return Array.isArray(value) ? (value as T[]) : [];
}

function parsed({ answer, trail }: RecordedExchange): Readonly<Record<string, unknown>> {
  if (trail.refused === undefined && !/json/.test(headerOf(answer, 'content-type') ?? '')) return {};
  return Object(parseJson(trail.refused ?? String(answer.body))) as Readonly<Record<string, unknown>>;
}

function ruleOf({ type, error }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof type === 'string' && type.startsWith(PROBLEM_BASE)) return type.slice(PROBLEM_BASE.length);
  return typeof error === 'string' ? error : undefined;
}

/** A curl command for a valid request of the same operation. Secrets appear as shell variables. */
async function exampleOf(
  { trail, call }: RecordedExchange,
  controls: Controls,
  suggested: Suggested | undefined,
): Promise<string | null> {
  const { served, url } = controls;
  const { operation } = trail;
  if (!operation) return null;
  const target = `${url()}${suggested?.example ?? encodePath(operation.path, parametersOf(operation, call))}`;
  const { token: facts, operation: byId } = await served().contract();
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

export type RefusalReason = Pick<ProblemRow, 'step' | 'wouldPass' | 'reference'>;

function reason(step: string, reference: string, wouldPass: string): RefusalReason {
  return { step, wouldPass, reference };
}

const TOKEN_ENDPOINT = 'RFC 6749, 5.2';

function refusalReason({ assumed, reference, wouldPass }: Refusal): RefusalReason {
  return reason(
    'behaviour',
    reference ?? (assumed ? 'an assumption of the mock' : 'a rule of the contract'),
    wouldPass ?? 'a request that keeps the rule',
  );
}

export const REASONS: Readonly<Record<string, RefusalReason | undefined>> & { readonly other: RefusalReason } = {
  ...PROBLEMS,
  invalid_client: reason('credentials', TOKEN_ENDPOINT, 'the credentials of the mock, sent as the contract states'),
  invalid_request: reason('grant', TOKEN_ENDPOINT, 'a form with the documented grant_type, once'),
  unsupported_grant_type: reason('grant', TOKEN_ENDPOINT, 'the documented grant_type'),
  warning: reason('body', 'the assumptions of the mock', 'it passed here'),
  other: reason('answer', 'the answer itself', 'unknown: the answer does not say'),
};

/** The faulty header field and its fault, for answers that do not name a place. */
export const FAULTY_FIELDS: Readonly<Record<string, readonly [name: string, message: string] | undefined>> = {
  'host-refused': ['host', 'is not one of the mock'],
  'two-tokens': ['authorization', 'the token was sent more than once'],
  'token-missing': ['authorization', 'is missing'],
  'token-refused': ['authorization', 'the token is not accepted'],
  'not-acceptable': ['accept', 'accepts no type of the operation'],
  'missing-type': ['content-type', 'is missing'],
  'unsupported-type': ['content-type', 'is not taken here'],
  'expectation-failed': ['expect', 'cannot be met'],
  'preference-unmet': ['prefer', 'cannot be met'],
  'scenario-unknown': ['x-mock-scenario', 'names no scenario'],
  invalid_client: ['authorization', 'the credentials are missing or wrong'],
};
