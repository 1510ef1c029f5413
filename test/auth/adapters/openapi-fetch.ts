import type { Client } from 'openapi-fetch';
import createClient from 'openapi-fetch';
import type { LocatedOperationId, Operations } from '../../../generated/validators/types.ts';
import { type TokenProvider, withToken } from '../../../src/auth/client.ts';

type Located = { [Id in Exclude<LocatedOperationId, 'getToken'>]: Operations[Id] }[Exclude<
  LocatedOperationId,
  'getToken'
>];

/** The located operations in the form that openapi-fetch takes. */
export type Paths = {
  [Path in Located['path']]: {
    [Call in Extract<Located, { path: Path }> as Lowercase<Call['method']>]: {
      parameters: { path: Call['pathParameters'] };
      requestBody?: { content: { 'application/json': Call['request'] } };
      responses: { '2XX': { content: { 'application/json': Call['response'] } } };
    };
  };
};

export const createApi = (baseUrl: string, provider: TokenProvider): Client<Paths> =>
  createClient<Paths>({ baseUrl, fetch: withToken(fetch, provider) });
