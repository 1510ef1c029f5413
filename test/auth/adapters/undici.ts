import { Agent, type Dispatcher } from 'undici';
import type { AccessToken, TokenProvider } from '../../../src/auth/client.ts';

type Handler = Dispatcher.DispatchHandler;

/** For `request`, `stream`, `pipeline` and `fetch` of undici alike. */
export const bearer =
  (provider: TokenProvider): Dispatcher.DispatcherComposeInterceptor =>
  (dispatch) =>
  (options, handler) => {
    if (new URL(String(options.origin)).origin !== provider.origin) return dispatch(options, handler);
    const { body } = options;
    const replayable = body == null || typeof body === 'string' || body instanceof Uint8Array;
    const attempt = async (first: boolean): Promise<void> => {
      const token = await provider.getToken();
      const headers = withBearer(options.headers, token);
      const again = () => {
        provider.invalidate(token);
        attempt(false).catch(fail);
      };
      dispatch({ ...options, headers }, first && replayable ? unless401(handler, again) : handler);
    };
    const fail = (error: Error) => handler.onResponseError?.(undefined as never, error);
    attempt(true).catch(fail);
    return true;
  };

/** Passes everything on but a 401, which is read to its end and answered by `again`. */
function unless401(handler: Handler, again: () => void): Handler {
  let refused = false;
  return {
    onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
    onRequestUpgrade: (...rest) => handler.onRequestUpgrade?.(...rest),
    onResponseStart(controller, status, headers, text) {
      refused = status === 401;
      if (!refused) handler.onResponseStart?.(controller, status, headers, text);
    },
    onResponseData: (controller, chunk) => (refused ? undefined : handler.onResponseData?.(controller, chunk)),
    onResponseEnd: (controller, trailers) => (refused ? again() : handler.onResponseEnd?.(controller, trailers)),
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

export const createAgent = (provider: TokenProvider): Dispatcher => new Agent().compose(bearer(provider));
