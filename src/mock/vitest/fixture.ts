import '../../needs-node.ts';

import { type TestAPI, test } from 'vitest';
import type { Exchange } from '../../model/exchange.ts';
import type { Mock, MockOptions } from '../mock.ts';
import { startMock } from '../start-mock.ts';

export interface MockFixture {
  readonly mock: Mock;
  /** Raw exchanges of this test, in order; secrets stand in them as they were sent. */
  readonly journal: readonly Exchange[];
}

export interface FixtureOptions extends Omit<MockOptions, 'onExchange'> {
  /**
   * How long a mock lives. `file` (the default): one for all tests of a file, with what they leave in it; the journal starts anew with each
   * test, so tests of a file that share a mock must not run concurrently. `test`: a mock for each test, which knows nothing of the others.
   */
  readonly per?: 'file' | 'test';
}

/**
 * `test` of vitest with a mock: `const test = mockTest()`, then `test('…', async ({ mock, journal }) => …)`.
 * The mock starts when a test first asks for it and is closed after the file, or after the test. Call it at the top of a file, outside of
 * every `describe`: vitest wants it there for what lives as long as the file.
 */
export function mockTest(options: FixtureOptions = {}): TestAPI<MockFixture> {
  const { per = 'file', ...rest } = options;
  return test.extend<{ $watched: Watched } & MockFixture>({
    $watched: [
      // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of the fixtures from the pattern
      async ({}, use) => {
        let told: Exchange[] = [];
        await using mock = await startMock({ ...rest, onExchange: (exchange) => told.push(exchange) });
        await use({ mock, freshJournal: () => (told = []) });
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
