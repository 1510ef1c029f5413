import { ownFolder } from '../contract/folder.ts';
import { ToolError } from '../errors.ts';
import { createClock, type MockClock } from './clock.ts';
import { type Attached, attachControl } from './control/attach.ts';
import { createRecorder, type Via } from './http/recorder.ts';
import { type Answer, type FlatHeaders, whenReady, withHeaders } from './message/answer.ts';
import type { ReceivedRequest } from './message/call.ts';
import { limitsOf } from './message/limits.ts';
import { withInstance } from './message/problem.ts';
import type { Mock, MockOptions } from './mock.ts';
import { createCors } from './pipeline/cors.ts';
import { createPipeline, type Lasting, type Pipeline, type Trail } from './pipeline/pipeline.ts';
import { createReloader, loadServed, type Served } from './pipeline/served-contract.ts';
import type { Nameable } from './scenarios/catalogue.ts';
import { createScenarios } from './scenarios/scenarios.ts';
import { rolesOf } from './tenant/initial-records.ts';
import { createMemory, type Memory } from './tenant/memory.ts';
import { TokenAuthority } from './tokens/token-authority.ts';
import { DEFAULT_CREDENTIALS, tokenCommand, withPromise } from './tokens/token-endpoint.ts';

/** The address of a mock that does not listen: a name reserved for this machine (RFC 6761). */
const UNHEARD = { port: 0, url: 'http://mock.localhost' };

/**
 * Starts a mock of the API. Resolves when it listens, or at once with `listen: false`. A process can run several mocks.
 * @throws ToolError `port-busy` or `usage` if it cannot listen, `usage` for conflicting options.
 * @throws ToolError `spec-invalid` and `overlay-invalid` for invalid overlays.
 */
export async function startMock(given: MockOptions = {}): Promise<Mock> {
  assertCompatible(given);
  const options = given.engine === 'prism' ? { ...given, stateless: true } : given;
  const clock = createClock(options.clock ?? Date.now);
  const served = await loadServed(options);
  const memory = await createMemory(options, served.parts, clock.now);
  try {
    return await startWith(options, served, clock, memory);
  } catch (error) {
    // an open store would lock its file for the next start
    await memory.close();
    throw error;
  }
}

function assertCompatible({ engine = 'compiled', strict, lenient, store }: MockOptions): void {
  if (!['compiled', 'prism'].includes(engine)) {
    throw new ToolError('usage', `The engine is compiled or prism, not ${JSON.stringify(engine)}.`);
  }
  if (strict && lenient) throw new ToolError('usage', 'A mock is strict or lenient, not both.');
  if (engine === 'compiled') return;
  const [name] = Object.entries({ strict, lenient, store }).find(([, value]) => value) ?? [];
  if (name === undefined) return;
  throw new ToolError(
    'usage',
    `The engine prism cannot be combined with ${name}: it validates by itself and has no state.`,
  );
}

async function startWith(options: MockOptions, first: Served, clock: MockClock, memory: Memory): Promise<Mock> {
  const { host = '127.0.0.1' } = options;
  const limits = limitsOf(options.limits);
  const current = { served: first };
  const lasting = await openLasting(options, current, clock, memory);
  const { credentials, tokens, scenarios } = lasting;
  const serving = createServing(options, current, lasting);
  const address = { ...UNHEARD };
  const control = attachControl({
    ...lasting,
    ...{ options, clock, status: serving.status },
    served: () => current.served,
    url: () => options.address ?? address.url,
    ask: (call, via, trail) => answering.judge(call, via, trail),
    reset: () => reset(),
  });
  const reset = async (): Promise<void> => {
    clock.reset();
    scenarios.reset();
    control.reset();
    tokens.refuseNext(0);
    await memory.reset();
  };
  const answering = createAnswering(serving, lasting, control, clock);
  const { serve } = answering;
  const { interrupt } = serving.pipeline;

  const cors = createCors(options.allowedOrigins);
  const readable = (request: Pick<ReceivedRequest, 'headers'> & { readonly url?: string | undefined }): FlatHeaders =>
    control.owns(request.url ?? '') ? [] : cors.headers(request);
  // node:http is loaded only if the mock listens
  const server =
    options.listen === false
      ? undefined
      : (await import('./http/server.ts')).createMockServer({ limits, serve, readable, interrupt });
  Object.assign(address, await server?.listen(options.port ?? 0, host));
  const { url, port } = address;
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
    // a start makes no records
    get roles() {
      return rolesOf(current.served.parts.entities, memory.starts());
    },
    async fetch(input, init) {
      const { answerFetch } = await import('./http/fetch.ts');
      return answerFetch(
        { limits, url, serve, readable, interrupt, isClosed: () => closed !== undefined },
        input,
        init,
      );
    },
    contract: () => current.served.contract(),
    clock,
    scenario: (scenario) => scenarios.activate(scenario),
    async answerOnce(operation, answer) {
      const once = await import('./scenarios/answer-once.ts');
      return once.answerOnce(scenarios, operation, answer);
    },
    journal: control.journal,
    webhook: control.webhooks.register,
    controlToken: control.token,
    reset,
    reload: serving.reload,
    status: serving.status,
    refuseNext: tokens.refuseNext,
    close,
    [Symbol.asyncDispose]: close,
  };
}

