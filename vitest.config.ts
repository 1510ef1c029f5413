import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig, type ViteUserConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { ClosingReporter } from './test/support/closing-reporter.ts';

const LONG = 'test/**/*.long.test.ts';
const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/**
 * The longest file comes first. It mostly waits for programs, so at the end it would leave a core idle for minutes. The generic contract
 * file comes last, because it runs the checks that no other file has.
 */
class FileOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification): number =>
      moduleId.endsWith('/audit/corpus.long.test.ts') ? -1 : Number(moduleId.includes('/contracts/every/'));
    return (await super.sort(files)).toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}

/**
 * `npm test` runs all but what takes long; `npm run test:long` the rest (`--mode long`). `npx vitest run --project contracts` runs the
 * Pactum suite against the embedded mock, and so does the test view of an editor.
 */
const config: ViteUserConfig = defineConfig(({ mode }) => ({
  test: {
    sequence: { sequencer: FileOrder },
    reporters: ['default', new ClosingReporter()],
    // Tests wait for sockets and processes most of the time, so each core has a worker.
    maxWorkers: '100%',
    projects: [
      {
        test: {
          name: 'tests',
          include: mode === 'long' ? [LONG] : ['test/**/*.test.ts'],
          exclude: mode === 'long' ? configDefaults.exclude : [...configDefaults.exclude, LONG],
          globalSetup: ['test/support/build-once.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          // Most tests speak over real sockets to real processes. One that fails is run once more, so that a starved machine does not
          // refuse a change for one late answer; what passed only then is listed at the end with its first failure, to be mended.
          retry: 1,
          // The files share nothing that one of them changes, so a worker loads each module once: as Node itself does, which runs the
          // sources as they stand.
          isolate: false,
          experimental: { viteModuleRunner: false, nodeLoader: false },
        },
      },
      {
        resolve: { alias: { 'banking-api-contract/contract': path('contracts/support/contract.ts') } },
        test: {
          name: 'contracts',
          include: ['contracts/*.contract.ts', 'contracts/every/operations.contract.ts'],
          globalSetup: ['test/support/embedded-suite.ts'],
          setupFiles: ['contracts/support/setup.ts'],
          isolate: false,
          fileParallelism: false,
        },
      },
    ],
  },
})) as ViteUserConfig;

export default config;
