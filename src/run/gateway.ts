import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import { type Call, finalAttempt } from '../model/call.ts';
import { type Exchange, header, is2xx } from '../model/exchange.ts';
import { reasonText } from '../model/reason.ts';
import { close, listen } from '../net/serving.ts';
import type { AnnouncedCall, AnnouncedCheck } from './announce.ts';
import { type AttemptView, RUN_HEADERS } from './protocol.ts';
import type { Session } from './session.ts';

export interface GatewayOptions {
  /** The checks that were announced, by their ids. */
  readonly checks: ReadonlyMap<string, AnnouncedCheck>;
  readonly session: Pick<Session, 'makeCall' | 'calls'> & { readonly target: Pick<Session['target'], 'mock'> };
}

/** The loopback server that the suite talks to instead of the target. It knows the run's key, never a credential. */
export interface Gateway extends AsyncDisposable {
  readonly url: string;
  readonly key: string;
}

/** Something that the suite may not do. */
class GatewayRefusal extends Error {}

/**
 * Serves `POST /<check>/<verb>/<argument>`: `begin`, `call/<number>`, `attempts`, and of the embedded mock `mock/<action>/<count>`.
 * A call is made as it was announced, and as often at most; the suite can say nothing more of it.
 */
export async function startGateway({ checks, session }: GatewayOptions): Promise<Gateway> {
  const { mock } = session.target;
  const key = randomBytes(24).toString('base64url');
  const pseudonymKey = randomBytes(16);
  const made = new Map<AnnouncedCall, number>();

  const server = createServer((request, response) => {
    if (!isSameText(String(request.headers[RUN_HEADERS.key] ?? ''), key)) {
      response.writeHead(403).end();
      return;
    }
    handle(request.url ?? '', response).catch((error: unknown) => {
      const why = error instanceof Error ? error.message : 'unknown trouble';
      const status = error instanceof GatewayRefusal ? 403 : 500;
      if (!response.headersSent) response.writeHead(status, { [RUN_HEADERS.refused]: encodeURIComponent(why) });
      response.end();
    });
  });

  async function handle(url: string, response: ServerResponse): Promise<void> {
    const [, id = '', verb = '', argument = '', count = '1'] = url.split('/').map(decodeURIComponent);
    const check = checks.get(id);
    if (check === undefined) throw new GatewayRefusal(`no check ${id} was announced`);
    if (verb === 'call') {
      answer(response, await session.makeCall({ ...admitted(check, argument), checkId: id }));
      return;
    }
    const said = await control(check, verb, argument, Number(count));
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(said));
  }

  /** A call that was announced and is left. */
  function admitted({ id, skip, calls }: AnnouncedCheck, number: string): AnnouncedCall {
    const call = calls[Number(number)];
    if (skip !== null || call === undefined) throw new GatewayRefusal(`check ${id} announces no call ${number}`);
    const count = (made.get(call) ?? 0) + 1;
    if (count > call.times) throw new GatewayRefusal(`check ${id} announces call ${number} ${call.times} times only`);
    made.set(call, count);
    return call;
  }

  async function control(check: AnnouncedCheck, verb: string, action: string, count: number): Promise<unknown> {
    if (verb === 'begin') {
      const { skip, calls } = check;
      // What an earlier check took away is there again.
      if (skip === null) await mock?.reset();
      return { skip: skip && reasonText(skip), calls: calls.map(({ times }) => times) };
    }
    if (verb === 'attempts') {
      const own = session.calls.filter(({ checkId }) => checkId === check.id);
      return own.flatMap(({ attempts }) => attempts.map(view));
    }
    if (verb !== 'mock' || mock === null || check.kind !== 'mock-only') {
      throw new GatewayRefusal(`${verb} is nothing to ask for`);
    }
    if (action === 'revoke') mock.tokens.revokeAll();
    else if (action === 'expire') mock.tokens.expireAll();
    else if (action === 'refuse') mock.refuseNext(count);
    else if (action !== 'state') throw new GatewayRefusal(`the mock has no ${action}`);
    return { requests: mock.tokens.requests };
  }

  function view({ token, operationId, response }: Exchange): AttemptView {
    const pseudonym = (text: string): string =>
      createHmac('sha256', pseudonymKey).update(text).digest('base64url').slice(0, 12);
    return { operationId, status: response?.status ?? null, tokenId: token && pseudonym(token.value) };
  }

  const { port } = await listen(server, 0, '127.0.0.1');
  return { url: `http://127.0.0.1:${port}`, key, [Symbol.asyncDispose]: () => close(server, 0) };
}

/** Tells the suite what a call came to: the answer of the target, and why the check ends here where it does. */
function answer(response: ServerResponse, call: Call): void {
  const stopped = (why: string) => ({ [RUN_HEADERS.stopped]: encodeURIComponent(why) });
  const last = finalAttempt(call);
  if (call.notSent !== null || last?.response == null) {
    response.writeHead(502, stopped(call.notSent ?? last?.failure?.message ?? 'no answer')).end();
    return;
  }
  const { status, headers } = last.response;
  const type = header(headers, 'content-type');
  response.writeHead(status >= 200 && status <= 599 ? status : 599, {
    ...(call.purpose === 'succeed' && !is2xx(status) && stopped(`${call.operationId} answered ${status}`)),
    ...(type !== undefined && { 'content-type': type.replace(/[^\x20-\x7e]/g, '?') }),
  });
  response.end(handedOver(last));
}

/** The judge has the whole of a larger answer; the suite would only take the memory once more. */
const LARGEST_ANSWER = 256 * 1024;

/** The suite sees a token's parts and their lengths, never a token. */
function handedOver(exchange: Exchange): Uint8Array {
  const bytes = exchange.response?.body.bytes ?? new Uint8Array();
  if (bytes.length > LARGEST_ANSWER) return new Uint8Array();
  const token = exchange.token?.value;
  if (token === undefined || token === '') return bytes;
  return Buffer.from(Buffer.from(bytes).toString('utf8').replaceAll(token, token.replace(/[^.]/g, 'x')));
}

function isSameText(given: string, wanted: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(wanted)];
  return left.length === right.length && timingSafeEqual(left, right);
}
