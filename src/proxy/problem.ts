import type { IncomingMessage, ServerResponse } from 'node:http';
import { PROBLEM_BASE } from '../mock/message/problem.ts';

/** Marks answers of the proxy: `true` for a problem of its own, `mock` for an answer from the mock. */
export const PROXY_HEADER = 'x-banking-api-proxy';

const TITLES = {
  'target-unreachable': 'The target gave no answer',
  'target-too-slow': 'The target did not answer in time',
  'not-allowed': 'The proxy does not send this',
  'host-refused': 'The Host is not one that the proxy answers',
  'origin-refused': 'Pages of this origin may not use the proxy',
  'no-upgrade': 'The proxy carries no other protocol',
  'bad-request': 'The request is not well-formed HTTP',
  fault: 'The proxy failed',
} as const;

export interface ProxyProblem {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: Buffer;
}

/** An `application/problem+json` (RFC 9457), marked so that it cannot be mistaken for an answer of the target. */
export function proxyProblem(status: number, kind: keyof typeof TITLES, detail: string): ProxyProblem {
  const body = Buffer.from(JSON.stringify({ type: PROBLEM_BASE + kind, title: TITLES[kind], status, detail }));
  const own = [PROXY_HEADER, 'true', 'content-type', 'application/problem+json'];
  const headers = [...own, 'cache-control', 'no-store', 'content-length', String(body.length)];
  return { status, headers, body };
}

/** Also discards the rest of the request. A caller that is still sending would lose the answer of a closed connection. */
export function sendProblem(request: IncomingMessage, response: ServerResponse, wrong: ProxyProblem): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  response.writeHead(wrong.status, [...wrong.headers]);
  response.end(request.method === 'HEAD' ? undefined : wrong.body);
  request.resume();
}
