import type { PlannedOperation } from '../compile/plan.ts';
import type { RoutedRequest } from '../compile/request.ts';
import { type Answer, answer, whenReady, withHeaders } from '../message/answer.ts';
import type { Interruption, ReceivedRequest } from '../message/call.ts';
import type { MockCredentials, MockOptions } from '../mock.ts';
import { type Checkpoints, type Play, SCENARIO_HEADER } from '../scenarios/rules.ts';
import type { Scenarios } from '../scenarios/scenarios.ts';
import type { Memory } from '../tenant/memory.ts';
import { createBearerCheck } from '../tokens/bearer.ts';
import { createKeyCheck } from '../tokens/keys.ts';
import type { TokenAuthority } from '../tokens/token-authority.ts';
import { createTokenEndpoint } from '../tokens/token-endpoint.ts';
import { createCompiledEngine } from './compiled-engine.ts';
import { createCors, METHODS } from './cors.ts';
import { createDeprecation } from './deprecation.ts';
import { createDocumentedRefusal } from './documented-refusal.ts';
import { createHostCheck } from './host.ts';
import { judgeAccept } from './negotiation.ts';
import { type Objection, unheededWarning, warningOf } from './objections.ts';
import { createPrismEngine } from './prism-answers.ts';
import { createRouter, type Found } from './router.ts';
import type { Served } from './served-contract.ts';
import { inOrder, type Turn } from './steps.ts';

export interface Lasting {
  readonly credentials: MockCredentials;
  readonly tokens: TokenAuthority;
  readonly memory: Memory;
  readonly scenarios: Scenarios;
}

/** Facts about a request, filled in while it is answered. */
export interface Trail {
  /** The mock's own status, before a scenario changed it. */
  ownStatus?: number | undefined;
  /** Number of the exchange, from 1. */
  seq?: number;
  socket?: { resetAndDestroy?(): unknown };
  operation: PlannedOperation | null;
  /** Decoded path parameters. */
  parameters?: Readonly<Record<string, string>>;
  scenarios?: readonly string[] | undefined;
  /** The mock's own problem as JSON, if the answer has the documented body instead. */
  refused?: string | undefined;
}

export interface Pipeline {
  /** Runs before the request body is read. Returns a promise only while it reads a scenario that the request names. */
  interrupt(head: ReceivedRequest): Interruption | undefined | Promise<Interruption | undefined>;
  answer(call: ReceivedRequest, trail: Trail): Answer | Promise<Answer>;
}

