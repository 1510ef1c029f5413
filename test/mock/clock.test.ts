import { describe, expect, test } from 'vitest';
import { createClock } from '../../src/mock/clock.ts';
import { startMock } from '../../src/mock/start-mock.ts';
import { askToken, bearer, send } from './support/client.ts';

const PATH = '/wallet/api/customers/c/cards/card-4001';
const START = Date.UTC(2026, 0, 1);

describe('the virtual clock', () => {
  test('M6: an advanced clock expires a token at once, and a new token is accepted', async () => {
    await using mock = await startMock();
    const authorization = await bearer(mock);
    const status = async (): Promise<number> => (await send(mock, { path: PATH, headers: { authorization } })).status;
    mock.clock.advance(3_598);
    expect(await status()).toBe(200);
    mock.clock.advance(2);
    expect(await status()).toBe(401);
    const fresh = (await askToken(mock)).json();
    expect([3599, 3600]).toContain(fresh.expires_in);
    const again = await send(mock, { path: PATH, headers: { authorization: `Bearer ${String(fresh.access_token)}` } });
    expect(again.status).toBe(200);
  });

  test('the virtual clock follows a given clock, and continues from the time it was set to', () => {
    let base = START;
    const clock = createClock(() => base);
    expect(clock.moved).toBe(false);
    clock.advance(1.5);
    expect(clock.now()).toBe(START + 1_500);
    clock.set('2030-05-06T07:08:09Z');
    expect([clock.now(), clock.moved]).toEqual([Date.UTC(2030, 4, 6, 7, 8, 9), true]);
    clock.set('2030-05-06T07:08:09');
    expect(clock.now()).toBe(Date.UTC(2030, 4, 6, 7, 8, 9));
    base += 250;
    expect(clock.now()).toBe(Date.UTC(2030, 4, 6, 7, 8, 9, 250));
    clock.reset();
    expect([clock.now(), clock.moved]).toEqual([base, false]);
  });

  test('an invalid time is rejected and leaves the clock unchanged', () => {
    const clock = createClock(() => START);
    const wrong: (() => void)[] = [
      () => clock.advance(Number.NaN),
      () => clock.advance(Number.POSITIVE_INFINITY),
      () => clock.set('tomorrow'),
      () => clock.set('2026-13-01'),
      () => clock.set('2026-02-30'),
      () => clock.set('2026-02-30T10:00:00+05:00'),
      () => clock.set(-1),
      () => clock.advance(1e15),
    ];
    for (const act of wrong) expect(act).toThrow(/years 1970 to 9999/);
    expect(clock.now()).toBe(START);
  });

  test('answers carry the date of the moved clock', async () => {
    await using mock = await startMock();
    mock.clock.set('2031-02-03T04:05:06Z');
    const { headers } = await askToken(mock);
    expect(headers.date).toMatch(/^Mon, 03 Feb 2031 04:05:0/);
  });
});
