import { expect, test } from 'vitest';
import { TokenAuthority } from '../../../src/mock/tokens/token-authority.ts';

const FIRST = Date.UTC(2026, 0, 1);

test('the newest 1,000 tokens are listed with all their facts, the last one first, and each can be ended', () => {
  let now = FIRST;
  const tokens = new TokenAuthority({ lifetime: 10_000, clock: () => now });
  expect(tokens.list()).toEqual([]);
  const all = Array.from({ length: 1_500 }, (_, index) => {
    now = FIRST + index * 1000.5;
    const issued = tokens.issue(`client "${index}"`);
    return {
      jti: issued.claims.jti,
      client: `client "${index}"`,
      issuedAt: new Date(now).toISOString(),
      expiresAt: new Date(issued.claims.exp * 1000).toISOString(),
      state: 'valid',
    };
  });
  expect(tokens.list()).toEqual(all.slice(-1_000).reverse());
  expect(tokens.issued).toBe(1_500);
  const ends = [0, 499, 500, 1_200, 1_499].map((index) => tokens.end(all[index]?.jti ?? '', 'revoked'));
  expect(ends).toEqual([false, false, true, true, true]);
  expect(tokens.list().filter(({ state }) => state === 'revoked')).toHaveLength(3);
  expect(tokens.end('none', 'revoked')).toBe(false);
});
