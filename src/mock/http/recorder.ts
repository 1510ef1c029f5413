import { type Body, type Exchange, fieldsOf, is2xx } from '../../model/exchange.ts';
import { numberConnections } from '../../net/connections.ts';
import type { MockClock } from '../clock.ts';
import { type Answer, type IssuedToken, tokenIn } from '../message/answer.ts';
import { field, type ReceivedRequest } from '../message/call.ts';
import type { Trail } from '../pipeline/pipeline.ts';
import type { TokenAuthority } from '../tokens/token-authority.ts';

/** The connection of a request and its raw target. A `node:http` request has this shape. */
export interface Via {
  readonly socket: object;
  readonly url?: string | undefined;
}

export interface RecordedExchange {
  /** From 1, in order of arrival. */
  readonly seq: number;
  /** Milliseconds since the epoch. Both times are by the mock's clock as it was set when the request arrived. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** Milliseconds by which that clock had been moved. */
  readonly clockAhead: number;
  readonly connection: number;
  readonly call: ReceivedRequest;
  readonly trail: Trail;
  readonly answer: Answer;
  /** The part that was sent, if a `Wire` sent the answer; null if nothing was sent. Undefined for a complete answer. */
  readonly left?: Body | null | undefined;
  readonly target: string;
  /** Whether the caller had disconnected before the answer. */
  readonly isGone: boolean;
}

/** Reports exchanges. The first call records a request's arrival; the function that it returns records the answer. */
export function createRecorder(
  clock: MockClock,
  onRecorded: (recorded: RecordedExchange) => void,
): (call: ReceivedRequest, trail: Trail, request: Via) => (answer: Answer) => void {
  const connectionOf = numberConnections();
  let lastSeq = 0;

  return (call, trail, request) => {
    lastSeq += 1;
    const seq = lastSeq;
    trail.seq = seq;
    trail.socket = request.socket;
    const startedAt = clock.now();
    const clockAhead = clock.ahead;
    const connection = connectionOf(request.socket);
    const target = request.url ?? call.path;
    return (answer) => {
      const isGone = 'destroyed' in request.socket && request.socket.destroyed === true;
      const left = answer.wire?.arrived(bytesOf(call, answer));
      const endedAt = clock.now() - clock.ahead + clockAhead;
      onRecorded({ seq, startedAt, endedAt, clockAhead, connection, call, trail, answer, left, target, isGone });
    };
  };
}

export function toExchange(tokens: TokenAuthority, recorded: RecordedExchange): Exchange {
  const { seq, startedAt, endedAt, clockAhead, connection, call, trail, answer, left, target, isGone } = recorded;
  const body: Body | null = left === undefined ? { bytes: bytesOf(call, answer), state: 'complete' } : left;
  return {
    seq,
    startedAt,
    endedAt,
    clockAhead,
    connection,
    operationId: trail.operation?.operationId ?? null,
    request: { method: call.method, target, headers: fieldsOf(call.rawHeaders), body: call.body },
    response: body && {
      status: answer.status,
      headers: fieldsOf(answer.headers),
      body,
      ...(isGone && { delivered: false }),
    },
    acted: is2xx(trail.ownStatus ?? answer.status),
    failure: body ? null : { kind: 'reset', message: 'a scenario closed the connection' },
    token: tokenOf(tokens, recorded),
  };
}

function bytesOf({ method }: ReceivedRequest, { body }: Answer): Uint8Array {
  return method === 'HEAD' || !body ? new Uint8Array() : body;
}

/** The bearer token of the request, or the token that its answer issued, with the lifetime stated there. */
function tokenOf(tokens: TokenAuthority, { call, answer, trail }: RecordedExchange): Exchange['token'] {
  const sent = /^bearer +(\S+) *$/i.exec(field(call, 'authorization') ?? '')?.[1];
  const fromBody = (): IssuedToken | undefined => (trail.operation?.auth === 'issues' ? tokenIn(answer) : undefined);
  const issued = sent === undefined ? (answer.issued ?? fromBody()) : undefined;
  const value = sent ?? issued?.value;
  if (value === undefined) return null;
  const claims = issued?.claims ?? tokens.claims(value);
  if (!claims) return { value, issuedAt: null, expiresIn: issued?.expiresIn ?? null };
  return { value, issuedAt: claims.iat * 1000, expiresIn: issued?.expiresIn ?? claims.exp - claims.iat };
}
