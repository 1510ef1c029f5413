import type { Exchange, HeaderFields } from '../model/exchange.ts';

const WITHOUT_BODY = new Set([101, 204, 205, 304]);

/**
 * A `fetch` whose calls are sent by `send`; what the caller adds to the headers (the token) is what reaches it. Its responses are
 * without a body: whoever wants it has the exchange.
 */
export function toFetch(send: (headers: HeaderFields) => Promise<Exchange>): typeof globalThis.fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const exchange = await send([...request.headers]);
    return toResponse(exchange, null);
  };
}

/** An exchange as a fetch would have resolved it, or the `TypeError` that it would have rejected with. */
export function toResponse(
  exchange: Exchange,
  body: Uint8Array<ArrayBuffer> | null = Buffer.from(exchange.response?.body.bytes ?? []),
): Response {
  const { response } = exchange;
  if (response === null) {
    throw new TypeError('fetch failed', { cause: new Error(exchange.failure?.message ?? 'no answer') });
  }
  const status = response.status >= 200 && response.status <= 599 ? response.status : 599;
  const headers = new Headers();
  for (const [name, value] of response.headers) {
    // The body is decoded already.
    if (!['content-encoding', 'content-length', 'transfer-encoding'].includes(name)) headers.append(name, value);
  }
  return new Response(WITHOUT_BODY.has(status) ? null : body, { status, headers });
}
