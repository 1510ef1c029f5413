import { EnvHttpProxyAgent, fetch as undiciFetch } from 'undici';
import type { BaseFetch } from '../with-token.ts';

/** Settings of a private network: proxy, CA, client certificate. All optional; times are in seconds. */
export interface NodeFetchOptions {
  /** Address of an HTTP proxy, `http://user:password@proxy:3128`. */
  readonly proxy?: string;
  /** Hosts that bypass the proxy, as in `NO_PROXY`: `localhost,.internal,10.0.0.1:8443`. */
  readonly noProxy?: string;
  /** Trusted certificates (PEM). They replace Node's own list. */
  readonly ca?: string | Uint8Array | readonly (string | Uint8Array)[];
  /** The client's certificate and its key (PEM), or both as PKCS #12. */
  readonly cert?: string | Uint8Array;
  readonly key?: string | Uint8Array;
  readonly pfx?: string | Uint8Array;
  /** Of the key. */
  readonly passphrase?: string;
  readonly timeouts?: {
    /** Until the connection is open, TLS included; 5 by default. */
    readonly connect?: number;
  };
  /** Concurrent connections to one host; unlimited by default. */
  readonly connections?: number;
}

export interface NodeFetch extends AsyncDisposable {
  readonly fetch: BaseFetch;
  /** Closes the connections when their requests have ended. */
  close(): Promise<void>;
}

/** A `fetch` for `createTokenProvider` and `withToken` with a proxy, a private CA or a client certificate. */
export function createNodeFetch(options: NodeFetchOptions = {}): NodeFetch {
  const { proxy, noProxy, ca, cert, key, pfx, passphrase, connections } = options;
  const given = { ca, cert, key, pfx, passphrase };
  const tls = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const timeout = (options.timeouts?.connect ?? 5) * 1000;
  const agent = new EnvHttpProxyAgent({
    // always set, so that undici ignores the environment
    httpProxy: proxy ?? '',
    httpsProxy: proxy ?? '',
    noProxy: noProxy ?? '',
    connect: { ...tls, timeout },
    // requestTls is for the API behind the proxy; the proxy itself never gets the client's certificate
    requestTls: { ...tls, timeout },
    ...(ca === undefined ? {} : { proxyTls: { ca: ca as string, timeout } }),
    ...(connections === undefined ? {} : { connections }),
  });
  const close = (): Promise<void> => agent.close();
  return {
    fetch: async (input, init) => {
      const { body, headers, ...rest } = init;
      const sent = await plainBody(input, init);
      const answer = await undiciFetch(input, {
        ...(rest as object),
        headers: sent.headers ?? [...new Headers(headers)],
        ...(sent.body === undefined ? { body: body as string } : { body: sent.body }),
        dispatcher: agent,
      }).catch(namingProxy);
      return answer as unknown as Response;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** If a proxy opens no tunnel, undici reports its status only in the message of an abort, below two other errors. */
function namingProxy(error: unknown): never {
  for (let at = error; at instanceof Error; at = at.cause) {
    const status = /^Proxy response \((\d{3})\)/.exec(at.message)?.[1];
    if (status === undefined) continue;
    const refused =
      status === '407' ? 'the proxy does not accept its credentials (407)' : `the proxy answers ${status}`;
    const cause = Object.assign(new Error(refused), { code: `PROXY_${status}` });
    throw Object.assign(new TypeError(`fetch failed: ${refused}`, { cause }), { retryable: status !== '407' });
  }
  throw error;
}

/** Converts bodies of the platform's own `fetch`, whose classes undici's `fetch` does not recognise, to bytes. */
async function plainBody(
  input: string,
  { body, headers, method }: RequestInit,
): Promise<{ readonly body?: Uint8Array; readonly headers?: [string, string][] }> {
  if (!(body instanceof FormData || body instanceof Blob || body instanceof URLSearchParams)) return {};
  const whole = new Request(input, { method: method ?? 'POST', ...(headers && { headers }), body });
  return { body: new Uint8Array(await whole.arrayBuffer()), headers: [...whole.headers] };
}
