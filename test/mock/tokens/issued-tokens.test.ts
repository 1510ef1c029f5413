import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { IssuedTokens, type TokenRecord } from '../../../src/mock/tokens/issued-tokens.ts';

test('the newest tokens are listed with all their facts, the last one first, and each is found by its jti', () => {
  const tokens = new IssuedTokens(10);
  const all: TokenRecord[] = [];
  expect(tokens.list()).toEqual([]);
  for (let index = 0; index < 25; index += 1) {
    const exp = 4_000_000_000 + index;
    const one = { jti: randomUUID(), client: `client ${index}`, generation: index, issuedAt: exp * 1000 - 0.5, exp };
    tokens.add(one);
    all.push(one);
    expect(tokens.list()).toEqual(all.slice(-10).reverse());
    expect(all.map(({ jti }) => tokens.find(jti))).toEqual(all.map((each, at) => (at > index - 10 ? each : undefined)));
  }
  const text = all
    .slice(-5)
    .map(({ jti }) => jti)
    .join('');
  expect(tokens.find(text.slice(1, 37))).toBe(undefined);
  expect(tokens.find(text.slice(0, 35))).toBe(undefined);
  expect(tokens.count).toBe(25);
});
