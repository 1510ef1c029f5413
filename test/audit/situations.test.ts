import { expect, test } from 'vitest';
import { SITUATIONS } from '../../src/drive/situations.ts';
import { startMock } from '../../src/mock/start-mock.ts';

test.each(['last-second', 'expired-forbidden'])(
  '%s ends the token that was in use, and none that came since',
  async (id) => {
    const situation = SITUATIONS.find((each) => each.id === id);
    for (const renewed of [false, true]) {
      await using mock = await startMock({ listen: false, clock: () => 1_700_000_000_000 });
      const { username, password } = mock.credentials;
      const ask = async (): Promise<string> => {
        const answer = await mock.fetch('/iam/oauth/token', {
          method: 'POST',
          headers: { authorization: `Basic ${btoa(`${username}:${password}`)}` },
          body: new URLSearchParams({ grant_type: 'client_credentials' }),
        });
        return ((await answer.json()) as { access_token: string }).access_token;
      };
      const first = await ask();
      const passing = { kind: 'call', expiresAt: 1_700_000_002_000, now: 1_700_000_002_000 } as const;
      const faults = [1, 2].map((number) => situation?.meet?.({ ...passing, number }, mock));
      const token = renewed ? await ask() : first;
      for (const fault of faults) {
        fault?.meanwhile?.();
        fault?.afterwards?.();
      }
      const { status } = await mock.fetch('/wallet/api/customers/c1/cards/k1', {
        headers: { authorization: `Bearer ${token}` },
      });
      expect(status === 401).toBe(!renewed);
    }
  },
);
