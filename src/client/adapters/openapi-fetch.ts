/** The token client for openapi-fetch: `banking-api-contract/client/openapi-fetch`. */
/** Options for openapi-fetch: `createClient<Paths>({ baseUrl, ...bearer(provider) })`. @param fetch default: global */
export { bearer } from './ky.ts';

interface Call {
  readonly method: string;
  readonly path: string;
  readonly pathParameters: unknown;
  readonly queryParameters: unknown;
  readonly request: unknown;
  readonly response: unknown;
}

type CallsOf<Operations> = {
  [Id in keyof Operations]: Operations[Id] extends Call ? Operations[Id] : never;
}[keyof Operations];

/**
 * Operations in the form that openapi-fetch expects: `PathsOf<Operations>`. `Operations` comes from
 * `banking-api-contract/types` or from another contract.
 */
export type PathsOf<Operations> = {
  [Path in CallsOf<Operations>['path']]: {
    [One in Extract<CallsOf<Operations>, { path: Path }> as Lowercase<One['method']>]: {
      parameters: { path: One['pathParameters']; query?: One['queryParameters'] };
      requestBody?: { content: { 'application/json': One['request'] } };
      responses: { '2XX': { content: { 'application/json': One['response'] } } } & ErrorsOf<One>;
    };
  };
};

/** Error bodies are objects here. With `if (error)`, an empty text would look like a success. */
type ErrorsOf<One> = One extends { readonly errors: infer Errors }
  ? { [Status in keyof Errors]: { content: { 'application/problem+json': Errors[Status] & object } } }
  : unknown;
