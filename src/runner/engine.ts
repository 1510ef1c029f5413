import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { ToolError } from '../errors.ts';
import { packageRoot } from '../package-root.ts';
import type { CheckMeta, CheckNotes, SuiteInput } from './suite.ts';

/** How a check ended in the suite, before the judge has had its say. */
export interface SuiteResult {
  readonly meta: CheckMeta;
  readonly notes: CheckNotes;
  readonly state: 'passed' | 'failed' | 'skipped' | 'pending';
  /** Of what the check threw, the name and the message of each. May hold what the target sent. */
  readonly errors: readonly { readonly name: string; readonly message: string }[];
  readonly durationMs: number;
}

export interface EngineOptions {
  readonly input: SuiteInput;
  readonly signal: AbortSignal;
  /** Told of each check as soon as it has ended. */
  readonly onResult?: (result: SuiteResult, done: number, of: number) => void;
}

/** Loads vitest ahead; the longest part of a start. */
export async function loadEngine(): Promise<typeof import('vitest/node')> {
  try {
    // The contract files import it in the worker; there its absence would look like a broken suite.
    import.meta.resolve('pactum');
    return await import('vitest/node');
  } catch (error) {
    throw new ToolError('engine-missing', 'vitest and pactum are needed to run the contract suite.', {
      hint: 'Run npm install without --omit=optional.',
      cause: error,
    });
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** vitest ends the process at a signal; what a signal means here is for the caller, and a run that was interrupted has a report. */
function guardSignals(): () => void {
  const before = new Map(SIGNALS.map((signal) => [signal, process.listeners(signal)]));
  return () => {
    for (const [signal, known] of before) {
      for (const listener of process.listeners(signal)) {
        if (!known.includes(listener)) process.off(signal, listener);
      }
    }
  };
}

/** Files in the order in which they run: what takes things away comes last. Others follow. */
const ORDER = ['token', 'unauthorised', 'fees', 'cards', 'users', 'credentials', 'name-only', 'removal'];

function rank(file: string): number {
  const index = ORDER.indexOf(basename(file).split('.')[0] ?? '');
  return index === -1 ? ORDER.length : index;
}

/** Where the suite lies: compiled beside the compiled sources, or as TypeScript in a checkout. */
function suiteFiles(): { root: string; include: string } {
  const compiled = import.meta.url.endsWith('.js');
  return compiled
    ? { root: join(packageRoot, 'dist'), include: 'contracts/*.contract.js' }
    : { root: packageRoot, include: 'contracts/*.contract.ts' };
}

/**
 * Runs the contract suite in one worker and returns how each check ended, in the order of files and checks.
 *
 * @throws ToolError `engine-missing` without vitest, `fault` where the suite itself is broken.
 */
export async function runSuite(options: EngineOptions): Promise<SuiteResult[]> {
  const { startVitest, BaseSequencer } = await loadEngine();
  class InOrder extends BaseSequencer {
    override async sort(files: Parameters<InstanceType<typeof BaseSequencer>['sort']>[0]): Promise<typeof files> {
      return [...files].sort((a, b) => rank(a.moduleId) - rank(b.moduleId));
    }
  }
  const { root, include } = suiteFiles();
  const cacheDir = await mkdtemp(join(tmpdir(), 'banking-api-'));
  const exitCode = process.exitCode;
  const removeSignalHandlers = guardSignals();
  const results = new Map<string, SuiteResult>();
  const broken: string[] = [];
  let done = 0;
  let total = 0;

  type TestCase = import('vitest/node').TestCase;
  const resultOf = (test: TestCase): SuiteResult | undefined => {
    const { check, notes = {} } = test.meta();
    if (check === undefined) return undefined;
    const { state, errors = [] } = test.result();
    return {
      meta: check,
      notes,
      state,
      errors: errors.map(({ name, message }) => ({ name: name ?? 'Error', message })),
      durationMs: Math.round(test.diagnostic()?.duration ?? 0),
    };
  };

  try {
    const vitest = await startVitest(
      [],
      {
        config: false,
        watch: false,
        root,
        include: [include],
        exclude: [],
        provide: { suite: options.input },
        reporters: [
          {
            onInit(instance) {
              removeSignalHandlers();
              const cancel = (): void => void instance.cancelCurrentRun('keyboard-input');
              if (options.signal.aborted) cancel();
              else options.signal.addEventListener('abort', cancel, { once: true });
            },
            onTestModuleCollected(module) {
              for (const test of module.children.allTests()) {
                const result = resultOf(test);
                if (result !== undefined) results.set(test.id, result);
              }
              total = results.size;
            },
            onTestCaseResult(test) {
              const result = resultOf(test);
              if (result === undefined) return;
              results.set(test.id, result);
              done += 1;
              options.onResult?.(result, done, total);
            },
            onTestRunEnd(modules, errors) {
              for (const error of errors) broken.push(error.message);
              for (const module of modules) for (const error of module.errors()) broken.push(error.message);
            },
            onUserConsoleLog() {},
          },
        ],
        // One worker, one module registry: Prism-sized imports are paid once, and the target sees one client.
        pool: 'threads',
        isolate: false,
        fileParallelism: false,
        maxWorkers: 1,
        maxConcurrency: 2,
        sequence: { sequencer: InOrder },
        testTimeout: 0,
        hookTimeout: 0,
        passWithNoTests: false,
        disableConsoleIntercept: false,
        env: { BANKING_API_USERNAME: '', BANKING_API_PASSWORD: '' },
      },
      { cacheDir, logLevel: 'silent', envDir: false },
    );
    await vitest.close();
  } finally {
    await rm(cacheDir, { recursive: true, force: true });
    // vitest sets it for failed tests; here the verdict decides.
    process.exitCode = exitCode;
  }
  if (broken.length > 0) throw new ToolError('fault', `The contract suite could not be run: ${broken[0]}`);
  return [...results.values()];
}
