import type { KeyScheme } from '../../contract/contract.ts';
import type { Answer } from '../message/answer.ts';
import { field, type ReceivedRequest } from '../message/call.ts';
import { problem } from '../message/problem.ts';
import { createBasicCheck, type MockCredentials } from './token-endpoint.ts';

/** The schemes of one way in. */
type Keys = readonly KeyScheme[];

/**
 * Judges HTTP Basic and API keys: the mock takes its own user and password, and the password as the key. Undefined lets the request pass.
 * @param anyKey every key passes that is sent
 */
export function createKeyCheck(
  credentials: MockCredentials,
  anyKey: boolean,
): (call: ReceivedRequest, ways: readonly Keys[]) => Answer | undefined {
  const holdsBasic = createBasicCheck(credentials);
  const holds = (call: ReceivedRequest, key: KeyScheme): boolean => {
    const sent = sentFor(call, key);
    if (sent === undefined || anyKey) return sent !== undefined;
    return key.kind === 'basic' ? holdsBasic(sent) : sent === credentials.password;
  };
  return (call, ways) => {
    if (ways.some((keys) => keys.every((key) => holds(call, key)))) return undefined;
    const wanted = ways.map((keys) => keys.map(wordsOf).join(' and ')).join(', or ');
    return problem('key-refused', `send ${wanted}`, { headers: ['www-authenticate', challengeOf(ways)] });
  };
}

function sentFor(call: ReceivedRequest, { in: place, name }: KeyScheme): string | undefined {
  if (place === 'header') return field(call, name);
  if (place === 'query') return new URLSearchParams(call.query).get(name) ?? undefined;
  const cookies = (field(call, 'cookie') ?? '').split(';').map((cookie) => cookie.trim());
  return cookies.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1);
}

function wordsOf({ kind, in: place, name }: KeyScheme): string {
  return kind === 'basic' ? 'HTTP Basic with the credentials of the mock' : `its password as ${name} in the ${place}`;
}

/** A 401 names a scheme (RFC 9110, 15.5.2). No scheme is registered for API keys. */
function challengeOf(ways: readonly Keys[]): string {
  return ways.flat().some(({ kind }) => kind === 'basic')
    ? 'Basic realm="banking-api mock", charset="UTF-8"'
    : 'ApiKey realm="banking-api mock"';
}
