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
  /** The worker's mock, reset to its initial state. */
  readonly mock: Mock;
}

export interface MockWorkerFixtures {
  /** The mock shared by all tests of the worker, for fixtures that start its callers. In a test, use `mock`. */
  readonly workerMock: Mock;
}

export type MockTest = TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & MockFixtures,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions & MockWorkerFixtures
>;

/**
 * Playwright's `test` with a mock: `const test = mockTest()`, then `test('…', async ({ page, mock }) => …)`.
 * Each worker has its own mock on its own port, and each test that uses it gets it reset. A failed test gets the
 * exchanges as a redacted attachment.
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
