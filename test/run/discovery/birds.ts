import type { VerifyOptions } from '../../../src/run/options.ts';
import { contractFolder } from '../../support/api.ts';
import { serveOnLoopback } from '../../support/loopback.ts';

/** A path item with one operation, without responses of its own unless they are given. */
export const item = (operationId: string, method = 'get', more = ''): string =>
  `{ ${method}: { operationId: ${operationId}, ${more === '' ? '' : `${more}, `}responses: { 2XX: { description: good } } } }`;

export const parameter = (name: string, place = 'path', more = ''): string =>
  `{ name: ${name}, in: ${place}, required: true, schema: { type: string }${more === '' ? '' : `, ${more}`} }`;

export const parameters = (...all: readonly string[]): string => `parameters: [${all.join(', ')}]`;

/** A contract without tokens, with these paths. */
export function birdsFolder(paths: Readonly<Record<string, string>>, more = '') {
  const lines = Object.entries(paths).map(([path, text]) => `  ${path}: ${text}`);
  return contractFolder(`openapi: 3.1.1\ninfo: { title: Birds, version: '1' }\npaths:\n${lines.join('\n')}\n${more}`);
}

/** Answers each path with its body, anything else with 404. Keeps the requests as `METHOD path`. */
export async function serve(bodies: Readonly<Record<string, unknown>>) {
  const seen: string[] = [];
  const server = await serveOnLoopback(({ method, path }, response) => {
    seen.push(`${method} ${path}`);
    const body = bodies[path];
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body ?? { error: 'not found' }));
    return true;
  });
  return { ...server, seen };
}

export const QUICK = {
  credentials: { username: 'keeper', password: 'long-password' },
  limits: { backoff: 5, perSecond: 1000 },
} satisfies VerifyOptions;
