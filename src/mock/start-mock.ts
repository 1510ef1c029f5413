import { ownFolder } from '../contract/folder.ts';
import { ToolError } from '../errors.ts';
import { urlOf } from '../net/serving.ts';
import { createClock, type MockClock } from './clock.ts';
import type { Plan } from './compile/plan.ts';
import { createReloader, loadServed, type Served } from './compile/served-contract.ts';
import { attachControl } from './control/attach.ts';
import { type Answer, withHeaders } from './http/answer.ts';
import type { Call } from './http/call.ts';
import { createFetch } from './http/fetch.ts';
import { createHostCheck } from './http/host.ts';
import { createRecorder, type Via } from './http/recorder.ts';
import { createFront } from './http/server.ts';
import { type Credentials, DEFAULT_CREDENTIALS, DEFAULT_LIMITS, type Mock, type MockOptions } from './mock.ts';
import { createCors } from './pipeline/cors.ts';
import { ASSUMED_DEPRECATION, createDeprecation } from './pipeline/deprecation.ts';
import { createPayload } from './pipeline/payload.ts';
import { createPipeline, type Pipeline, type Trail } from './pipeline/pipeline.ts';
import { createRouter } from './pipeline/router.ts';
import { createBodyJudge } from './pipeline/validate-body.ts';
import { createScenarios } from './scenarios/scenarios.ts';
import { createMemory, type Memory } from './tenant/memory.ts';
import { rolesOf } from './tenant/seed.ts';
import { createBearerCheck } from './tokens/bearer.ts';
import { TokenAuthority } from './tokens/token-authority.ts';
import { tokenCommand } from './tokens/token-command.ts';
import { createTokenEndpoint } from './tokens/token-endpoint.ts';
import { withPromise } from './tokens/token-response.ts';

/** The address of a mock that does not listen: a name that is always this machine's (RFC 6761). */
const UNHEARD = 'http://mock.localhost';

/**
 * Starts a mock of the API and resolves when it listens, or at once with `listen: false`. Several may run in one process.
 *
 * @throws ToolError `port-busy` or `usage` where it cannot listen; `spec-invalid` and `overlay-invalid` for overlays that do not hold.
 */
export async function startMock(options: MockOptions = {}): Promise<Mock> {
  const virtual = createClock(options.clock ?? Date.now);
  const served = await loadServed(options);
  const memory = await createMemory(options, served.parts, virtual.now);
  try {
    return await startWith(options, served, virtual, memory);
  } catch (error) {
    // a store that is still open would keep its file from the next start
    await memory.close();
    throw error;
  }
}

