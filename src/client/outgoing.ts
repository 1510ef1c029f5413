import { parseUrl } from './endpoint.ts';

export type RequestParts = ReturnType<typeof parts>;

export async function outgoing(input: string | URL | Request, init: RequestInit = {}): Promise<RequestParts> {
  if (typeof input === 'string' || input instanceof URL) return parts(String(input), init);
  const given: RequestInit = { ...membersOf(input), ...init };
  // in one piece, so that it has a length and can be sent again
  if (init.body === undefined && input.body !== null) given.body = await input.arrayBuffer();
  return parts(input.url, given);
}

function parts(address: string, init: RequestInit) {
  const { method = 'GET', headers, body, redirect = 'follow', signal, ...rest } = init;
  const page = (globalThis as { location?: { href?: string } }).location?.href;
  return {
    url: new URL(address, page),
    method: /^(?:get|head|post|put|delete|options)$/i.test(method) ? method.toUpperCase() : method,
    headers: new Headers(headers),
    body: replayableBody(body),
    redirect,
    signal: signal ?? undefined,
    /** All other options of the caller, for instance cache mode and dispatcher. */
    rest,
  };
}

/** Copies only options that differ from fetch's defaults: some platforms reject options that they do not implement. */
function membersOf(request: Request): RequestInit {
  const { method, headers, redirect, signal } = request;
  const members: Record<string, unknown> = { method, headers, redirect, signal };
  for (const [name, standard] of Object.entries(STANDARD)) {
    const value: unknown = Reflect.get(request, name);
    if (value !== undefined && value !== standard && value !== 'navigate') members[name] = value;
  }
  return members as RequestInit;
}

const STANDARD = {
  cache: 'default',
  credentials: 'same-origin',
  integrity: '',
  keepalive: false,
  mode: 'cors',
  referrer: 'about:client',
  referrerPolicy: '',
} as const;

/** Longest chain of redirects that is followed, as in fetch. */
export const MAX_REDIRECTS = 20;

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Removed if a redirect leads to another origin (RFC 9110, section 15.4). */
const CREDENTIALS = ['authorization', 'cookie', 'host', 'proxy-authorization'];
const CONTENT = ['content-encoding', 'content-language', 'content-length', 'content-location', 'content-type'];

export function isRedirect(response: Response): boolean {
  return REDIRECTS.has(response.status) && response.headers.has('location');
}

/**
 * Follows a redirect by the rules of fetch.
 *
 * @throws TypeError if the target is not http(s), or if the body cannot be sent again
 */
export function redirected(request: RequestParts, response: Response): RequestParts {
  const url = parseUrl(response.headers.get('location') ?? '', request.url.href);
  if (url === null || !/^https?:$/.test(url.protocol)) throw new TypeError('Redirected to no http address');
  if (url.hash === '') url.hash = request.url.hash;
  const { status } = response;
  const headers = new Headers(request.headers);
  if (url.origin !== request.url.origin) for (const name of CREDENTIALS) headers.delete(name);
  const becomesGet =
    status === 303 ? !/^(?:GET|HEAD)$/.test(request.method) : status < 303 && request.method === 'POST';
  if (!becomesGet) {
    if (!request.body.replayable) throw new TypeError('Redirected with a body that cannot be sent again');
    return { ...request, url, headers };
  }
  request.body.release();
  for (const name of CONTENT) headers.delete(name);
  return { ...request, url, headers, method: 'GET', body: replayableBody(null) };
}

type Content = NonNullable<RequestInit['body']>;

interface ReplayableBody {
  next(): Content | null;
  /** Whether another `next()` returns the same bytes again. */
  readonly replayable: boolean;
  readonly isStream: boolean;
  /** Drops the copy that is kept for a retry. */
  release(): void;
}

/** Streams are teed. Other bodies that can be read only once (async iterables in Node) cannot be sent again. */
function replayableBody(body: Content | null | undefined): ReplayableBody {
  if (body instanceof ReadableStream) return teed(body);
  return {
    next: () => body ?? null,
    replayable: body === null || body === undefined || !isOneShot(body),
    isStream: false,
    release: () => {},
  };
}

function isOneShot(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false;
  const isForm = body instanceof FormData || body instanceof URLSearchParams;
  return !isForm && (Symbol.asyncIterator in body || Symbol.iterator in body) && !ArrayBuffer.isView(body);
}

function teed(stream: ReadableStream): ReplayableBody {
  let spare: ReadableStream | undefined = stream;
  return {
    next() {
      // fetch rejects a stream that is being read
      if (spare === undefined || spare.locked) return stream;
      const [now, later] = spare.tee();
      spare = later;
      return now;
    },
    replayable: !stream.locked,
    isStream: true,
    release() {
      spare?.cancel().catch(() => {});
      spare = undefined;
    },
  };
}
