import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Caller } from '../egress/caller.ts';
import type { Mock } from '../mock/mock.ts';
import { type Call, finalAttempt } from '../model/call.ts';
import type { Exchange } from '../model/exchange.ts';
import { close, listen } from '../net/serving.ts';
import type { AnnouncedCall, AnnouncedCheck } from './announce.ts';
import { type AttemptView, RUN_HEADERS } from './suite.ts';

/** What of an embedded mock the suite may turn. With `reset` no check sees what another one did. */
export type MockControls = Pick<Mock, 'tokens' | 'refuseNext' | 'reset'>;

export interface GatewayOptions {
  /** A check that was announced. */
  readonly check: (id: string) => AnnouncedCheck | undefined;
  readonly caller: Caller;
  /** All calls so far. */
  readonly calls: () => readonly Call[];
  readonly mock: MockControls | null;
}

/** The loopback server that the suite talks to instead of the target. It knows the run's key, never a credential. */
export interface Gateway {
  readonly url: string;
  readonly key: string;
  close(): Promise<void>;
}

/** Something that the suite may not do. */
class Refused extends Error {}

/**
 * Serves `POST /<check>/<verb>/<argument>`: `begin`, `call/<number>`, `attempts`, and of the embedded mock `mock/<action>/<count>`.
 * A call is made as it was announced, and as often at most; the suite can say nothing more of it.
 */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const key = randomBytes(24).toString('base64url');
  const pseudonymKey = randomBytes(16);
  const made = new Map<AnnouncedCall, number>();

  const server = createServer((request, response) => {
    if (!sameText(String(request.headers[RUN_HEADERS.key] ?? ''), key)) {
      response.writeHead(403).end();
      return;
    }
    handle(request, response).catch((error: unknown) => {
      const why = error instanceof Error ? error.message : 'unknown trouble';
      const status = error instanceof Refused ? 403 : 500;
      if (!response.headersSent) response.writeHead(status, { [RUN_HEADERS.refused]: encodeURIComponent(why) });
      response.end();
    });
  });

  async function handle({ url }: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, id = '', verb, ...words] = (url ?? '').split('/').map(decodeURIComponent);
    const check = options.check(id);
    if (check === undefined) throw new Refused(`no check ${id} was announced`);
    if (verb === 'call') {
      answer(response, await options.caller.call({ ...admitted(check, words[0] ?? ''), checkId: id }));
      return;
    }
    const said = await control(check, verb, words);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(said));
  }

  /** A call that was announced and is left. */
  function admitted({ id, skip, calls }: AnnouncedCheck, number: string): AnnouncedCall {
    const call = calls[Number(number)];
    if (skip !== null || call === undefined) throw new Refused(`check ${id} announces no call ${number}`);
    const count = (made.get(call) ?? 0) + 1;
    if (count > call.times) throw new Refused(`check ${id} announces call ${number} ${call.times} times only`);
    made.set(call, count);
    return call;
  }

  function answer(response: ServerResponse, call: Call): void {
    const last = finalAttempt(call);
    const stopped = (why: string) => ({ [RUN_HEADERS.stopped]: encodeURIComponent(why) });
    if (call.notSent !== null || last?.response == null) {
      response.writeHead(502, stopped(call.notSent ?? last?.failure?.message ?? 'no answer')).end();
      return;
    }
    const type = last.response.headers.find(([name]) => name === 'content-type')?.[1];
    const { status } = last.response;
    const isBad = call.purpose === 'succeed' && (status < 200 || status > 299);
    response.writeHead(status >= 200 && status <= 599 ? status : 599, {
      ...(isBad ? stopped(`${call.operationId} answered ${status}`) : {}),
      ...(type === undefined ? {} : { 'content-type': type.replace(/[^\x20-\x7e]/g, '?') }),
    });
    response.end(handedOver(last));
  }

  async function control(check: AnnouncedCheck, verb: string | undefined, words: readonly string[]): Promise<unknown> {
    const { mock } = options;
    if (verb === 'begin') {
      // What an earlier check took away is there again.
      if (check.skip === null) await mock?.reset();
      return { skip: check.skip, calls: check.calls.map(({ times }) => times) };
    }
    if (verb === 'attempts') return attemptsOf(check.id);
    if (verb !== 'mock' || mock === null || check.kind !== 'mock-only')
      throw new Refused(`${verb} is nothing to ask for`);
    const [action, count] = words;
    if (action === 'revoke') mock.tokens.revokeAll();
    else if (action === 'expire') mock.tokens.expireAll();
    else if (action === 'refuse') mock.refuseNext(Number(count ?? 1));
    else if (action !== 'state') throw new Refused(`the mock has no ${action}`);
    return { requests: mock.tokens.requests };
  }

  function attemptsOf(checkId: string): AttemptView[] {
    const own = options.calls().filter((call) => call.checkId === checkId);
    return own.flatMap(({ attempts }) => attempts.map(view));
  }

  function view({ token, operationId, response }: Exchange): AttemptView {
    const pseudonym = (text: string) =>
      createHmac('sha256', pseudonymKey).update(text).digest('base64url').slice(0, 12);
    return { operationId, status: response?.status ?? null, tokenId: token === null ? null : pseudonym(token.value) };
  }

  const { port } = await listen(server, 0, '127.0.0.1');
  return { url: `http://127.0.0.1:${port}`, key, close: () => close(server, 0) };
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

function sameText(given: string, wanted: string): boolean {
  const left = Buffer.from(given);
  const right = Buffer.from(wanted);
  return left.length === right.length && timingSafeEqual(left, right);
}