interface Current {
  served: Served;
}

async function openLasting(options: MockOptions, current: Current, clock: MockClock, memory: Memory): Promise<Lasting> {
  const { credentials = DEFAULT_CREDENTIALS } = options;
  const key = (await signingKeyOf(options)) ?? (await memory.signingKey?.());
  const tokens = new TokenAuthority({
    lifetime: options.tokenLifetime ?? memory.profile().tokenLifetime,
    clock: clock.now,
    key,
  });
  const scenarios = await createScenarios(
    {
      nameable: () => nameableOf(current.served),
      folder: (options.contract?.folder ?? options.folder ?? ownFolder).scenarios,
      seed: options.seed ?? 1,
      ...{ tokens, now: clock.now },
    },
    options.scenarios ?? [],
  );
  return { credentials, tokens, memory, scenarios };
}

function nameableOf({ plan, parts }: Served): Nameable {
  return { operations: plan.operations, refusals: parts.entities.file.refusals };
}

function createServing(options: MockOptions, current: Current, lasting: Lasting) {
  let pipeline = createPipeline(options, current.served, lasting);
  const reloader = createReloader(options, async (fresh) => {
    const next = fresh ?? current.served;
    const takeScenarios = await lasting.scenarios.reread(nameableOf(next));
    await lasting.memory.reload(next.parts);
    if (fresh) pipeline = createPipeline(options, fresh, lasting);
    current.served = next;
    takeScenarios();
  });
  const latest: Pipeline = {
    interrupt: (head) => pipeline.interrupt(head),
    answer: (call, trail) => pipeline.answer(call, trail),
  };
  return { ...reloader, pipeline: latest };
}

/** `judge` answers API requests, which go into the journal. `serve` also answers the control API. */
type Serve = (call: ReceivedRequest, via: Via, trail?: Trail) => Answer | Promise<Answer>;

function createAnswering(
  { pipeline }: { readonly pipeline: Pipeline },
  { tokens }: Lasting,
  control: Attached,
  clock: MockClock,
): { readonly judge: Serve; readonly serve: Serve } {
  const record = createRecorder(clock.now, control.onRecorded);
  const judge: Serve = (call, via, trail = { operation: null }) => {
    const answered = record(call, trail, via);
    return whenReady(pipeline.answer(call, trail), (given) => {
      const shown = withInstance(given, trail.seq ?? 0);
      // the caller of a slow body may leave before its end
      const isLater = shown.wire?.isSlow === true && 'destroyed' in via.socket;
      if (!isLater) answered(shown);
      const answer = isLater ? { ...shown, onSent: () => answered(shown) } : shown;
      return trail.operation?.auth === 'issues' ? withPromise(tokens, answer) : answer;
    });
  };
  const serve: Serve = (call, via) => {
    const given = control.owns(call.path) ? control.handle(call) : judge(call, via);
    if (!clock.moved) return given;
    // answers carry the mock's date if its clock was moved
    return whenReady(given, (answer) => withHeaders(answer, ['date', new Date(clock.now()).toUTCString()]));
  };
  return { judge, serve };
}

/** The command that gets a token in a shell; null if the contract has no token endpoint. */
function commandFor({ plan }: Served, url: string, { username, password }: Mock['credentials']): string | null {
  const issuing = plan.operations.find(({ auth }) => auth === 'issues');
  const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
  return plan.token && issuing
    ? tokenCommand(plan.token, quoted(url + issuing.path), [quoted(username), quoted(password)])
    : null;
}

async function signingKeyOf({ signingKey }: MockOptions): Promise<Uint8Array | undefined> {
  if (signingKey === undefined) return undefined;
  const { openSigningKey } = await import('./tokens/signing-key.ts');
  return openSigningKey(signingKey);
}
