import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkTokenResponse, isJson, parseJsonObject } from '../../src/client/token-response.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const member = fc.oneof(
  fc.jsonValue(),
  fc.string(),
  fc.constantFrom('bearer', 'Bearer', 'token', '3600', 3600, 0, -1, 1e300, '', ' '),
);

describe('T6: token responses', () => {
  it('for random members, no token is accepted that a header cannot carry, and nothing throws', () => {
    let accepted = 0;
    fc.assert(
      fc.property(
        fc.record(
          {
            access_token: fc.oneof(fc.constant('token'), member),
            token_type: fc.oneof(fc.constant('bearer'), member),
            expires_in: fc.oneof(fc.constant(60), member),
            scope: fc.oneof(fc.constant(''), member),
            jti: member,
          },
          { requiredKeys: [] },
        ),
        (response) => {
          const checked = checkTokenResponse(bytes(JSON.stringify(response)));
          if ('flaw' in checked) {
            expect(Object.keys(checked)).toEqual(['flaw']);
            return;
          }
          accepted += 1;
          const { accessToken, expiresIn, jti, scope } = checked.token;
          expect(new Headers({ authorization: `Bearer ${accessToken}` }).get('authorization')).toBe(
            `Bearer ${accessToken}`,
          );
          expect(accessToken).toMatch(/^[!-~]+$/);
          expect(String(response.token_type).toLowerCase()).toBe('bearer');
          expect(expiresIn === null || Number.isFinite(expiresIn)).toBe(true);
          expect(jti === null || typeof jti === 'string').toBe(true);
          expect(scope === null || typeof scope === 'string').toBe(true);
        },
      ),
      { numRuns: 2000 },
    );
    expect(accepted).toBeGreaterThan(20);
  });

  it('for random bytes, nothing throws', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (junk) => {
        expect(checkTokenResponse(junk)).toHaveProperty('flaw');
      }),
    );
  });

  it('an object with unique members is read, one with a duplicate member is not', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), fc.nat(), (object, pick) => {
        const text = JSON.stringify(object, null, pick % 3);
        expect(parseJsonObject(bytes(text))).toEqual(new Map(Object.entries(JSON.parse(text))));
        const keys = Object.keys(object);
        const again = `${JSON.stringify(keys[pick % keys.length])}:0`;
        expect(parseJsonObject(bytes(`${text.slice(0, -1)},${again}}`))).toBe(undefined);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ['application/json', true],
    ['application/json;charset=UTF-8', true],
    ['APPLICATION/JSON', true],
    ['application/problem+json; x=y', true],
    ['application/json, text/html', false],
    ['application/json; a=b, text/html', false],
    ['text/json', false],
    ['application/jsonx', false],
    ['xapplication/json', false],
    ['application/+json', false],
    ['', false],
    [null, false],
  ])('content type %j is JSON: %j', (type, json) => {
    expect(isJson(type)).toBe(json);
  });
});
