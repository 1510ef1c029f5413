import { documentFolder } from '../contract/document-folder.ts';
import { ToolError } from '../errors.ts';
import { createClock } from './clock.ts';
import { attachControl } from './control/attach.ts';
import type { Engine } from './control/controls.ts';
import { createEngine, type Wrap } from './engine.ts';
import type { Via } from './http/recorder.ts';
import { type Answer, type FlatHeaders, whenReady, withHeaders } from './message/answer.ts';
import type { ReceivedRequest } from './message/call.ts';
import { limitsOf } from './message/limits.ts';
import type { Mock, MockOptions } from './mock.ts';
import { createCors } from './pipeline/cors.ts';
import { loadServed } from './pipeline/served-contract.ts';
import { resourceLines } from './state/entities.ts';
import { rolesOf } from './tenant/initial-records.ts';
import { createMemory } from './tenant/memory.ts';
import { tokenCommand } from './tokens/token-endpoint.ts';

/** The address of a mock that does not listen: a name reserved for this machine (RFC 6761). */
const UNHEARD = { port: 0, url: 'http://mock.localhost' };

/**
 * Starts a mock of the API. Resolves when it listens, or at once with `listen: false`. A process can run several mocks.
 * @throws ToolError `port-busy` or `usage` if it cannot listen, `usage` for conflicting options.
 * @throws ToolError `spec-invalid` and `overlay-invalid` for invalid overlays.
 */
export function startMock(options: MockOptions = {}): Promise<Mock> {
  return startMockBehind((pipeline) => pipeline, options);
}

/** @param wrap may change requests before they are answered, and answers before they are recorded and sent */
export async function startMockBehind(wrap: Wrap, given: MockOptions): Promise<Mock> {
  assertCompatible(given);
  const folder = given.spec === undefined ? given.folder : documentFolder(given.spec);
  const options = { ...given, ...(folder && { folder }), ...(given.engine === 'prism' && { stateless: true }) };
  const clock = createClock(options.clock ?? Date.now);
  const served = await loadServed(options);
  const memory = await createMemory(options, served.parts, clock.now);
  try {
    return await openDoors(await createEngine(wrap, options, served, clock, memory));
  } catch (error) {
    // an open store would lock its file for the next start
    await memory.close();
    throw error;
  }
}

function assertCompatible(options: MockOptions): void {
  const { engine = 'compiled', strict, lenient, store, lists = 'plain', spec, folder, contract } = options;
  if (spec !== undefined && (folder !== undefined || contract !== undefined)) {
    throw new ToolError('usage', 'A mock has one contract: give spec, folder or contract.');
  }
  if (!['compiled', 'prism'].includes(engine)) {
    throw new ToolError('usage', `The engine is compiled or prism, not ${JSON.stringify(engine)}.`);
  }
  if (!['usual', 'plain'].includes(lists))
    throw new ToolError('usage', `The lists are usual or plain, not ${JSON.stringify(lists)}.`);
  if (strict && lenient) throw new ToolError('usage', 'A mock is strict or lenient, not both.');
  if (engine === 'compiled') return;
  const [name] = Object.entries({ strict, lenient, store }).find(([, value]) => value) ?? [];
  if (name === undefined) return;
  throw new ToolError(
    'usage',
    `The engine prism cannot be combined with ${name}: it validates by itself and has no state.`,
  );
}

/** Opens the ways to an engine: the socket, `fetch`, the control API and the handle. */
async function openDoors(engine: Engine): Promise<Mock> {
  const { options, clock, credentials, tokens, memory, scenarios, journal, webhooks, interrupt } = engine;
  const { host = '127.0.0.1' } = options;
  const limits = limitsOf(options.limits);
  let address = UNHEARD;
  const control = attachControl(engine, () => options.address ?? address.url);
  const serve = (call: ReceivedRequest, via: Via): Answer | Promise<Answer> => {
    const given = control.owns(call.path) ? control.handle(call) : engine.ask(call, via);
    if (!clock.moved) return given;
    // answers carry the mock's date if its clock was moved
    return whenReady(given, (answer) => withHeaders(answer, ['date', new Date(clock.now()).toUTCString()]));
  };
  const cors = createCors(options.allowedOrigins);
  const readable = (request: Pick<ReceivedRequest, 'headers'> & { readonly url?: string | undefined }): FlatHeaders =>
    control.owns(request.url ?? '') ? [] : cors.headers(request);
  // node:http is loaded only if the mock listens
  const server =
    options.listen === false
      ? undefined
      : (await import('./http/server.ts')).createMockServer({ limits, serve, readable, interrupt });
  if (server) address = await server.listen(options.port ?? 0, host);
  const { url, port } = address;
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    scenarios.close();
    webhooks.close();
    control.close();
    closed ??= Promise.resolve(server?.close()).then(memory.close);
    return closed;
  };
  return {
    url,
    port,
    credentials,
    tokenCommand: commandFor(engine, url),
    tokens,
    get resources() {
      const { parts, plan } = engine.served();
      return options.stateless || !parts.entities.file.usualNames ? [] : resourceLines(parts.entities, plan);
    },
    // a start makes no records
    get roles() {
      const { parts, plan } = engine.served();
      return rolesOf(parts.entities, plan, memory.starts());
    },
    async fetch(input, init) {
      const { answerFetch } = await import('./http/fetch.ts');
      return answerFetch(
        { limits, url, serve, readable, interrupt, isClosed: () => closed !== undefined },
        input,
        init,
      );
    },
    contract: () => engine.served().contract(),
    clock,
    scenario: (scenario) => scenarios.activate(scenario),
    async answerOnce(operation, answer) {
      const once = await import('./scenarios/answer-once.ts');
      return once.answerOnce(scenarios, operation, answer);
    },
    journal,
    webhook: webhooks.register,
    controlToken: control.token,
    reset: engine.reset,
    reload: engine.reload,
    status: engine.status,
    refuseNext: tokens.refuseNext,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The command that gets a token in a shell; null if the contract has no token endpoint. */
function commandFor({ served, credentials: { username, password } }: Engine, url: string): string | null {
  const { plan } = served();
  const issuing = plan.operations.find(({ auth }) => auth === 'issues');
  const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
  return plan.token && issuing
    ? tokenCommand(plan.token, quoted(url + issuing.path), [quoted(username), quoted(password)])
    : null;
}
