import { createHmac, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Call, type CallRequest, finalAttempt } from '../model/call.ts';
import { type Exchange, fieldsOf } from '../model/exchange.ts';
import type { Reason } from '../model/reason.ts';
import { readBody } from '../net/response.ts';
import { close, createServer, listen } from '../net/serving.ts';
import { type Admitted, admit, type SuiteRequest } from './admit.ts';
import type { AnnouncedCheck } from './announce.ts';
import { createMask } from './mask.ts';
import { type AttemptView, type Begun, type CheckOptions, CONTROL, RUN_HEADERS } from './protocol.ts';
import type { Session } from './session.ts';

export interface WayOutOptions {
  readonly session: Pick<Session, 'target' | 'nothing' | 'calls' | 'secrets' | 'policy' | 'makeCall'>;
  readonly add: (id: string, options: CheckOptions) => AnnouncedCheck;
  /**
   * Called before a request is sent that the engine does not list, with its path template. Returns the problem with
   * the request, or null.
   */
  readonly hold?: ((call: CallRequest, path: string) => string | null) | undefined;
}

export interface OpenCheck {
  readonly check: AnnouncedCheck;
  readonly writes: Set<string>;
  /** Why requests of the check were not sent; null if all were. */
  held: Reason | null;
  readonly mistakes: string[];
  begun: boolean;
}

/** Largest request of the suite, in bytes. */
const LARGEST = 16 * 1024 * 1024;

export type WayOut = Awaited<ReturnType<typeof startWayOut>>;

/**
 * The loopback server to which the suite sends its requests instead of the target. The first path segment identifies
 * the check and is not forwarded. Nothing else on the machine can guess it.
 */
