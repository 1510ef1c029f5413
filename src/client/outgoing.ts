import { joined } from './read-body.ts';
import { type Content, type ReplayableBody, replayableBody } from './replayable-body.ts';

/** A request in parts that can be sent again, also with another address or method. */
export interface Outgoing {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body: ReplayableBody;
  readonly redirect: NonNullable<RequestInit['redirect']>;
  readonly signal: AbortSignal | undefined;
  /** Whatever else the caller gave: cache mode, dispatcher and the like. */
  readonly rest: RequestInit;
}

/** Up to this many bytes the body of a `Request` object is sent with its length instead of as a stream. */
const BUFFERED = 2 ** 20;

/** Takes the arguments of a `fetch` apart. */
export async function outgoing(input: string | URL | Request, init: RequestInit = {}): Promise<Outgoing> {
  if (typeof input === 'string' || input instanceof URL) return parts(String(input), init);
  const given: RequestInit = { ...membersOf(input), ...init };
  if (init.body === undefined && input.body !== null)
    given.body = await buffered(input.body as ReadableStream<Uint8Array>);
  return parts(input.url, given);
}

function parts(address: string, init: RequestInit): Outgoing {
  const { method = 'GET', headers, body, redirect = 'follow', signal, ...rest } = init;
  const page = (globalThis as { location?: { href?: string } }).location?.href;
  return {
    url: new URL(address, page),
    method: /^(?:get|head|post|put|delete|options)$/i.test(method) ? method.toUpperCase() : method,
    headers: new Headers(headers),
    body: replayableBody(body),
    redirect,
    signal: signal ?? undefined,
    rest,
  };
}

/** What a request says beyond fetch's defaults; some platforms refuse members they do not implement. */
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

/** The bytes of a short stream; a long one as a stream again. */
async function buffered(stream: ReadableStream<Uint8Array>): Promise<Content> {
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    chunks.push(part.value);
    size += part.value.byteLength;
    if (size > BUFFERED) return continued(chunks, reader);
  }
  return joined(chunks);
}

function continued(chunks: Uint8Array[], reader: ReadableStreamDefaultReader<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const early = chunks.shift();
      if (early !== undefined) return controller.enqueue(early);
      const part = await reader.read();
      if (part.done) controller.close();
      else controller.enqueue(part.value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
