/** The token client for undici: `banking-api-contract/client/undici`. */
import type { Dispatcher } from 'undici';
import type { AccessToken } from '../access-token.ts';
import type { TokenProvider } from '../token-provider.ts';

type Handler = Dispatcher.DispatchHandler;

/**
 * An interceptor for `request`, `stream`, `pipeline` and undici's own `fetch`: `new Agent().compose(bearer(provider))`.
 * A body that can be read only once is not sent again: the 401 is the answer.
 */
export function bearer(provider: TokenProvider): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => {
    if (new URL(String(options.origin)).origin !== provider.origin) return dispatch(options, handler);
    const { body, signal } = options as typeof options & { readonly signal?: unknown };
    const waiting = signal instanceof AbortSignal ? { signal } : {};
    const replayable = body == null || typeof body === 'string' || body instanceof Uint8Array;
    const fail = (error: Error): void =>
      handler.onResponseError?.(undefined as never, waiting.signal?.aborted ? waiting.signal.reason : error);
    const send = (token: AccessToken, refused: ((pass: () => void) => void) | undefined): void => {
      const headers = withBearer(options.headers, token);
      dispatch({ ...options, headers }, refused ? unless401(handler, refused, () => provider.accept?.()) : handler);
    };
    const start = async (): Promise<void> => {
      const token = await provider.getToken(waiting);
      const again = async (pass: () => void): Promise<void> => {
        provider.invalidate(token);
        const renewed = replayable ? await provider.getToken(waiting) : token;
        // some services issue the same token until it expires
        if (renewed.value === token.value) pass();
        else send(renewed, undefined);
      };
      send(token, (pass) => void again(pass).catch(fail));
    };
    start().catch(fail);
    return true;
  };
}

/** Passes on every response except a 401, which is read to its end. `refused` then retries, or passes the 401 on. */
function unless401(handler: Handler, refused: (pass: () => void) => void, accepted: () => void): Handler {
  let held: (() => void)[] | undefined;
  return {
    onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
    onRequestUpgrade: (...rest) => handler.onRequestUpgrade?.(...rest),
    onResponseStart(controller, status, headers, text) {
      const pass = (): void => handler.onResponseStart?.(controller, status, headers, text);
      if (status === 401) {
        held = [pass];
        return;
      }
      accepted();
      pass();
    },
    onResponseData(controller, chunk) {
      const pass = (): void => handler.onResponseData?.(controller, chunk);
      if (held) held.push(pass);
      else pass();
    },
    onResponseEnd(controller, trailers) {
      const pass = (): void => handler.onResponseEnd?.(controller, trailers);
      const parts = held;
      if (parts === undefined) pass();
      else refused(() => [...parts, pass].forEach((part) => void part()));
    },
    onResponseError: (controller, error) => handler.onResponseError?.(controller, error),
  };
}

function withBearer(headers: Dispatcher.DispatchOptions['headers'], token: AccessToken): string[] {
  const fields =
    Symbol.iterator in Object(headers) ? [...(headers as Iterable<unknown>)] : Object.entries(headers ?? {});
  const list = (Array.isArray(headers) ? headers : fields.flat()) as string[];
  const others = list.filter((_, at) => list[at - (at % 2)]?.toLowerCase() !== 'authorization');
  return [...others, 'authorization', `Bearer ${token.value}`];
}
