import type { Mock } from '../../../src/mock/mock.ts';

export interface Told {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: what is asked of a body differs from test to test
  readonly body: any;
}

/** Calls a mock that accepts any token, without a socket. */
export async function ask(
  mock: Pick<Mock, 'fetch'>,
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Told> {
  const response = await mock.fetch(path, {
    method,
    headers: {
      authorization: 'Bearer any',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = /\bjson/.test(response.headers.get('content-type') ?? '') && text !== '';
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : null };
}
