import { defineConfig } from 'vitest/config';
import { ClosingReporter } from './test/support/closing-reporter.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/build-once.ts'],
    reporters: ['default', new ClosingReporter()],
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
