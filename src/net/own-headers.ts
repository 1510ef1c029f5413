import type { HeaderFields } from '../model/exchange.ts';

/** A header field that a target requires beyond its contract: a subscription key, a tenant, a correlation id. */
export interface OwnHeader {
  /** In lower case. */
  readonly name: string;
  /** A function generates a new value for each request. */
  readonly value: string | (() => string);
  /** Whether it is also sent to the token endpoint. */
  readonly token: boolean;
  /** Whether its value is redacted in all output. */
  readonly secret: boolean;
  /** The environment variable that holds the value, for messages. */
  readonly variable?: string;
}

/** Fields that the tool writes itself, or that control message framing. */
const WRITTEN: ReadonlySet<string> = new Set([
  ...['accept', 'accept-encoding', 'authorization', 'content-encoding', 'content-length', 'content-type', 'host'],
  ...['connection', 'expect', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'user-agent'],
]);

export function isWrittenByTool(name: string): boolean {
  return WRITTEN.has(name.toLowerCase()) || name.toLowerCase().startsWith('proxy-');
}

export function ownFields(headers: readonly OwnHeader[], isToken: boolean): HeaderFields {
  return headers
    .filter(({ token }) => token || !isToken)
    .map(({ name, value }) => [name, typeof value === 'string' ? value : value()]);
}

export function namesOfRequests(headers: readonly OwnHeader[]): string[] {
  return headers.flatMap(({ name, value }) => (typeof value === 'function' ? [name] : []));
}

export function secretsOfHeaders(headers: readonly OwnHeader[]) {
  const secret = headers.filter((header) => header.secret);
  return {
    values: secret.flatMap(({ value }) => (typeof value === 'string' ? [value] : [])),
    names: secret.map(({ name }) => name),
  };
}
