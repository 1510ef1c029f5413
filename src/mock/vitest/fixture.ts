import '../../needs-node.ts';

import { type TestAPI, test } from 'vitest';
import type { Exchange } from '../../model/exchange.ts';
import type { Mock, MockOptions } from '../mock.ts';
import { startMock } from '../start-mock.ts';

export interface MockFixture {
  readonly mock: Mock;
  /** Raw exchanges of this test, in order. Secrets are not redacted. */
  readonly journal: readonly Exchange[];
}

export interface FixtureOptions extends Omit<MockOptions, 'onExchange'> {
  /**
   * Lifetime of a mock. `file` (the default): all tests of a file share a mock and its state. The journal restarts with
   * each test, so these tests must not run concurrently. `test`: each test has its own mock.
   */
  readonly per?: 'file' | 'test';
}

/**
 * The `test` of vitest with a mock: `const test = mockTest()`, then `test('…', async ({ mock, journal }) => …)`.
 * The mock starts when a test first uses it, and closes after the file or the test. Call `mockTest` at the top of a
 * file, outside every `describe`: vitest requires this for fixtures with file scope.
 */
export function mockTest(options: FixtureOptions = {}): TestAPI<MockFixture> {
  const { per = 'file', ...rest } = options;
  return test.extend<{ $watched: Watched } & MockFixture>({
    $watched: [
      // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of the fixtures from the pattern
      async ({}, use) => {
        let exchanges: Exchange[] = [];
        await using mock = await startMock({ ...rest, onExchange: (exchange) => exchanges.push(exchange) });
        await use({ mock, freshJournal: () => (exchanges = []) });
      },
      { scope: per },
    ],
    mock: async ({ $watched }, use) => {
      await use($watched.mock);
    },
    journal: async ({ $watched }, use) => {
      await use($watched.freshJournal());
    },
  }) as unknown as TestAPI<MockFixture>;
}

interface Watched {
  readonly mock: Mock;
  readonly freshJournal: () => readonly Exchange[];
}
