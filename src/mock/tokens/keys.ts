import type { KeyScheme } from '../../contract/contract.ts';
import type { Answer } from '../message/answer.ts';
import { cookieOf, field, type ReceivedRequest } from '../message/call.ts';
import { problem } from '../message/problem.ts';
import type { MockCredentials } from '../mock.ts';
import { createBasicCheck } from './token-endpoint.ts';

type Keys = readonly KeyScheme[];

/**
 * Checks HTTP Basic, API keys and bearer tokens that no operation issues. The mock accepts its own credentials, or its
 * password as the key or token. Undefined lets the request pass.
 * @param anyKey accept every key
 */
export function createKeyCheck(
  credentials: MockCredentials,
  anyKey: boolean,
): (call: ReceivedRequest, ways: readonly Keys[]) => Answer | undefined {
  const holdsBasic = createBasicCheck(credentials);
  const holds = (call: ReceivedRequest, key: KeyScheme): boolean => {
    const sent = sentFor(call, key);
    if (sent === undefined || anyKey) return sent !== undefined;
    if (key.kind === 'basic') return holdsBasic(sent);
    return (key.kind === 'bearer' ? sent.replace(/^bearer +/i, '') : sent) === credentials.password;
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
  return cookieOf(call, name);
}

function wordsOf({ kind, in: place, name }: KeyScheme): string {
  if (kind === 'bearer') return 'the password of the mock as a bearer token';
  return kind === 'basic' ? 'HTTP Basic with the credentials of the mock' : `its password as ${name} in the ${place}`;
}

/** A 401 names a scheme (RFC 9110, 15.5.2). API keys have no registered scheme. */
function challengeOf(ways: readonly Keys[]): string {
  const kinds = ways.flat().map(({ kind }) => kind);
  if (kinds.includes('basic')) return 'Basic realm="banking-api mock", charset="UTF-8"';
  return `${kinds.includes('bearer') ? 'Bearer' : 'ApiKey'} realm="banking-api mock"`;
}
