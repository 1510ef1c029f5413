import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ContractFolder } from '../contract/folder.ts';
import { ToolError } from '../errors.ts';
import { missingEngine } from '../files/missing-engine.ts';
import { packageRoot } from '../package-root.ts';
import type { AnnouncedCheck } from './announce.ts';
import { FILES } from './checks.ts';
import type { CheckNotes, CheckSpec, SuiteInput } from './protocol.ts';

/** How a check ended in the suite, before anything is judged. */
export interface SuiteResult {
  readonly check: AnnouncedCheck;
  readonly notes: CheckNotes;
  readonly state: 'passed' | 'failed' | 'skipped' | 'pending';
  /** Of what the check threw, the name and the message of each. May hold what the target sent. */
  readonly errors: readonly { readonly name: string; readonly message: string }[];
  readonly durationMs: number;
}

export interface EngineOptions {
  readonly input: SuiteInput;
  readonly folder: ContractFolder;
  /** Run nothing: load the files of the contract itself, to hear which checks they announce. */
  readonly listen?: boolean;
  readonly signal: AbortSignal;
  /** Called with each check that the run has not listed, before any check of its file runs. */
  readonly onSpec: (spec: CheckSpec) => void;
  /** Called as soon as a check has ended. */
  readonly onResult?: (id: string, result: Omit<SuiteResult, 'check'>) => void;
}

/** Loads vitest ahead; the longest part of a start. What it is stays here: its types are not those of who only imports the package. */
export async function loadEngine(): Promise<unknown> {
  return vitest();
}

async function vitest(): Promise<typeof import('vitest/node')> {
  try {
    // The contract files import it in the worker; there its absence would look like a broken suite.
    import.meta.resolve('pactum');
    return await import('vitest/node');
  } catch (error) {
    throw missingEngine(
      'The contract suite needs pactum and vitest, which are not installed.',
      ['pactum', 'vitest'],
      error,
    );
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

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

/** How code ends here: compiled, or as it was written. */
const EXTENSION = extname(import.meta.url);

/** The files of the suite that have a check, in the order in which they run: what takes things away comes last. */
function suiteFiles({ folder, input }: EngineOptions): { every: readonly string[]; own: string } {
  const home = join(packageRoot, EXTENSION === '.js' ? 'dist/contracts' : 'contracts');
  const files = FILES.filter((name) => input.checks.some(({ file }) => file === name));
  return {
    every: files.map((name) => join(home, 'every', `${name}.contract${EXTENSION}`)),
    own: folder.isOwn ? join(home, `*.contract${EXTENSION}`) : join(folder.suite, '*.contract.{js,ts}'),
  };
}

/** What the files of a contract import, wherever they lie: they need no package beside them. */
function contractModule(): Record<string, string> {
  const path = `../../contracts/support/contract${EXTENSION}`;
  return { 'banking-api-contract/contract': fileURLToPath(new URL(path, import.meta.url)) };
}

type VitestNode = typeof import('vitest/node');
type Start = (
  files: string[],
  options: import('vitest/node').InlineConfig & { config: false },
  vite: import('vitest/config').ViteUserConfig,
) => ReturnType<VitestNode['startVitest']>;

/** Before version 5 a mode came first: tests, and not benchmarks. */
function withMode(start: Start): Start {
  const older = start as unknown as (mode: 'test', ...rest: Parameters<Start>) => ReturnType<Start>;
  return (...rest) => older('test', ...rest);
}

/**
 * Runs the contract suite in one worker and tells how each check ended, in the order of files and checks.
 *
 * @throws ToolError `engine-missing` without vitest, `fault` where the suite itself is broken.
 */
export async function runSuite(options: EngineOptions): Promise<void> {
  const { startVitest, BaseSequencer, version } = await vitest();
  const { every, own } = suiteFiles(options);
  const listen = options.listen === true;
  class InOrder extends BaseSequencer {
    override async sort(files: Parameters<InstanceType<typeof BaseSequencer>['sort']>[0]): Promise<typeof files> {
      const last = every.length - 1;
      const rank = (file: string): number => (every.includes(file) ? every.indexOf(file) : last - 0.5);
      return [...files].sort((a, b) => rank(a.moduleId) - rank(b.moduleId) || (a.moduleId < b.moduleId ? -1 : 1));
    }
  }
  const cacheDir = await mkdtemp(join(tmpdir(), 'banking-api-')).catch((cause: NodeJS.ErrnoException) => {
    throw new ToolError('file-unwritable', `No folder for what is temporary can be made there (${cause.code}).`, {
      place: { file: tmpdir() },
      hint: 'TMPDIR names another place.',
      cause,
    });
  });
  const exitCode = process.exitCode;
  const removeSignalHandlers = guardSignals();
  const broken: string[] = [];

  try {
    const start = Number.parseInt(version, 10) < 5 ? withMode(startVitest as Start) : (startVitest as Start);
    const vitest = await start(
      [],
      {
        config: false,
        watch: false,
        root: packageRoot,
        include: listen ? [own] : [...every, own],
        ...(listen ? { testNamePattern: /(?!)/, passWithNoTests: true } : {}),
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
                const { spec } = test.meta();
                if (spec === undefined) continue;
                try {
                  options.onSpec(spec);
                } catch (error) {
                  broken.push(error instanceof Error ? error.message : 'unknown trouble');
                }
              }
            },
            onTestCaseResult(test) {
              const { check, notes = {} } = test.meta();
              if (check === undefined) return;
              const { state, errors = [] } = test.result();
              options.onResult?.(check, {
                notes,
                state,
                errors: errors.map(({ name, message }) => ({ name: name ?? 'Error', message })),
                durationMs: Math.round(test.diagnostic()?.duration ?? 0),
              });
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
        disableConsoleIntercept: false,
        env: { BANKING_API_USERNAME: '', BANKING_API_PASSWORD: '' },
      },
      { cacheDir, logLevel: 'silent', envDir: false, resolve: { alias: contractModule() } },
    );
    await vitest.close();
  } finally {
    await rm(cacheDir, { recursive: true, force: true });
    // vitest sets it for failed tests; here the verdict decides.
    process.exitCode = exitCode;
  }
  if (broken.length > 0) throw new ToolError('fault', `The contract suite could not be run: ${broken[0]}`);
}
