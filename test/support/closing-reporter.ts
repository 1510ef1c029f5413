import type { Reporter, TestModule } from 'vitest/node';

/** Prints what was skipped and why, and a last line with the counts. */
export class ClosingReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const count = { passed: 0, failed: 0, skipped: 0 };
    const missing = new Map<string, number>();
    for (const module of modules) {
      const state = module.state();
      let own = 0;
      for (const test of module.children.allTests()) {
        own += 1;
        const result = test.result().state;
        if (result === 'passed' || result === 'failed' || result === 'skipped') count[result] += 1;
        const need = /\[needs ([^\]]+)\]/.exec(test.fullName)?.[1];
        if (result === 'skipped' && need) missing.set(need, (missing.get(need) ?? 0) + 1);
      }
      if (state === 'failed' && own === 0) count.failed += 1;
    }
    for (const [need, tests] of missing) console.log(`skipped ${tests} tests, missing here: ${need}`);
    console.log(`tests: ${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
  }
}
