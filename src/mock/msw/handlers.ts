import '../../needs-node.ts';

import { type HttpHandler, HttpResponse, http, passthrough } from 'msw';
import type { Mock, MockOptions } from '../mock.ts';
import { startMock } from '../start-mock.ts';

/** A mock, or anything else that answers requests to API paths at `http://mock.localhost`. */
export interface Answering {
  readonly fetch: (request: Request) => Promise<Response>;
}

export interface HandlerOptions extends Omit<MockOptions, 'listen' | 'port' | 'host' | 'address'> {
  /** Your program's URL of the API, `{base_url}` in the API reference. Requests to other URLs are left alone. */
  readonly baseUrl: string;
  /** Your own mock, for its journal and tokens. By default, a mock is made from the options, without a socket. */
  readonly mock?: Answering | Promise<Answering> | undefined;
  /** Sends unknown paths under `baseUrl` to the network. By default they get the mock's 404. */
  readonly passUnknown?: boolean;
}

export interface MockHandlers<Handle = Mock> extends Array<HttpHandler> {
  /** The answering mock (clock, scenarios, tokens, journal), or the `mock` option. Rejects if an option is invalid. */
  readonly mock: Promise<Handle>;
}

/**
 * Handlers for MSW (`setupServer(...handlers({ baseUrl }))`) with the mock's checks, tokens, limits and journal.
 * One handler covers all methods, because the contract decides which paths exist.
 * Use `msw/node` in Node and `msw/browser` in a browser, where everything works except Prism.
 *
 * The mock starts at once. An invalid option, like an unknown scenario, rejects `mock`.
 *
 * @throws TypeError if the base URL is invalid.
 */
export function handlers<Given extends Answering>(
  options: HandlerOptions & { readonly mock: Given | Promise<Given> },
): MockHandlers<Given>;
export function handlers(options: HandlerOptions): MockHandlers;
export function handlers(options: HandlerOptions): MockHandlers<Answering> {
  const { baseUrl, mock, passUnknown = false, ...rest } = options;
  const base = baseOf(baseUrl);
  // callers need not await it: an unhandled rejection shows as for any other promise
  const made: Promise<Answering> = Promise.resolve(mock ?? startMock({ ...rest, listen: false, address: base }));
  const all = [
    http.all(under(base), async ({ request }) => {
      const { fetch } = await made;
      const answer = await fetch(await rehosted(request, addressIn(base, request.url))).catch(lost);
      return passUnknown && answer.status === 404 && (await isUnknown(answer)) ? passthrough() : answer;
    }),
  ];
  return Object.assign(all, { mock: made });
}

/** Matches the base and all URLs below it. A RegExp works in every version of MSW. */
function under(base: string): RegExp {
  return new RegExp(`^${base.replaceAll(/[^\w]/g, '\\$&')}(?:/|$)`);
}

/** Readdresses a request to the mock, which must not check the host used by your program. */
async function rehosted(request: Request, target: string): Promise<Request> {
  const { method, headers, signal } = request;
  const body = request.body ? await request.arrayBuffer() : null;
  // only this program can get here, so the control API needs no protection from foreign pages
  const ours = /^\/__mock(?:\/|$)/.test(target) ? ['host', 'origin', 'sec-fetch-site'] : ['host'];
  // line by line: while MSW 2 listens, `new Headers(headers)` keeps only the last value added
  const named = [...headers].filter(([name]) => !ours.includes(name));
  return new Request(`http://mock.localhost${target}`, { method, headers: named, body, signal });
}

/** Turns a connection that a scenario ended into a network error, as without MSW. Rethrows other errors. */
function lost(error: unknown): Response {
  if (error instanceof TypeError && error.cause !== undefined) return HttpResponse.error();
  throw error;
}

async function isUnknown(answer: Response): Promise<boolean> {
  const { type } = (await answer.clone().json()) as { readonly type?: unknown };
  return typeof type === 'string' && type.endsWith('/no-such-path');
}

/**
 * The base URL without a trailing slash.
 * @throws TypeError if it is no http(s) URL.
 */
function baseOf(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (!url || !/^https?:$/.test(url.protocol)) throw new TypeError('baseUrl is an http or https address');
  return url.origin + url.pathname.replace(/\/+$/, '');
}

/** Path and query below the base URL, in the form that the API expects. */
function addressIn(base: string, address: string): string {
  const { origin, pathname, search } = new URL(address);
  return ((origin + pathname).slice(base.length) || '/') + search;
}
