import type { KeyScheme } from '../contract/contract.ts';
import type { HeaderFields } from '../model/exchange.ts';
import type { Variables } from '../model/variables.ts';
import { type OwnHeader, ownFields } from '../net/own-headers.ts';
import type { Target } from './target.ts';

/**
 * Authentication other than tokens issued by an operation: HTTP Basic, API keys, a token of the environment.
 *
 * @param own header fields from the configuration; an API key goes where the contract wants it
 */
export function createKeys({ contract, host, credentials, token, embedded }: Target, own: readonly OwnHeader[]) {
  const keys = contract.operations.flatMap((operation) => operation.keys.flat());
  const elsewhere = keys.filter((key) => key.in !== 'header').map(({ name }) => name.toLowerCase());
  const plain = own.filter(({ name }) => !elsewhere.includes(name));

  function filling({ kind, name }: KeyScheme): string | undefined {
    if (kind === 'basic') return credentials === null ? undefined : `Basic ${basicOf(credentials)}`;
    const bearer = token ?? credentials?.password;
    if (kind === 'bearer') return bearer && `Bearer ${bearer}`;
    if (embedded) return credentials?.password;
    const value = own.find((one) => one.name === name.toLowerCase())?.value;
    return typeof value === 'function' ? value() : value;
  }

  /** The first authentication method that has all its values. */
  function sentBy(operationId: string): readonly (readonly [KeyScheme, string])[] {
    const { auth, keys: ways } = contract.operation(operationId) ?? { auth: 'none', keys: [] };
    if (auth !== 'none') return [];
    const filled = ways.map((way) => way.map((key) => [key, filling(key)] as const));
    const whole = filled.find((way) => way.every(([, value]) => value !== undefined));
    return (whole ?? []).map(([key, value]) => [key, value ?? '']);
  }

  const kinds = new Set(contract.operations.flatMap(({ keys: ways }) => ways.flat().map(({ kind }) => kind)));

  return {
    /** The variables that the target needs. */
    variables: ({ username, password, token: ready }: Variables): readonly string[] =>
      contract.token === null && !kinds.has('basic') ? [ready] : [username, password],
    /** True if nothing can be called without the credentials of the environment. */
    needsCredentials:
      contract.token !== null ||
      contract.operations.some(
        ({ operationId, keys: ways }) =>
          ways.flat().some(({ kind }) => kind !== 'apiKey') && sentBy(operationId).length === 0,
      ),
    /** @param endpoint the token endpoint, and the ready token that replaces it */
    sentTo({ baseUrl: issuer, ready }: { readonly baseUrl: string; readonly ready: string | undefined }) {
      const usesKey = kinds.has('basic') || (kinds.has('bearer') && token === undefined);
      const issues = contract.token !== null && ready === undefined;
      return {
        credentials: [...new Set([...(issues ? [new URL(issuer).host] : []), ...(usesKey ? [host] : [])])],
        token: ready !== undefined || kinds.has('bearer') ? [host] : [],
      };
    },
    fields: (operationId: string): HeaderFields => [
      ...ownFields(plain, operationId === contract.token?.operationId),
      ...sentBy(operationId).flatMap(([{ in: place, name }, value]): HeaderFields => {
        if (place === 'query' || plain.some((one) => one.name === name)) return [];
        return place === 'cookie' ? [['cookie', `${name}=${value}`]] : [[name, value]];
      }),
    ],
    /** `name=value`, percent-encoded. */
    query: (operationId: string): readonly string[] =>
      sentBy(operationId).flatMap(([{ in: place, name }, value]) =>
        place === 'query' ? [`${encodeURIComponent(name)}=${encodeURIComponent(value)}`] : [],
      ),
  };
}

export function basicOf({ username, password }: NonNullable<Target['credentials']>): string {
  return Buffer.from(`${username}:${password}`).toString('base64');
}
