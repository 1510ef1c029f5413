import '../../needs-node.ts';

import { type HttpHandler, HttpResponse, http, passthrough } from 'msw';
import type { Mock, MockOptions } from '../mock.ts';
import { startMock } from '../start-mock.ts';

/** A mock, or whatever else answers requests whose address is a path of the API at `http://mock.localhost`. */
export interface Answering {
  readonly fetch: (request: Request) => Promise<Response>;
}

export interface HandlerOptions extends Omit<MockOptions, 'listen' | 'port' | 'host' | 'address'> {
  /** Where the API is thought to be, `{base_url}` of the API reference: its requests are answered, all others are left alone. */
  readonly baseUrl: string;
  /** What answers: a mock of the test's own, whose journal and tokens it can then reach. Without it one is made of the options, without a socket. */
  readonly mock?: Answering | Promise<Answering> | undefined;
  /** Paths under `baseUrl` that the contract does not know go to the network instead of getting the mock's 404. */
  readonly passUnknown?: boolean;
}

export interface MockHandlers<Handle = Mock> extends Array<HttpHandler> {
  /** The mock that answers: its clock, scenarios, tokens and journal; or what was given as `mock`. Rejects where the options do not hold. */
  readonly mock: Promise<Handle>;
}

/**
 * Handlers for MSW (`setupServer(...handlers({ baseUrl }))`) that answer as the mock does: same judgement, tokens, limits, journal.
 * They are one handler for all methods, since which paths exist is the contract's to say.
 * In Node with `msw/node`, in a browser with `msw/browser`, where all but what needs Prism works.
 *
 * The mock is made at once. A wrong value of an option, such as an unknown scenario, rejects `mock`.
 *
 * @throws TypeError for a base URL that is none.
 */
export function handlers<Given extends Answering>(
  options: HandlerOptions & { readonly mock: Given | Promise<Given> },
): MockHandlers<Given>;
export function handlers(options: HandlerOptions): MockHandlers;
export function handlers(options: HandlerOptions): MockHandlers<Answering> {
  const { baseUrl, mock, passUnknown = false, ...rest } = options;
  const base = baseOf(baseUrl);
  // nobody need wait for it: where it rejects and nobody looks, that is as loud as any promise that nobody looks at
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

/** Addresses at the base and below it, as the kind of predicate that every version of MSW takes. */
function under(base: string): RegExp {
  return new RegExp(`^${base.replaceAll(/[^\w]/g, '\\$&')}(?:/|$)`);
}

/** The same request to the mock itself: the host that the program thinks of is not the mock's to judge. */
async function rehosted(request: Request, target: string): Promise<Request> {
  const { method, headers, signal } = request;
  const body = request.body ? await request.arrayBuffer() : null;
  // only this program comes this way: there is no page of another origin to keep from the control API
  const ours = /^\/__mock(?:\/|$)/.test(target) ? ['host', 'origin', 'sec-fetch-site'] : ['host'];
  // line by line: while MSW 2 listens, `new Headers(headers)` keeps only what was added last
  const named = [...headers].filter(([name]) => !ours.includes(name));
  return new Request(`http://mock.localhost${target}`, { method, headers: named, body, signal });
}

/** A connection that a scenario ends is a network error to the program, as it would be without MSW; all else is thrown on. */
function lost(error: unknown): Response {
  if (error instanceof TypeError && error.cause !== undefined) return HttpResponse.error();
  throw error;
}

async function isUnknown(answer: Response): Promise<boolean> {
  const { type } = (await answer.clone().json()) as { readonly type?: unknown };
  return typeof type === 'string' && type.endsWith('/no-such-path');
}

/**
 * The address of an API without a trailing slash.
 * @throws TypeError for what is no http(s) address.
 */
function baseOf(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (!url || !/^https?:$/.test(url.protocol)) throw new TypeError('baseUrl is an http or https address');
  return url.origin + url.pathname.replace(/\/+$/, '');
}

/** Path and query of an address below a base, as the API knows them. */
function addressIn(base: string, address: string): string {
  const { origin, pathname, search } = new URL(address);
  return ((origin + pathname).slice(base.length) || '/') + search;
}
