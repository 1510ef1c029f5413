import type { Exchange, HeaderFields } from '../http/exchange.ts';
import type { Answer } from './answer.ts';
import { type Call, field, fieldsOf } from './call.ts';
import type { Trail } from './pipeline.ts';
import type { TokenAuthority } from './tokens.ts';

/** How a request came: over which connection, and its target as sent. A request of `node:http` is one. */
export interface Via {
  readonly socket: object;
  readonly url?: string | undefined;
}

/** Makes an exchange of each request and its answer, and tells it. */
export function createRecorder(
  tokens: TokenAuthority,
  clock: () => number,
  tell: (exchange: Exchange) => void,
): (call: Call, trail: Trail, answer: Answer, request: Via, startedAt: number) => void {
  const connections = new WeakMap<object, number>();
  let lastConnection = 0;
  let seq = 0;

  const connectionOf = (socket: object): number => {
    const known = connections.get(socket);
    if (known !== undefined) return known;
    lastConnection += 1;
    connections.set(socket, lastConnection);
    return lastConnection;
  };

  return (call, trail, answer, request, startedAt) => {
    seq += 1;
    const operationId = trail.operation?.operationId ?? null;
    tell({
      seq,
      startedAt,
      endedAt: clock(),
      connection: connectionOf(request.socket),
      operationId,
      request: {
        method: call.method,
        target: request.url ?? call.path,
        headers: fieldsOf(call.rawHeaders),
        body: call.body,
      },
      response: {
        status: answer.status,
        headers: pairs(answer.headers),
        body: { bytes: call.method === 'HEAD' || !answer.body ? new Uint8Array() : answer.body, state: 'complete' },
      },
      failure: null,
      token: tokenOf(tokens, call, answer),
    });
  };
}

function pairs(flat: readonly string[]): HeaderFields {
  const fields: [string, string][] = [];
  for (let index = 0; index + 1 < flat.length; index += 2) fields.push([String(flat[index]), String(flat[index + 1])]);
  return fields;
}

/** The bearer token of the request, or the one that its answer issued. */
function tokenOf(tokens: TokenAuthority, call: Call, answer: Answer): Exchange['token'] {
  const sent = /^bearer +(\S+) *$/i.exec(field(call, 'authorization') ?? '')?.[1];
  const value = sent ?? issuedIn(answer);
  if (value === undefined) return null;
  const claims = tokens.claims(value);
  return { value, issuedAt: claims ? claims.iat * 1000 : null, expiresIn: claims ? claims.exp - claims.iat : null };
}

function issuedIn(answer: Answer): string | undefined {
  if (answer.status !== 200 || !answer.body?.includes('"access_token"')) return undefined;
  const body = JSON.parse(answer.body.toString()) as { readonly access_token?: unknown };
  return typeof body.access_token === 'string' ? body.access_token : undefined;
}
