import type { Served } from '../compile/served-contract.ts';
import { type Answer, answer, whenReady, withHeaders } from '../http/answer.ts';
import { type Call, field } from '../http/call.ts';
import { createHostCheck } from '../http/host.ts';
import { problem } from '../http/problem.ts';
import { limitsOf } from '../http/read-request.ts';
import type { Trail } from '../http/recorder.ts';
import type { MockOptions } from '../mock.ts';
import { type Checkpoints, SCENARIO_HEADER } from '../scenarios/rules.ts';
import type { Scenarios } from '../scenarios/scenarios.ts';
import { idsIn } from '../tenant/ids.ts';
import type { Memory } from '../tenant/memory.ts';
import type { Seed } from '../tenant/seed.ts';
import { createBearerCheck } from '../tokens/bearer.ts';
import type { TokenAuthority } from '../tokens/token-authority.ts';
import { type Credentials, createTokenEndpoint } from '../tokens/token-endpoint.ts';
import { createCors, METHODS } from './cors.ts';
import { createDeprecation } from './deprecation.ts';
import { createParameterJudge } from './judge-parameters.ts';
import { createGrave } from './lenience.ts';
import { judgeAccept, preferenceOf } from './negotiation.ts';
import { refusalBy, unknownNames, WARNING_HEADER, warningOf } from './objections.ts';
import { createPayload } from './payload.ts';
import { preferredRefusal } from './preferred.ts';
import { createRouter, type Located } from './router.ts';
import { createBodyJudge, type ReadBody } from './validate-body.ts';

/** What outlives a change of the contract. */
export interface Lasting {
  readonly credentials: Credentials;
  readonly tokens: TokenAuthority;
  readonly memory: Memory;
  readonly scenarios: Scenarios;
  /** Asked once per request with a valid token: true refuses it all the same. */
  readonly refuse: () => boolean;
}

export type Pipeline = (call: Call, trail: Trail) => Answer | Promise<Answer>;

/**
 * Judges a request and answers it. The order is that of docs/mock.md: Host and preflight, path (404), method (405, OPTIONS),
 * withdrawn, token (400, 401), Accept, body, payload. A plain request is answered without a promise.
 */
export function createPipeline(options: MockOptions, served: Served, lasting: Lasting): Pipeline {
  const { credentials, tokens, memory, scenarios, refuse } = lasting;
  const { operations, token: facts } = served.plan;
  const issuing = operations.find(({ auth }) => auth === 'issues');

  const judgeHost = createHostCheck(options);
  const cors = createCors(options.allowedOrigins);
  const { entities } = served.parts;
  let shown: { readonly seed: Seed; readonly ids: Readonly<Record<string, string>> } | undefined;
  const find = createRouter(operations, () => {
    const seed = memory.seed();
    if (shown?.seed !== seed) shown = { seed, ids: idsIn(entities, seed) };
    return shown.ids;
  });
  const deprecation = createDeprecation(options, () => memory.profile().deprecatedForms);
  const issueToken =
    facts && issuing && createTokenEndpoint({ facts, credentials, tokens, provenance: issuing.located });
  const issuedBy = issuing ? `${issuing.method} ${issuing.path}` : 'the one that issues them';
  const judgeToken = createBearerCheck({ issuedBy, tokens, anyToken: options.anyToken ?? false, refuse });
  const { strict = false, lenient = false } = options;
  const grave = lenient ? createGrave(served.contract) : undefined;
  const judgeBody = createBodyJudge(served.validators, limitsOf(options.limits).jsonDepth, grave);
  const judgeParameters = createParameterJudge(served.validators);
  const payload = memory.withState(createPayload(served), served);

  const beforePath = (call: Call): Answer | undefined => {
    const refused = call.authority === undefined ? undefined : judgeHost(call.authority);
    if (refused || call.method !== 'OPTIONS') return refused;
    const whole = call.path === '*';
    return cors.preflight(call) ?? (whole ? answer(204, null, 'assumed', ['allow', METHODS]) : undefined);
  };

  const judge = (call: Call, trail: Trail): Answer | Promise<Answer> => {
    const early = beforePath(call);
    if (early) return early;
    const found = find(call);
    const located = found.kind === 'operation' ? found : found.there;
    const given = found.kind === 'operation' ? playOrServe(call, found, trail) : found.answer;
    if (!located?.operation.deprecated) return given;
    return whenReady(given, (late) => withHeaders(late, deprecation.headers(located.operation, located.parameters)));
  };

  const playOrServe = (call: Call, found: Located, trail: Trail): Answer | Promise<Answer> => {
    trail.operation = found.operation;
    trail.parameters = found.parameters;
    // a plain request pays for the scenarios with these two looks
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
    if (operation.auth === 'issues' && issueToken) return judgeAccept(operation, call) ?? issueToken(call);
    const refused =
      deprecation.withdrawn(operation) ??
      (operation.auth === 'bearer' ? (judgeToken(call) ?? checkpoints?.token()) : undefined) ??
      judgeAccept(operation, call);
    if (refused) return refused;
    const preference = preferenceOf(field(call, 'prefer'), call.query);
    if (preference === 'invalid') return problem(400, 'preference-unmet', 'code is a status from 200 to 599');
    const wished = preference?.code === undefined ? undefined : preferredRefusal(operation, preference.code, entities);
    if (wished) return wished;
    const go = (body: ReadBody | Answer): Answer | Promise<Answer> => {
      if ('status' in body) return body;
      const faults = judgeParameters(operation, call, parameters);
      const refused = faults && refusalBy(lenient ? faults.grave : [...faults.grave, ...faults.assumed]);
      if (refused) return refused;
      const more = [...(faults?.assumed ?? []), ...unknownNames(operation, call.query)];
      const objections = more.length === 0 ? body.objections : [...body.objections, ...more];
      const given =
        (strict ? refusalBy(objections) : undefined) ??
        checkpoints?.body() ??
        payload({ operation, parameters, call, body: body.value, preference });
      if (strict || objections.length === 0) return given;
      return whenReady(given, (late) => withHeaders(late, [WARNING_HEADER, warningOf(objections)]));
    };
    const judged = judgeBody(operation, call);
    return judged instanceof Promise ? judged.then(go) : go(judged);
  };

  return (call, trail) => {
    const given = judge(call, trail);
    const more = cors.headers(call);
    return more.length === 0 ? given : whenReady(given, (ready) => withCors(ready, more));
  };
}

/** A preflight has its permission already. */
function withCors(given: Answer, more: readonly string[]): Answer {
  return given.headers.includes('access-control-allow-origin') ? given : withHeaders(given, more);
}
