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
 * `npm test` runs the short tests, `npm run test:long` the long ones (`--mode long`). `npx vitest run --project contracts` and the test
 * view of an editor run the Pactum suite against the embedded mock. `npm run contracts` runs it against a sandbox (`--mode target`).
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
          expect: { poll: { timeout: 20_000 } },
          // Tests use real sockets and processes. Beside other work, one late answer must not stop a person, so a failed test runs once
          // more, and the end of the output lists it with its first failure. In CI, it fails: a test that needs this has a race.
          retry: process.env.CI || process.env.BANKING_API_TESTS_REQUIRE ? 0 : 1,
          // No file changes anything that another one uses, so a worker loads each module once. Node itself runs the sources.
          isolate: false,
          experimental: { viteModuleRunner: false, nodeLoader: false },
        },
      },
      {
        resolve: { alias: { 'banking-api-contract/contract': path('contracts/support/contract.ts') } },
        test: {
          name: 'contracts',
          include: ['contracts/*.contract.ts', 'contracts/every/operations.contract.ts'],
          globalSetup: [
            mode === 'target' ? 'scripts/contracts/handed-suite.ts' : 'scripts/contracts/embedded-suite.ts',
          ],
          setupFiles: ['contracts/support/setup.ts'],
          isolate: false,
          fileParallelism: false,
        },
      },
    ],
  },
})) as ViteUserConfig;

export default config;
