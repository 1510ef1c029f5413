import type { ServerResponse } from 'node:http';
import type { Contract } from '../../src/contract/contract.ts';
import { createMatcher } from '../../src/contract/paths.ts';
import { type Arrived, type LoopbackServer, serveOnLoopback } from '../support/loopback.ts';

/** One difference between an operation and the mock behind it. */
export type Change =
  /** Edits the body of each good answer in place. */
  | { readonly operation: string; readonly edit: (body: Record<string, unknown>) => void }
  /** Answers as if it were not there. */
  | { readonly operation: string; readonly status: number }
  /** Answers to a bad token, or to a body that it should refuse, what it answered last. */
  | { readonly operation: string; readonly refuses: 'nothing' };

export interface StandIn extends LoopbackServer {
  /** Requests so far, as `METHOD operationId` or `METHOD path`. */
  readonly seen: readonly string[];
}

/** Hides that it is a mock, so that a run treats it as a sandbox. */
const UNSAID = ['x-mock-provenance', 'x-mock-rule', 'content-length', 'connection', 'keep-alive', 'transfer-encoding'];

/** A sandbox on loopback: a mock with answers changed per operation. */
export async function startStandIn(
  mock: string,
  contract: Contract,
  changes: readonly Change[] = [],
): Promise<StandIn> {
  const match = createMatcher(contract.operations);
  const seen: string[] = [];
  const good = new Map<string, { readonly status: number; readonly headers: Headers; readonly text: string }>();

  const server = await serveOnLoopback(async (request, response) => {
    const { method, path } = request;
    const found = match(method, path);
    const operationId = found?.kind === 'operation' ? found.operation.operationId : null;
    seen.push(`${method} ${operationId ?? path}`);
    const own = changes.filter(({ operation }) => operation === operationId);
    const answered = await forward(mock, request);
    let { status, headers, text } = answered;
    const kept = good.get(operationId ?? '');
    if (status >= 400 && kept !== undefined && own.some((change) => 'refuses' in change))
      ({ status, headers, text } = kept);
    else if (status < 300 && operationId !== null) good.set(operationId, answered);
    let type = headers.get('content-type');
    for (const change of own) {
      if ('status' in change) [status, type, text] = [change.status, 'application/json', '{"message":"no such thing"}'];
      else if ('edit' in change && status < 300) {
        const body = JSON.parse(text);
        change.edit(body);
        text = JSON.stringify(body);
      }
    }
    respond(response, status, headers, type, text);
  });
  return { ...server, seen };
}

async function forward(mock: string, request: Arrived) {
  const { host: _, connection: __, 'content-length': ___, 'transfer-encoding': ____, ...headers } = request.headers;
  const answer = await fetch(`${mock}${request.path}`, {
    method: request.method,
    headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
    ...(request.body === '' ? {} : { body: request.body }),
  });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

function respond(response: ServerResponse, status: number, headers: Headers, type: string | null, text: string): void {
  for (const [name, value] of headers)
    if (!UNSAID.includes(name) && name !== 'content-type') response.setHeader(name, value);
  if (type !== null) response.setHeader('content-type', type);
  response.writeHead(status).end(text);
}
