import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Method, Operation } from '../../src/contract/contract.ts';
import { loadContract } from '../../src/contract/load.ts';
import { createMatcher } from '../../src/contract/paths.ts';

function operation(method: Method, path: string): Operation {
  return { operationId: `${method} ${path}`, method, path } as Operation;
}

const match = createMatcher([
  operation('GET', '/users/{userId}'),
  operation('PUT', '/users/{userId}'),
  operation('GET', '/users/me'),
  operation('GET', '/users/me/cards/{cardId}'),
  operation('GET', '/users/{userId}/accounts'),
  operation('DELETE', '/users/{id}/accounts'),
  operation('GET', '/files/{name}.{extension}'),
  operation('GET', '/files/report-{year}.csv'),
  operation('GET', '/'),
]);

function found(method: string, path: string): unknown {
  const result = match(method, path);
  if (result?.kind === 'operation') return [result.operation.operationId, result.pathParameters];
  return result?.kind === 'path' ? result.pathMatches.map(({ operationId }) => operationId) : result;
}

describe('matching', () => {
  test('the matcher finds the operation and its path parameters', () => {
    expect(found('GET', '/users/7')).toEqual(['GET /users/{userId}', { userId: '7' }]);
    expect(found('PUT', '/users/7?x=/y#z')).toEqual(['PUT /users/{userId}', { userId: '7' }]);
    expect(found('GET', '/')).toEqual(['GET /', {}]);
  });

  test('a literal segment wins, but the matcher backtracks from a dead end', () => {
    expect(found('GET', '/users/me')).toEqual(['GET /users/me', {}]);
    expect(found('GET', '/users/me/accounts')).toEqual(['GET /users/{userId}/accounts', { userId: 'me' }]);
    expect(found('PUT', '/users/me')).toEqual(['PUT /users/{userId}', { userId: 'me' }]);
  });

  test('parameters have the names of the matched operation', () => {
    expect(found('DELETE', '/users/7/accounts')).toEqual(['DELETE /users/{id}/accounts', { id: '7' }]);
  });

  test('for another method the matcher lists the operations of the path', () => {
    expect(found('POST', '/users/me')).toEqual(['GET /users/me', 'GET /users/{userId}', 'PUT /users/{userId}']);
    expect(found('get', '/users/7')).toEqual(['GET /users/{userId}', 'PUT /users/{userId}']);
  });

  test.each(['/nowhere', '/users', '/users/7/', '/users/7/8', 'users/7', '', '*', '//users/7'])(
    'no operation has the path %j',
    (path) => {
      expect(match('GET', path)).toBeNull();
    },
  );

  test('a parameter may share its segment with literal text', () => {
    expect(found('GET', '/files/a.b.c')).toEqual(['GET /files/{name}.{extension}', { name: 'a', extension: 'b.c' }]);
    expect(found('GET', '/files/report-2026.csv')).toEqual(['GET /files/report-{year}.csv', { year: '2026' }]);
    expect(match('GET', '/files/.c')).toBeNull();
    expect(found('GET', '/files/report-.csv')).toEqual([
      'GET /files/{name}.{extension}',
      { name: 'report-', extension: 'csv' },
    ]);
  });
});

describe('M4: percent-encoding in the path of an operation', () => {
  test('a path is decoded once', () => {
    expect(found('GET', '/users/a%2520b')).toEqual(['GET /users/{userId}', { userId: 'a%20b' }]);
    expect(found('GET', '/users/%C3%A4')).toEqual(['GET /users/{userId}', { userId: 'ä' }]);
    expect(found('GET', '/%75sers/me')).toEqual(['GET /users/me', {}]);
  });

  test('%2F stays inside one parameter, and .. never leaves its segment', () => {
    expect(found('GET', '/users/a%2Faccounts')).toEqual(['GET /users/{userId}', { userId: 'a/accounts' }]);
    expect(found('GET', '/users/..')).toEqual(['GET /users/{userId}', { userId: '..' }]);
    expect(found('GET', '/users/%2e%2e%2fme')).toEqual(['GET /users/{userId}', { userId: '../me' }]);
  });

  test.each(['/users/%', '/users/%ZZ', '/users/%C3', '/%E0%A4%A/x', '/users/%ff'])(
    '%s is reported as badly encoded',
    (path) => {
      expect(match('GET', path)).toMatchObject({ kind: 'bad-encoding' });
    },
  );

  test('an empty parameter does not match', () => {
    expect(match('GET', '/users/')).toBeNull();
    expect(match('GET', '/users//accounts')).toBeNull();
  });

  test('a parameter named __proto__ is a normal member', () => {
    const result = createMatcher([operation('GET', '/{__proto__}')])('GET', '/x');
    expect(result).toMatchObject({ kind: 'operation' });
    expect(result?.kind === 'operation' && Object.hasOwn(result.pathParameters, '__proto__')).toBe(true);
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });
});

test('every operation is found by its own path, with any values', async () => {
  const { operations } = await loadContract({ overlays: ['mocks/assumptions.overlay.yaml'] });
  const matcher = createMatcher(operations);
  fc.assert(
    fc.property(
      fc.constantFrom(...operations),
      fc.array(fc.string({ minLength: 1, unit: 'grapheme' }), { minLength: 6, maxLength: 6 }),
      (sought, values) => {
        // A value equal to the literal of another path would rightly match that path.
        const given = values.map((value) => `~${value}`);
        const names: string[] = [];
        const path = (sought.path ?? '').replace(/\{([^}]+)\}/g, (_, name: string) => {
          names.push(name);
          return encodeURIComponent(given[names.length - 1] ?? '');
        });
        expect(matcher(sought.method ?? '', path)).toEqual({
          kind: 'operation',
          operation: sought,
          pathParameters: Object.fromEntries(names.map((name, index) => [name, given[index]])),
        });
      },
    ),
  );
});

test('the matcher never throws, for any path and method', () => {
  fc.assert(
    fc.property(
      fc.string(),
      fc.string({ unit: fc.constantFrom('/', '%', '2', 'F', 'u', '.', '?', 'users', '\u0000') }),
      (method, path) => void match(method, `/${path}`),
    ),
  );
});
