import { configDefaults, defineConfig, type ViteUserConfig } from 'vitest/config';
import { ClosingReporter } from './test/support/closing-reporter.ts';

const LONG = 'test/**/*.long.test.ts';

/** `npm test` runs all but what takes long; `npm run test:long` the rest (`--mode long`). */
const config: ViteUserConfig = defineConfig(({ mode }) => ({
  test: {
    include: mode === 'long' ? [LONG] : ['test/**/*.test.ts'],
    exclude: mode === 'long' ? configDefaults.exclude : [...configDefaults.exclude, LONG],
    globalSetup: ['test/support/build-once.ts'],
    reporters: ['default', new ClosingReporter()],
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
})) as ViteUserConfig;

export default config;
