import { ownFolder } from '../contract/folder.ts';
import { ToolError } from '../errors.ts';
import { createClock, type SharedClock } from './clock.ts';
import { createReloader, loadServed, type Served } from './compile/served-contract.ts';
import { attachControl } from './control/attach.ts';
import { type Answer, type FlatHeaders, whenReady, withHeaders } from './http/answer.ts';
import type { Call } from './http/call.ts';
import { withInstance } from './http/instance.ts';
import { limitsOf } from './http/read-request.ts';
import { createRecorder, type Trail, type Via } from './http/recorder.ts';
import { assertKnownOptions } from './known-options.ts';
import type { Mock, MockOptions } from './mock.ts';
import { createCors } from './pipeline/cors.ts';
import { createPipeline } from './pipeline/pipeline.ts';
import { createScenarios } from './scenarios/scenarios.ts';
import type { Membership } from './store/membership.ts';
import type { Cell } from './store/store.ts';
import { createMemory, type Memory } from './tenant/memory.ts';
import { rolesOf } from './tenant/seed.ts';
import type { SigningKey } from './tokens/signing-key.ts';
import { TokenAuthority } from './tokens/token-authority.ts';
import { DEFAULT_CREDENTIALS, tokenCommand, withPromise } from './tokens/token-endpoint.ts';

/** The address of a mock that does not listen: a name that is always this machine's (RFC 6761). */
const UNHEARD = { port: 0, url: 'http://mock.localhost' };

/**
 * Starts a mock of the API and resolves when it listens, or at once with `listen: false`. Several may run in one process.
 *
 * @throws ToolError `port-busy` or `usage` where it cannot listen, `usage` for an option that it does not have; `spec-invalid` and `overlay-invalid` for overlays that do not hold.
 */
export async function startMock(options: MockOptions = {}): Promise<Mock> {
  assertKnownOptions(options);
  if (options.strict && options.lenient) throw new ToolError('usage', 'A mock is strict or lenient, not both.');
  const clock = createClock(options.clock ?? Date.now);
  const served = await loadServed(options);
  const memory = await createMemory(options, served.parts, clock.now);
  try {
    return await startWith(options, served, clock, memory);
  } catch (error) {
    // a store that is still open would keep its file from the next start
    await memory.close();
    throw error;
  }
}

