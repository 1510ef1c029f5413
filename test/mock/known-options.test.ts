import { describe, expect, test } from 'vitest';
import type { MockOptions } from '../../src/mock/mock.ts';
import { handlers } from '../../src/mock/msw/handlers.ts';
import { startMock } from '../../src/mock/start-mock.ts';

describe('an option that nobody knows', () => {
  test.each([
    ['scenario', /no option "scenario"\. Did you mean scenarios\?/],
    ['tokenLifeTime', /Did you mean tokenLifetime\?/],
    ['nothingLikeIt', /no option "nothingLikeIt"\.$/],
  ])('%s is refused by the mock, and at once by the handlers for MSW', async (name, message) => {
    const options = { listen: false, [name]: 1 } as MockOptions;
    await expect(startMock(options)).rejects.toMatchObject({ code: 'usage', message: expect.stringMatching(message) });
    expect(() => handlers({ baseUrl: 'https://bank.example', [name]: 1 })).toThrow(message);
  });
});
