import type { HeaderFields } from '../model/exchange.ts';

/** A header field that a target demands beyond its contract: the key of a subscription, a tenant, a correlation id. */
export interface OwnHeader {
  /** In lower case. */
  readonly name: string;
  /** A function makes the value of each request. */
  readonly value: string | (() => string);
  /** The token endpoint gets it, too. */
  readonly token: boolean;
  /** Its value must not leave the process otherwise. */
  readonly secret: boolean;
}

/** Fields that the tool itself writes into requests, or that frame them. */
const WRITTEN: ReadonlySet<string> = new Set([
  ...['accept', 'accept-encoding', 'authorization', 'content-encoding', 'content-length', 'content-type', 'host'],
  ...['connection', 'expect', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'user-agent'],
]);

/** True for a field that nobody but the tool may write. */
export function isWrittenByTool(name: string): boolean {
  return WRITTEN.has(name.toLowerCase()) || name.toLowerCase().startsWith('proxy-');
}

export function ownFields(headers: readonly OwnHeader[], isToken: boolean): HeaderFields {
  return headers
    .filter(({ token }) => token || !isToken)
    .map(({ name, value }) => [name, typeof value === 'string' ? value : value()]);
}

/** Names of those that name each request anew. */
export function namesOfRequests(headers: readonly OwnHeader[]): string[] {
  return headers.flatMap(({ name, value }) => (typeof value === 'function' ? [name] : []));
}

/** What of them must not leave the process: values, and names under which no value does. */
export function secretsOfHeaders(headers: readonly OwnHeader[]): {
  readonly values: string[];
  readonly names: string[];
} {
  const secret = headers.filter((header) => header.secret);
  return {
    values: secret.flatMap(({ value }) => (typeof value === 'string' ? [value] : [])),
    names: secret.map(({ name }) => name),
  };
}
