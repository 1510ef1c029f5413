import type { PlannedOperation } from '../compile/plan.ts';
import { type Answer, answer, withHeaders } from '../http/answer.ts';
import { type Call, field } from '../http/call.ts';
import { problem } from '../http/problem.ts';
import { type Checkpoints, SCENARIO_HEADER } from '../scenarios/rules.ts';
import type { Scenarios } from '../scenarios/scenarios.ts';
import type { Cors } from './cors.ts';
import type { Deprecation } from './deprecation.ts';
import type { Payload } from './payload.ts';
import { preferenceOf } from './prefer.ts';
import type { Found, Located } from './router.ts';
import type { BodyJudge } from './validate-body.ts';

/** The concerns of the mock, each a file of its own, in the order in which they judge. */
export interface Concerns {
  readonly judgeHost: (authority: string) => Answer | undefined;
  readonly cors: Cors;
  readonly find: (call: Call) => Found;
  readonly deprecation: Deprecation;
  /** Absent where the contract has none. */
  readonly tokenEndpoint?: (call: Call) => Answer;
  readonly judgeToken: (call: Call) => Answer | undefined;
  readonly payload: Payload;
  readonly judgeBody: BodyJudge;
  readonly scenarios: Scenarios;
}

/** What the front learns of a request beside its answer. */
export interface Trail {
  operation: PlannedOperation | null;
  /** Decoded path parameters. */
  parameters?: Readonly<Record<string, string>>;
  /** Names of the scenarios that had a hand in the answer. */
  scenarios?: readonly string[];
}

export type Pipeline = (call: Call, trail: Trail) => Answer | Promise<Answer>;

/**
 * Judges a request and answers it. The order is that of docs/mock.md: Host and preflight, path (404), method (405, OPTIONS),
 * withdrawn, token (400, 401), Accept, body, payload. A plain request is answered without a promise.
 */
export function createPipeline(concerns: Concerns): Pipeline {
  const judge = (call: Call, trail: Trail): Answer | Promise<Answer> => {
    const early = beforePath(concerns, call);
    if (early) return early;
    const found = concerns.find(call);
    if (found.kind === 'answer')
      return found.there ? withDeprecation(concerns, found.there, found.answer) : found.answer;
    const { operation } = found;
    trail.operation = operation;
    trail.parameters = found.parameters;
    const given = staged(call, found, trail);
    if (!operation.deprecated) return given;
    return given instanceof Promise
      ? given.then((late) => withDeprecation(concerns, found, late))
      : withDeprecation(concerns, found, given);
  };

  // a plain request pays for the scenarios with these two looks
  const staged = (call: Call, found: Located, trail: Trail): Answer | Promise<Answer> => {
    const { scenarios } = concerns;
    if (!scenarios.busy && call.headers[SCENARIO_HEADER] === undefined) return serve(call, found);
    const told = (names: readonly string[]): void => {
      trail.scenarios = names;
    };
    return scenarios.play(call, found, (checkpoints) => serve(call, found, checkpoints), told);
  };

  const serve = (
    call: Call,
    { operation, parameters }: Located,
    checkpoints?: Checkpoints,
  ): Answer | Promise<Answer> => {
    const { payload, deprecation, tokenEndpoint } = concerns;
    if (operation.auth === 'issues' && tokenEndpoint) return payload.acceptable(operation, call) ?? tokenEndpoint(call);
    const refused =
      deprecation.withdrawn(operation) ??
      (operation.auth === 'bearer' ? (concerns.judgeToken(call) ?? checkpoints?.token()) : undefined) ??
      payload.acceptable(operation, call);
    if (refused) return refused;
    const preference = preferenceOf(field(call, 'prefer'), call.query);
    if (preference === 'invalid') return problem(400, 'preference-unmet', 'code is a status from 200 to 599');
    const body = concerns.judgeBody(operation, call);
    if ('status' in body) return body;
    const staged = checkpoints?.body();
    if (staged) return staged;
    return payload.make(operation, parameters, call, body.value, preference);
  };

  return (call, trail) => {
    const given = judge(call, trail);
    const more = concerns.cors.headers(call);
    if (more.length === 0) return given;
    return given instanceof Promise ? given.then((late) => withHeaders(late, more)) : withCors(given, more);
  };
}

function beforePath(concerns: Concerns, call: Call): Answer | undefined {
  const refused = call.authority === undefined ? undefined : concerns.judgeHost(call.authority);
  if (refused) return refused;
  if (call.method !== 'OPTIONS') return undefined;
  const preflight = concerns.cors.preflight(call);
  if (preflight) return preflight;
  return call.path === '*'
    ? answer(204, null, 'assumed', ['allow', 'GET, HEAD, PUT, POST, DELETE, OPTIONS'])
    : undefined;
}

/** A preflight has its permission already. */
function withCors(given: Answer, more: readonly string[]): Answer {
  return given.headers.includes('access-control-allow-origin') ? given : withHeaders(given, more);
}

function withDeprecation({ deprecation }: Concerns, { operation, parameters }: Located, given: Answer): Answer {
  return withHeaders(given, deprecation.headers(operation, parameters));
}
