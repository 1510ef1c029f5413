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
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Most tests speak over real sockets to real processes. One that fails is run once more, so that a starved machine does not refuse
    // a change for one late answer; what passed only then is listed at the end with its first failure, to be mended.
    retry: 1,
    // Tests wait for sockets and processes most of the time, so each core has a worker. The files share nothing that one of them
    // changes, so a worker loads each module once: as Node itself does, which runs the sources as they stand.
    maxWorkers: '100%',
    isolate: false,
    experimental: { viteModuleRunner: false, nodeLoader: false },
  },
})) as ViteUserConfig;

export default config;
