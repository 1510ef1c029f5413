import type { Reporter, TestCase, TestModule } from 'vitest/node';

/**
 * Prints skipped tests with reasons, tests that passed only on a retry with their first failure, and a last line with
 * counts.
 */
export class ClosingReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const count = { passed: 0, failed: 0, skipped: 0 };
    const missing = new Map<string, number>();
    const again: string[] = [];
    for (const module of modules) {
      const state = module.state();
      let own = 0;
      for (const test of module.children.allTests()) {
        own += 1;
        const result = test.result().state;
        if (result === 'passed' || result === 'failed' || result === 'skipped') count[result] += 1;
        if (result === 'passed' && test.diagnostic()?.flaky) again.push(firstFailure(module, test));
        const need = /\[needs ([^\]]+)\]/.exec(test.fullName)?.[1];
        if (result === 'skipped' && need) missing.set(need, (missing.get(need) ?? 0) + 1);
      }
      if (state === 'failed' && own === 0) count.failed += 1;
    }
    for (const [need, tests] of missing) console.log(`skipped ${tests} tests, missing here: ${need}`);
    if (again.length > 0) console.log(`passed only when run again:\n${again.join('\n')}`);
    console.log(`tests: ${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
  }
}

/** The place of a retried test, and the error of its first run. */
function firstFailure(module: TestModule, test: TestCase): string {
  const [error] = test.result().errors ?? [];
  const at = error?.stacks?.[0];
  const place = at ? `:${at.line}:${at.column}` : '';
  return `  ${module.relativeModuleId}${place}\n    ${test.fullName}\n    ${error?.message.replaceAll('\n', '\n    ') ?? 'no error was kept'}`;
}