async function startWith(options: MockOptions, first: Served, virtual: MockClock, memory: Memory): Promise<Mock> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const credentials = options.credentials ?? DEFAULT_CREDENTIALS;
  const clock = virtual.now;
  const host = options.host ?? '127.0.0.1';
  const tokens = new TokenAuthority({
    lifetime: lifetimeOf(options.tokenLifetime ?? memory.profile().tokenLifetime),
    clock,
  });
  let refusals = 0;

  let served = first;
  const scenarios = await createScenarios(
    {
      nameable: () => ({
        operations: served.plan.operations,
        refusals: served.parts.entities.file.refusals,
      }),
      folder: (options.contract?.folder ?? options.folder ?? ownFolder).scenarios,
      seed: options.seed ?? 1,
      ...{ tokens, now: clock },
    },
    options.scenarios ?? [],
  );

  // what is made of the contract; tokens and what is remembered outlive it
  const build = (served: Served): Pipeline => {
    const { operations, token } = served.plan;
    const issuing = operations.find(({ auth }) => auth === 'issues');
    const { engine, provenanceOf, shownOf } = served;
    const payload = createPayload({ operations, engine, provenanceOf, shownOf });
    return createPipeline({
      judgeHost: createHostCheck({ host, allowedHosts: options.allowedHosts ?? [] }),
      cors: createCors(options.allowedOrigins ?? []),
      find: createRouter(operations),
      deprecation: createDeprecation({
        sunset: sunsetOf(options),
        withdrawn: withdrawnStatus(options.withdrawDeprecated),
        live: () => memory.profile().deprecatedForms,
      }),
      ...(token &&
        issuing && {
          tokenEndpoint: createTokenEndpoint({ facts: token, credentials, tokens, provenance: issuing.located }),
        }),
      judgeToken: createBearerCheck({
        issuedBy: issuing ? `${issuing.method} ${issuing.path}` : 'the one that issues them',
        tokens,
        anyToken: options.anyToken ?? false,
        refuse: () => {
          if (refusals === 0) return false;
          refusals -= 1;
          return true;
        },
      }),
      payload: memory.withState(payload, served),
      judgeBody: createBodyJudge(served.validators, limits.jsonDepth),
      scenarios,
    });
  };
  let pipeline = build(served);
  const reloader = createReloader(
    options,
    (fresh) => {
      pipeline = build(fresh);
      served = fresh;
    },
    async (fresh) => {
      await scenarios.reread();
      await memory.reload((fresh ?? served).parts);
    },
  );

  const refuseNext = (count: number): void => {
    refusals = Math.max(0, Math.trunc(count));
  };
  const reset = async (): Promise<void> => {
    virtual.reset();
    scenarios.reset();
    control.reset();
    refusals = 0;
    await memory.reset();
  };
  const control = attachControl({
    ...{ options, credentials, host, tokens, scenarios, refuseNext, reset, clock: virtual },
    url: () => url,
    allowedHosts: options.allowedHosts ?? [],
    status: () => reloader.status(),
    storeProblem: () => memory.storeProblem,
    contract: () => served.contract(),
    plan: () => served.plan,
    parts: () => served.parts,
    ...(memory.read && { state: memory.read }),
    ...(options.callers && { callers: options.callers }),
  });

  const record = createRecorder(clock, control.hear);
  const serveCall = (call: Call, via: Via): Answer | Promise<Answer> => {
    if (control.owns(call.path)) return control.handle(call);
    const trail: Trail = { operation: null };
    const answered = record(call, trail, via);
    const answer = pipeline(call, trail);
    const leave = (ready: Answer): Answer => {
      answered(ready);
      return trail.operation?.auth === 'issues' ? withPromise(tokens, ready) : ready;
    };
    return answer instanceof Promise ? answer.then(leave) : leave(answer);
  };

  // the answers carry a date of their own while the clock is not the machine's
  const dated = (given: Answer): Answer => withHeaders(given, ['date', new Date(clock()).toUTCString()]);
  const serve = (call: Call, via: Via): Answer | Promise<Answer> => {
    const given = serveCall(call, via);
    if (!virtual.moved) return given;
    return given instanceof Promise ? given.then(dated) : dated(given);
  };

  const front = options.listen === false ? undefined : createFront({ limits, handle: serve });
  const port = front ? (await front.listen(options.port ?? 0, host)).port : 0;
  const url = front ? urlOf(host, port) : UNHEARD;
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    scenarios.close();
    control.close();
    closed ??= (front?.close() ?? Promise.resolve()).then(memory.close);
    return closed;
  };
  return {
    url,
    port,
    credentials,
    tokenCommand: tokenCommandOf(served.plan, url, credentials),
    tokens,
    roles: rolesOf(first.parts.entities, memory.seed()),
    fetch: createFetch({ limits, url, serve, isClosed: () => closed !== undefined }),
    contract: () => served.contract(),
    clock: virtual,
    scenario: scenarios.activate,
    journal: control.journal,
    webhook: control.webhooks.register,
    controlToken: control.token,
    reset,
    reload: reloader.reload,
    status: reloader.status,
    refuseNext,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** What a user pastes into a shell. */
function tokenCommandOf({ token, operations }: Plan, url: string, { username, password }: Credentials): string | null {
  const issuing = operations.find(({ auth }) => auth === 'issues');
  const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
  return token && issuing
    ? tokenCommand(token, quoted(url + issuing.path), [quoted(username), quoted(password)])
    : null;
}

/** Seconds. A lifetime that is no positive whole number is a mistake of the caller. */
function lifetimeOf(lifetime: number): number {
  if (Number.isSafeInteger(lifetime) && lifetime > 0) return lifetime;
  throw new ToolError('usage', `The token lifetime is a whole number of seconds above 0, not ${lifetime}.`);
}

/** Not earlier than the deprecation (RFC 8594, RFC 9745). */
function sunsetOf({ sunset }: MockOptions): Date | undefined {
  if (sunset === undefined || sunset >= ASSUMED_DEPRECATION) return sunset;
  const since = ASSUMED_DEPRECATION.toISOString().slice(0, 10);
  throw new ToolError(
    'usage',
    `The sunset lies before the deprecation itself, which the mock dates ${since}, or is no date.`,
  );
}

function withdrawnStatus(option: MockOptions['withdrawDeprecated']): 404 | 410 | false {
  return option === true ? 410 : (option ?? false);
}
