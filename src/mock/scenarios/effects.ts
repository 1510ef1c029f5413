import { type Answer, answer, headerOf, PROVENANCE_HEADER } from '../http/answer.ts';
import { problem } from '../http/problem.ts';
import { changeFields } from './change.ts';
import type { AnswerEffect, FaultEffect, FieldChange, RewriteEffect } from './definition.ts';

/** Milliseconds over which a body dribbles where a rule does not say. */
const DRIBBLE = 3_000;

/**
 * The answer that a scenario gives in place of the mock's own.
 * @param titleOf Title of a refusal that the contract names.
 */
export function answerOf(
  effect: AnswerEffect,
  scenario: string,
  titleOf: (problem: string) => string | undefined,
): Answer {
  const headers = Object.entries(effect.headers ?? {}).flat();
  if (effect.problem !== undefined || effect.body === undefined) {
    if (effect.status < 400) return answer(effect.status, null, 'assumed', headers);
    const errors = effect.errors?.map((error) => ({ in: 'body', ...error }));
    const title = effect.problem === undefined ? undefined : titleOf(effect.problem);
    return problem(
      effect.status,
      effect.problem !== undefined && title !== undefined ? { name: effect.problem, title } : 'scenario',
      effect.detail ?? `the scenario ${scenario} answers so`,
      { headers, members: errors ? { errors } : {} },
    );
  }
  const isText = typeof effect.body === 'string';
  const bytes = Buffer.from(isText ? (effect.body as string) : JSON.stringify(effect.body));
  const type = effect.type ?? (isText ? 'text/plain; charset=utf-8' : 'application/json');
  return answer(effect.status, { type, bytes }, 'assumed', headers);
}

/** A problem of another status. */
export function withStatus(given: Answer, status: number): Answer {
  const { detail } = JSON.parse(String(given.body)) as { readonly detail?: string };
  const challenge = headerOf(given, 'www-authenticate');
  return problem(
    status,
    'scenario',
    detail ?? '',
    challenge === undefined ? {} : { headers: ['www-authenticate', challenge] },
  );
}

/** The answer with its fields changed; undefined where it is no successful JSON answer or has none of them. */
export function changed(given: Answer, changes: readonly FieldChange[]): Answer | undefined {
  if (given.status < 200 || given.status > 299 || !given.body) return undefined;
  if (!/json/.test(headerOf(given, 'content-type') ?? '')) return undefined;
  const value = JSON.parse(given.body.toString()) as unknown;
  if (!changeFields(value, changes)) return undefined;
  return withBody(given, Buffer.from(JSON.stringify(value)));
}

export function rewritten(given: Answer, { type, body }: RewriteEffect): Answer {
  let result = type === undefined || !given.body ? given : withHeader(given, 'content-type', type);
  if (body === 'nothing') result = withBody(result, Buffer.alloc(0));
  else if (body === 'malformed-json' && result.body) result = withBody(result, broken(result.body));
  return result;
}

export function faulty(given: Answer, { kind, over }: FaultEffect): Answer {
  return { ...given, wire: kind === 'dribble' ? { kind, over: over ?? DRIBBLE } : { kind } };
}

/** Without its last mark and with one too many: no parser takes it, and a person sees what it was. */
function broken(body: Buffer): Buffer {
  return Buffer.concat([body.subarray(0, -1), Buffer.from(',"')]);
}

function withBody(given: Answer, body: Buffer): Answer {
  return { ...withHeader(given, 'content-length', String(body.length)), body: body.length > 0 ? body : null };
}

/** With one header field replaced; what is changed so is an assumption. */
function withHeader(given: Answer, name: string, value: string): Answer {
  const headers = given.headers.map((part, index) => {
    const of = index % 2 === 1 ? given.headers[index - 1] : undefined;
    return of === name ? value : of === PROVENANCE_HEADER ? 'assumed' : part;
  });
  return { ...given, headers: headers.includes(name) ? headers : [...headers, name, value] };
}
