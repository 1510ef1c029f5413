import { describe, expect, it } from 'vitest';
import { clientCredentials } from '../../src/client/credentials.ts';
import { cleanCause } from '../../src/client/failure.ts';
import { secretsIn } from './secrets.ts';
import { PASSWORD, USERNAME } from './support.ts';

const { authorization: field, secrets } = clientCredentials(USERNAME, PASSWORD, 'basic', false);
const authorization = String(field);
const clean = (cause: unknown): unknown => cleanCause(cause, secrets);

describe('T16: causes of errors', () => {
  const cyclic: Error = new Error('cyclic');
  cyclic.cause = cyclic;
  it.each([
    ['a message', new Error(`no ${PASSWORD}`)],
    ['a string', `no ${authorization}`],
    ['a code', Object.assign(new Error('x'), { code: PASSWORD })],
    ['a name', Object.assign(new Error('x'), { name: PASSWORD })],
    ['a property', Object.assign(new Error('x'), { config: { headers: { authorization } } })],
    ['a list', [new Error('x'), new Error(PASSWORD)]],
    ['an aggregate', new AggregateError([new Error(PASSWORD)], 'several')],
    ['a DOMException', new DOMException(PASSWORD, 'AbortError')],
    ['an inner cause', new Error('a', { cause: new Error('b', { cause: new Error(encodeURIComponent(PASSWORD)) }) })],
    ['an object of unknown kind', new Map([[1, PASSWORD]])],
    ['a function', () => PASSWORD],
    ['the request', new Request('https://x.example', { headers: { authorization } })],
    ['headers', new Headers({ authorization })],
    ['a cycle', Object.assign(new Error(PASSWORD), { cause: cyclic })],
  ])('a secret in %s is not shown', (_, cause) => {
    expect(secretsIn(clean(cause))).toEqual([]);
  });

  it('sent and received data is not shown, even if it is not known as a secret', () => {
    const error = Object.assign(new Error('Invalid character in chunk size'), { data: '{"access_token":"abc"}' });
    expect(JSON.stringify(Object.values(clean(error) as object))).not.toContain('abc');
    expect(clean(error)).toMatchObject({ message: 'Invalid character in chunk size' });
  });

  it('a copy keeps names, codes and the chain', () => {
    const cause = Object.assign(new TypeError(`at ${PASSWORD}`), {
      cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }),
    });
    expect(clean(cause)).toMatchObject({
      name: 'TypeError',
      message: 'at [redacted]',
      cause: { message: 'reset', code: 'ECONNRESET' },
    });
  });
});