/** Checks and answers a request in the order of {@link STEPS}. A plain request is answered without a promise. */
export function createPipeline(options: MockOptions, served: Served, lasting: Lasting): Pipeline {
  const { credentials, tokens, memory, scenarios } = lasting;
  const { operations, token: facts } = served.plan;
  const issuing = operations.find(({ auth }) => auth === 'issues');

  const judgeHost = createHostCheck(options);
  const cors = createCors(options.allowedOrigins, operations.some(takesCookies));
  const find = createRouter(operations, () => memory.starts().ids());
  const deprecation = createDeprecation(options, () => memory.profile().deprecatedForms);
  const issueToken =
    facts && issuing && createTokenEndpoint({ facts, credentials, tokens, provenance: issuing.located });
  const issuedBy = issuing ? `${issuing.method} ${issuing.path}` : 'the one that issues them';
  const judgeToken = createBearerCheck({ issuedBy, tokens, anyToken: options.anyToken ?? false });
  const judgeKeys = createKeyCheck(credentials, options.anyToken ?? false);
  const engine =
    options.engine === 'prism' ? createPrismEngine(options, served) : createCompiledEngine(options, served, memory);
  const answerInOrder = inOrder({
    withdrawn: ({ operation }) => deprecation.withdrawn(operation),
    token({ call, operation, checkpoints }) {
      const { auth, keys } = operation;
      if (auth === 'issues' && issueToken) return judgeAccept(operation, call) ?? issueToken(call);
      const keyless = keys.length === 0 ? undefined : judgeKeys(call, keys);
      if (auth !== 'bearer') return keyless;
      return keys.length > 0 && !keyless ? undefined : (judgeToken(call) ?? checkpoints?.token());
    },
    ...engine,
  });
  const documented = served.whole && createDocumentedRefusal(served.whole, options.seed ?? 1);

  const beforePath = (call: ReceivedRequest): Answer | undefined => {
    const refused = call.authority === undefined ? undefined : judgeHost(call.authority);
    if (refused || call.method !== 'OPTIONS') return refused;
    const whole = call.path === '*';
    return cors.preflight(call) ?? (whole ? answer(204, null, 'assumed', ['allow', METHODS]) : undefined);
  };

  const answerFound = (call: ReceivedRequest, found: Found, trail: Trail): Answer | Promise<Answer> => {
    const located = found.kind === 'operation' ? found : found.there;
    const given = found.kind === 'operation' ? playOrServe(call, found, trail) : found.answer;
    if (!located?.operation.deprecated) return given;
    return whenReady(given, (late) => withHeaders(late, deprecation.headers(located.operation, located.parameters)));
  };

  const playOrServe = (call: ReceivedRequest, found: RoutedRequest, trail: Trail): Answer | Promise<Answer> => {
    trail.operation = found.operation;
    trail.parameters = found.parameters;
    trail.scenarios = call.interruption?.scenarios;
    return (
      call.interruption?.answer ?? (isPlayed(call) ? playScenarios(call, found, trail) : serve(call, found, trail))
    );
  };

  const playScenarios = (call: ReceivedRequest, found: RoutedRequest, trail: Trail): Answer | Promise<Answer> => {
    const note = (own: Answer): Answer => {
      trail.ownStatus = own.status;
      return own;
    };
    const played = (play: Play): Answer | Promise<Answer> =>
      play.answer(
        (checkpoints) => whenReady(serve(call, found, trail, checkpoints), note),
        () => trail.socket?.resetAndDestroy?.(),
      );
    const play = scenarios.play(call, found, (names) => {
      trail.scenarios = names;
    });
    return play instanceof Promise ? play.then(played) : played(play);
  };

  /** Scenarios cost a plain request only these two checks. */
  const isPlayed = (call: ReceivedRequest): boolean => scenarios.busy || call.headers[SCENARIO_HEADER] !== undefined;

  const serve = (
    call: ReceivedRequest,
    located: RoutedRequest,
    trail: Trail,
    checkpoints?: Checkpoints,
  ): Answer | Promise<Answer> => {
    const { operation, parameters } = located;
    const turn: Turn = {
      operation,
      parameters,
      call,
      checkpoints,
      preference: undefined,
      body: undefined,
      objections: NONE,
    };
    return whenReady(answerInOrder(turn), (given) => {
      const { objections } = turn;
      const warned = objections.length === 0 ? given : withHeaders(given, warningOf(objections));
      const unheeded = operation.withoutEffect.filter((name) => call.headers[name] !== undefined);
      const own = unheeded.length === 0 ? warned : withHeaders(warned, unheededWarning(operation, unheeded));
      if (!documented || own.status < 400 || own.status >= 500) return own;
      return documented(own, operation, call, trail);
    });
  };

  return {
    interrupt(head) {
      const found = isPlayed(head) ? find(head) : undefined;
      if (found?.kind !== 'operation') return undefined;
      let names: readonly string[] = [];
      const interrupted = (play: Play): Interruption | undefined => {
        const given = play.interrupt();
        return given && { answer: given, scenarios: names };
      };
      const play = scenarios.play(head, found, (played) => {
        names = played;
      });
      return play instanceof Promise ? play.then(interrupted) : interrupted(play);
    },
    answer(call, trail) {
      const given = beforePath(call) ?? answerFound(call, find(call), trail);
      const more = cors.headers(call);
      return more.length === 0 ? given : whenReady(given, (ready) => withCors(ready, more));
    },
  };
}

const NONE: readonly Objection[] = [];

function takesCookies({ keys, parameters }: PlannedOperation): boolean {
  return [...keys.flat(), ...parameters].some((one) => one.in === 'cookie');
}

function withCors(given: Answer, more: readonly string[]): Answer {
  return given.headers.includes('access-control-allow-origin') ? given : withHeaders(given, more);
}