async function startWith(options: MockOptions, first: Served, clock: SharedClock, memory: Memory): Promise<Mock> {
  const { credentials = DEFAULT_CREDENTIALS, host = '127.0.0.1', allowedHosts = [] } = options;
  const limits = limitsOf(options.limits);
  const signing = await signingKeyOf(options, clock.now);
  const shared = memory.cell && (await joined(memory.cell, clock));
  const tokens = new TokenAuthority({
    lifetime: options.tokenLifetime ?? memory.profile().tokenLifetime,
    clock: clock.now,
    ...{ key: signing?.key, ends: signing?.ends, onEnd: shared?.ended ?? signing?.keep },
  });

  let served = first;
  const scenarios = await createScenarios(
    {
      nameable: () => ({ operations: served.plan.operations, refusals: served.parts.entities.file.refusals }),
      folder: (options.contract?.folder ?? options.folder ?? ownFolder).scenarios,
      seed: options.seed ?? 1,
      ...{ tokens, now: clock.now, news: shared?.news },
    },
    options.scenarios ?? [],
  );
  await shared?.join({ tokens, scenarios, hasKey: signing !== undefined });

  let refusals = 0;
  const refuseNext = (count: number): void => {
    refusals = Math.max(0, Math.trunc(count));
  };
  const refuse = (): boolean => {
    if (refusals === 0) return false;
    refusals -= 1;
    return true;
  };

  const lasting = { credentials, tokens, memory, scenarios, refuse };
  let pipeline = createPipeline(options, served, lasting);
  const reloader = createReloader(options, async (fresh) => {
    await scenarios.reread();
    await memory.reload((fresh ?? served).parts);
    if (fresh) pipeline = createPipeline(options, fresh, lasting);
    served = fresh ?? served;
  });
  const reset = async (): Promise<void> => {
    clock.reset();
    scenarios.reset();
    control.reset();
    refusals = 0;
    await memory.reset();
    await shared?.sync();
  };

  const control = attachControl({
    ...{ options, credentials, host, allowedHosts, tokens, scenarios, refuseNext, reset, clock },
    ask: (call, via) => judge(call, via),
    url: () => options.address ?? url,
    status: reloader.status,
    storeProblem: () => memory.storeProblem,
    contract: () => served.contract(),
    hasOverlays: options.contract !== undefined || (options.overlays?.length ?? 0) > 0,
    plan: () => served.plan,
    parts: () => served.parts,
    seed: memory.seed,
    profile: memory.profile,
    number: options.seed ?? 1,
    allowedOrigins: options.allowedOrigins ?? [],
    ...(memory.remembered && { state: memory.remembered }),
    ...(options.callers && { callers: options.callers }),
  });

  const record = createRecorder(clock.now, control.hear);
  const judge = (call: Call, via: Via): Answer | Promise<Answer> => {
    const trail: Trail = { operation: null };
    const answered = record(call, trail, via);
    return whenReady(pipeline(call, trail), (given) => {
      const answer = withInstance(given, trail.seq ?? 0);
      answered(answer);
      return trail.operation?.auth === 'issues' ? withPromise(tokens, answer) : answer;
    });
  };
  const serveAlone = (call: Call, via: Via): Answer | Promise<Answer> => {
    const given = control.owns(call.path) ? control.handle(call) : judge(call, via);
    if (!clock.moved) return given;
    // the answers carry a date of their own while the clock is not the machine's
    return whenReady(given, (answer) => withHeaders(answer, ['date', new Date(clock.now()).toUTCString()]));
  };

  const serve = shared ? shared.around(serveAlone) : serveAlone;

  const cors = createCors(options.allowedOrigins);
  const readable = (request: Pick<Call, 'headers'> & { readonly url?: string | undefined }): FlatHeaders =>
    control.owns(request.url ?? '') ? [] : cors.headers(request);
  // node:http is loaded only for a mock that listens
  const server =
    options.listen === false
      ? undefined
      : (await import('./http/server.ts')).createMockServer({ limits, serve, readable });
  const { port, url } = (await server?.listen(options.port ?? 0, host)) ?? UNHEARD;
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    scenarios.close();
    control.close();
    closed ??= Promise.resolve(server?.close()).then(memory.close);
    return closed;
  };
  return {
    url,
    port,
    credentials,
    tokenCommand: commandFor(first, url, credentials),
    tokens,
    roles: rolesOf(first.parts.entities, memory.seed()),
    async fetch(input, init) {
      const { answerFetch } = await import('./http/fetch.ts');
      return answerFetch({ limits, url, serve, isClosed: () => closed !== undefined }, input, init);
    },
    contract: () => served.contract(),
    clock,
    async scenario(scenario) {
      const handle = await scenarios.activate(scenario);
      await shared?.sync();
      return handle;
    },
    async answerOnce(operation, answer) {
      const once = await import('./scenarios/answer-once.ts');
      const handle = await once.answerOnce(scenarios, operation, answer);
      await shared?.sync();
      return handle;
    },
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

/** What a user pastes into a shell to get a token; null where the contract has no token endpoint. */
function commandFor({ plan }: Served, url: string, { username, password }: Mock['credentials']): string | null {
  const issuing = plan.operations.find(({ auth }) => auth === 'issues');
  const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
  return plan.token && issuing
    ? tokenCommand(plan.token, quoted(url + issuing.path), [quoted(username), quoted(password)])
    : null;
}

/** What reads files of keys is loaded only where there is one. */
async function signingKeyOf({ signingKey }: MockOptions, now: () => number): Promise<SigningKey | undefined> {
  if (signingKey === undefined) return undefined;
  const { openSigningKey } = await import('./tokens/signing-key.ts');
  return openSigningKey(signingKey, now);
}

/** What keeps mocks in step is loaded only where they share a store. */
async function joined(cell: Cell, clock: SharedClock): Promise<Membership> {
  const { createMembership } = await import('./store/membership.ts');
  return createMembership(cell, clock);
}
