import '../../needs-node.ts';

import {
  test as base,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  type TestType,
} from '@playwright/test';
import type { Mock, MockOptions } from '../mock.ts';
import { startMock } from '../start-mock.ts';

export interface MockFixtures {
  /** The mock of the worker, put back to how it started. */
  readonly mock: Mock;
}

export interface MockWorkerFixtures {
  /** The mock that all tests of the worker share, for fixtures that start what calls it. A test takes `mock`. */
  readonly workerMock: Mock;
}

export type MockTest = TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & MockFixtures,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions & MockWorkerFixtures
>;

/**
 * `test` of Playwright with a mock: `const test = mockTest()`, then `test('…', async ({ page, mock }) => …)`.
 * Each worker has a mock of its own, on a port of its own; each test that asks for it finds it as it started. To a test that fails, the
 * exchanges are attached, redacted.
 */
export function mockTest(options: MockOptions = {}): MockTest {
  return base.extend<MockFixtures, MockWorkerFixtures>({
    workerMock: [
      // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern
      async ({}, use) => {
        await using mock = await startMock(options);
        await use(mock);
      },
      { scope: 'worker' },
    ],
    mock: async ({ workerMock }, use, testInfo) => {
      await workerMock.reset();
      await use(workerMock);
      if (testInfo.status === testInfo.expectedStatus) return;
      const lines = workerMock.journal.entries().map((entry) => `${JSON.stringify(entry)}\n`);
      await testInfo.attach('mock-journal.ndjson', { body: lines.join(''), contentType: 'application/x-ndjson' });
    },
  });
}