export async function startWayOut(options: WayOutOptions) {
  const { session } = options;
  const { mock } = session.target;
  const key = randomBytes(16).toString('hex');
  const secret = randomBytes(16);
  /** 128 bits that nothing else on the machine can guess, always the same for a text. */
  const pseudonym = (text: string): string => createHmac('sha256', secret).update(text).digest('hex').slice(0, 32);
  const mask = createMask(session.secrets);
  const segments = new Map<string, OpenCheck>();
  let host = '';
  let pid: number | undefined;

  function open(check: AnnouncedCheck): string {
    const segment = pseudonym(check.id);
    // A retried test begins once more.
    if (!segments.has(segment))
      segments.set(segment, { check, writes: new Set(), held: null, mistakes: [], begun: false });
    return segment;
  }

  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      const why = error instanceof Error ? error.message : 'unknown trouble';
      if (!response.headersSent) refuse(response, 500, why);
      else response.destroy();
    });
  });

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { headers, method = 'GET', url = '/' } = request;
    const [segment = '', ...rest] = url.slice(1).split('/');
    const current = segments.get(segment.split('?')[0] ?? '');
    const isForeign = headers.origin !== undefined || headers.host !== host;
    if (isForeign || (current === undefined && segment !== key)) {
      return refuse(response, 403, 'only the suite of the run may ask here');
    }
    const { bytes, state } = await readBody(request, undefined, LARGEST);
    const body = Buffer.from(bytes);
    if (state !== 'complete') return refuse(response, 413, `a request may have ${LARGEST} bytes`);
    if (current === undefined) return tell(response, introduce(JSON.parse(body.toString())));
    // Restores the records that an earlier check removed.
    if (!current.begun) await mock?.reset();
    current.begun = true;
    const target = `/${rest.join('/')}`;
    if (target.startsWith(`${CONTROL}/`)) return tell(response, control(current, target, body));
    const sent = { method, target, headers: fieldsOf(request.rawHeaders), body: body.length === 0 ? null : body };
    return forward(current, sent, response);
  }

  /** The worker sends its process id before any contract code runs. Later, checks request their segments. */
  function introduce(asked: { readonly pid: number } | (CheckOptions & { readonly id: string })): Begun | null {
    if ('pid' in asked) {
      pid ??= asked.pid;
      return null;
    }
    const check = options.add(asked.id, asked);
    return { segment: open(check), skipped: check.skip !== null };
  }

  async function forward(current: OpenCheck, request: SuiteRequest, response: ServerResponse): Promise<void> {
    const admitted = admit(current.check, request, session);
    const sent = typeof admitted === 'object' && 'call' in admitted ? permitted(admitted, current.writes) : admitted;
    if (typeof sent === 'string') {
      current.mistakes.push(`${request.method} ${request.target.split('?')[0]}: ${sent}`);
      refuse(response, 403, sent);
    } else if ('kind' in sent) {
      current.held ??= sent;
      refuse(response, 403, 'the run does not send it');
    } else {
      answer(response, await session.makeCall(sent));
    }
  }

  /** The call, or why the run does not send it. */
  function permitted({ call, path, isListed }: Admitted, writes: Set<string>): CallRequest | string {
    const { method, target, purpose, auth, body } = call;
    const write = `${method} ${target} ${purpose} ${auth} ${Buffer.from(body ?? []).toString('base64')}`;
    if (writes.has(write)) return 'the check has sent the same write before; a write is sent once';
    if (call.effect !== 'read') writes.add(write);
    return (isListed ? null : options.hold?.(call, path)) ?? call;
  }

  function answer(response: ServerResponse, call: Call): void {
    const last = finalAttempt(call);
    if (call.notSent !== null || last?.response == null) {
      refuse(response, 502, call.notSent ?? last?.failure?.message ?? 'no answer', last?.seq);
      return;
    }
    const { status, headers, body } = last.response;
    const fields = headers
      .filter(([name]) => !OF_THE_WIRE.has(name))
      .map(([name, value]) => [name, mask(value).replace(NOT_SENDABLE, '?')]);
    response.writeHead(status >= 200 && status <= 599 ? status : 599, [
      ...fields.flat(),
      ...[RUN_HEADERS.exchange, String(last.seq)],
    ]);
    const text = Buffer.from(body.bytes.buffer, body.bytes.byteOffset, body.bytes.length).toString();
    const shown = mask(text);
    response.end(shown === text ? body.bytes : shown);
  }

  function control({ check }: OpenCheck, path: string, body: Buffer): unknown {
    if (path === `${CONTROL}/attempts`) {
      const own = session.calls.filter(({ checkId }) => checkId === check.id);
      return own.flatMap(({ attempts }) => attempts.map(view));
    }
    if (path !== `${CONTROL}/mock` || mock === null || check.kind !== 'mock-only') {
      throw new Error(`${path} is nothing to ask for`);
    }
    const { action, count = 1 } = JSON.parse(body.toString()) as { readonly action: string; readonly count?: number };
    if (action === 'revoke') mock.tokens.revokeAll();
    else if (action === 'expire') mock.tokens.expireAll();
    else if (action === 'refuse') mock.refuseNext(count);
    else if (action !== 'count') throw new Error(`the mock has no ${action}`);
    return mock.tokens.requests;
  }

  function view({ token, operationId, response }: Exchange): AttemptView {
    return { operationId, status: response?.status ?? null, tokenId: token && pseudonym(token.value) };
  }

  const { port } = await listen(server, 0, '127.0.0.1');
  host = `127.0.0.1:${port}`;
  return {
    url: `http://${host}`,
    key,
    open,
    passageOf(id: string): Pick<OpenCheck, 'held' | 'mistakes'> {
      const { held = null, mistakes = [] } = segments.get(pseudonym(id)) ?? {};
      return { held, mistakes };
    },
    kill(): void {
      try {
        if (pid !== undefined) process.kill(pid, 'SIGKILL');
      } catch {
        // it has ended by itself
      }
    },
    [Symbol.asyncDispose]: (): Promise<void> => close(server, 0),
  };
}

const OF_THE_WIRE: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'content-encoding', 'trailer', 'upgrade'],
]);

const NOT_SENDABLE = /[^\t\x20-\x7e]/g;

function tell(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

function refuse(response: ServerResponse, status: number, detail: string, exchange?: number): void {
  response.writeHead(status, {
    'content-type': 'application/problem+json',
    ...(exchange !== undefined && { [RUN_HEADERS.exchange]: exchange }),
  });
  response.end(JSON.stringify({ status, detail }));
}
