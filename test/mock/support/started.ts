import { afterAll, afterEach, beforeEach } from 'vitest';
import type { Mock, MockOptions } from '../../../src/mock/mock.ts';
import { startMock } from '../../../src/mock/start-mock.ts';

/** Starts mocks that accept any token and have no port, and closes each after its test. */
export function startsMocks(): (options?: MockOptions) => Promise<Mock> {
  const started: Mock[] = [];
  afterEach(async () => {
    await Promise.all(started.splice(0).map((mock) => mock.close()));
  });
  return async (options = {}) => {
    const mock = await startMock({ listen: false, anyToken: true, ...options });
    started.push(mock);
    return mock;
  };
}

/** One mock for all tests of a file, reset before each. */
export async function mockOfFile(options: MockOptions = {}): Promise<Mock> {
  const mock = await startMock(options);
  afterAll(() => mock.close());
  beforeEach(() => mock.reset());
  return mock;
}
