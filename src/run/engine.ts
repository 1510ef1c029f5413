import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, isAbsolute, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import type { ContractFolder } from '../contract/folder.ts';
import { pactumFiles } from '../contract/pactum-files.ts';
import { type ErrorCode, ToolError } from '../errors.ts';
import { confinedArguments } from '../files/confinement.ts';
import { readableBelow } from '../files/containment.ts';
import { missingEngine } from '../files/missing-engine.ts';
import { modulePath, packageRoot } from '../package-root.ts';
import { type FailedExpectation, ownId, type SuiteInput } from './protocol.ts';
import { signalOnlyStarted } from './signal-only-started.ts';

export interface TestEnd {
  readonly id: string;
  readonly state: 'passed' | 'failed' | 'skipped' | 'pending';
  /** The failed expectations. They may contain text from the target. */
  readonly failures: readonly FailedExpectation[];
  readonly durationMs: number;
}

export interface EngineOptions {
  readonly input: SuiteInput;
  readonly folder: ContractFolder;
  /** The error if a contract file cannot run. */
  readonly blamed: ErrorCode;
  /** A folder with further Pactum files. */
  readonly checks?: string | undefined;
  readonly signal: AbortSignal;
  /** Seconds after which the worker is killed. */
  readonly seconds: number;
  /** Called with the ids of a file's checks before any of them runs. */
  readonly onFile: (file: string, ids: readonly string[]) => void;
  readonly onEnd: (end: TestEnd) => void;
  readonly kill: () => void;
}

/** Loads vitest, the slowest part of a start. Its types stay here: package users may not have vitest installed. */
export async function loadEngine(): Promise<unknown> {
  try {
    // Contract files import pactum in the worker. If it were missing there, the suite would look broken.
    import.meta.resolve('pactum');
    return await import('vitest/node');
  } catch (error) {
    const engines = ['pactum', 'vitest'];
    throw missingEngine('The contract suite needs pactum and vitest, which are not installed.', engines, error);
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Returns a function that removes vitest's signal handlers, so that an interrupted run still has a report. */
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

/** Turns the engine's rows into tests. It runs last, when the rows that contract files have code for are known. */
const GENERIC = modulePath('contracts/every/operations.contract');
const HOME = join(GENERIC, '../..');

const SUPPORT = /[/\\](?:contracts[/\\]support|src[/\\](?:run|text))[/\\]/;

async function filesToRun({ folder: { suite }, checks, input }: EngineOptions): Promise<string[]> {
  const own = checks === undefined ? [] : await pactumFiles(checks);
  return [...(await pactumFiles(suite)), ...own, ...(input.rehearsal ? [] : [GENERIC])];
}

/** Escapes what tinyglobby escapes in the root: with other escapes, the pattern would not be below the root. */
function escapePath(path: string): string {
  return path.replaceAll('\\', '/').replace(/[*?|()[\]{}]|[!+@](?=\()/g, '\\$&');
}

/** Imports of contract files get the runner's own copies, so they need no packages next to the files. */
function ownModules(): Record<string, string> {
  const names = ['pactum', 'vitest'].map((name) => [name, fileURLToPath(import.meta.resolve(name))]);
  return {
    'banking-api-contract/contract': modulePath('contracts/support/contract'),
    ...Object.fromEntries(names),
  };
}

/** Folders whose files the worker may import, and patterns of the files that it may read. */
async function readable(
  { folder, checks }: EngineOptions,
  paths: readonly string[],
): Promise<{ roots: string[]; patterns: string[] }> {
  const modules = Object.values(ownModules()).map((path) => path.replace(/(?<=[/\\]node_modules[/\\]).*$/s, ''));
  const ours = [HOME, join(packageRoot, 'dist'), join(packageRoot, 'src'), ...modules];
  const theirs = [folder.confined && !folder.isDocument ? folder.root : [], checks ?? []].flat();
  const patterns = await Promise.all(theirs.map(readableBelow));
  // vitest looks for one beside each file
  const snapshots = paths.map((path) => join(dirname(path), '__snapshots__', `${basename(path)}.snap`));
  return {
    roots: [...new Set([...theirs, ...ours].map((path) => join(path, sep)))],
    patterns: [...new Set([...ours.map((path) => join(path, '*')), ...patterns.flat(), ...snapshots])],
  };
}

/**
 * vitest loads modules outside the worker's permissions, so imports are restricted here. Every text is read here, because
 * vite would also read the files that a source map of the text names.
 */
function guardReads(roots: readonly string[]): {
  name: string;
  enforce: 'pre';
  load(id: string): Promise<string | null>;
} {
  return {
    name: 'banking-api-reads',
    enforce: 'pre',
    async load(id) {
      const file = id.replace(/[?#].*$/s, '');
      if (!isAbsolute(file)) return null;
      const real = await realpath(file).catch(() => file);
      if (roots.some((root) => real.startsWith(root))) return readFile(file, 'utf8');
      throw new Error(`${file} is outside the contract folder`);
    },
  };
}

type TestCase = import('vitest/node').TestCase;

function idOf(test: TestCase): string {
  return test.meta().check ?? ownId(test.module.moduleId, [test.fullName]);
}

type TestError = NonNullable<ReturnType<TestCase['result']>['errors']>[number];

/** A failed Pactum expectation carries its details. Other errors have only a message. */
function failureOf(error: TestError): FailedExpectation {
  const { failure, message, expected, actual } = error as TestError & { readonly failure?: FailedExpectation };
  const isCompared = typeof expected === 'string' && typeof actual === 'string';
  const told = isCompared ? { expected, actual } : { expected: 'the assertion of the check', actual: message };
  return failure ?? { exchange: null, pointer: null, isStatus: false, ...told };
}

type VitestNode = typeof import('vitest/node');

/** Milliseconds that a worker has to exit by itself. */
const GRACE = 2000;

/**
 * Runs the contract suite in a separate process without environment variables. The process reads only the contract and
 * its packages, and is killed when its time is up. Resolves to false if it was killed.
 *
 * @throws ToolError `engine-missing` without vitest, `blamed` if a contract file cannot run
 */
export async function runSuite(options: EngineOptions): Promise<boolean> {
  const { input, signal } = options;
  const { startVitest, BaseSequencer, version } = (await loadEngine()) as VitestNode;
  const major = Number.parseInt(version, 10);
  const paths = await filesToRun(options);
  class InOrder extends BaseSequencer {
    override async sort(files: Parameters<InstanceType<typeof BaseSequencer>['sort']>[0]): Promise<typeof files> {
      return [...files].sort((a, b) => paths.indexOf(a.moduleId) - paths.indexOf(b.moduleId));
    }
  }
  const cacheDir = await mkdtemp(join(tmpdir(), 'banking-api-')).catch((cause: NodeJS.ErrnoException) => {
    throw new ToolError('file-unwritable', `Cannot create a temporary folder there (${cause.code}).`, {
      place: { file: tmpdir() },
      hint: 'Set TMPDIR to a writable folder.',
      cause,
    });
  });
  const exitCode = process.exitCode;
  signalOnlyStarted();
  const removeSignalHandlers = guardSignals();
  const broken: unknown[] = [];
  const { roots, patterns } = await readable(options, paths);
  // Small heaps: a hostile target must not exhaust memory. Its answers have at most 100,000 values.
  const files = [join(packageRoot, 'package.json'), ...patterns];
  const execArgv = ['--max-semi-space-size=4', ...confinedArguments(files, 64)];
  // From Node 25 on, the permission model also covers the network, which the suite needs to reach the way out.
  if (process.allowedNodeEnvironmentFlags.has('--allow-net')) execArgv.push('--allow-net');
  let isKilled = false;
  const kill = (): void => {
    isKilled = true;
    options.kill();
  };
  let late = setTimeout(kill, options.seconds * 1000 + GRACE);
  const interrupted = (): void => {
    clearTimeout(late);
    late = setTimeout(kill, GRACE);
  };
  signal.addEventListener('abort', interrupted);

  try {
    const start = startVitest as unknown as (...given: unknown[]) => ReturnType<VitestNode['startVitest']>;
    const vitest = await start(
      // Before version 5, the first argument was a mode: `test`, not `benchmark`.
      ...(major < 5 ? ['test'] : []),
      [],
      {
        config: false,
        watch: false,
        root: packageRoot,
        include: paths.map(escapePath),
        passWithNoTests: true,
        // vitest copies attachments of a test there, from anywhere: a file can have no copies
        attachmentsDir: join(packageRoot, 'package.json'),
        exclude: [],
        setupFiles: [modulePath('contracts/support/setup')],
        provide: { suite: input },
        reporters: [
          {
            onInit(instance) {
              removeSignalHandlers();
              // In most versions, the worker reads transformed modules from there.
              type Holder = { readonly tmpDir?: string; readonly _tmpDir?: string };
              for (const { tmpDir, _tmpDir = tmpDir } of [instance, ...instance.projects] as readonly Holder[])
                if (_tmpDir !== undefined) execArgv.push(`--allow-fs-read=${join(_tmpDir, '*')}`);
              const cancel = (): void => void instance.cancelCurrentRun('keyboard-input');
              if (signal.aborted) cancel();
              else signal.addEventListener('abort', cancel, { once: true });
            },
            onTestModuleCollected(module) {
              try {
                options.onFile(module.moduleId, [...module.children.allTests()].map(idOf));
              } catch (error) {
                broken.unshift(error);
                kill();
              }
            },
            onTestCaseResult(test) {
              const { state, errors = [] } = test.result();
              options.onEnd({
                id: idOf(test),
                state,
                failures: errors.map(failureOf),
                durationMs: Math.round(test.diagnostic()?.duration ?? 0),
              });
            },
            onTestRunEnd(modules, errors) {
              broken.push(...errors.map(({ message }) => message));
              for (const module of modules) {
                // Errors of hooks belong to a suite. Its tests are only skipped.
                const errors = [module, ...module.children.allSuites()].flatMap((one) => one.errors());
                const texts = errors.map(({ message }) => `${module.moduleId}: ${message}`);
                // This file has no tests if contract files have code for every row.
                broken.push(...texts.filter((text) => !text.startsWith(`${GENERIC}: No test`)));
              }
            },
            onUserConsoleLog() {},
          },
        ],
        // One worker, one module registry: large modules load only once, and the target sees one client.
        pool: 'forks',
        isolate: false,
        fileParallelism: false,
        maxWorkers: 1,
        maxConcurrency: 1,
        sequence: { sequencer: InOrder },
        testTimeout: options.seconds * 1000,
        hookTimeout: options.seconds * 1000,
        disableConsoleIntercept: false,
        // Contract files need a transform to import names of Pactum (CommonJS). Installed, ours are in `node_modules`.
        server: { deps: { inline: [/[/\\]dist[/\\]contracts[/\\](?!support)/], external: [SUPPORT] } },
        // Every variable, without its value.
        env: Object.fromEntries(Object.keys(process.env).map((name) => [name, undefined as unknown as string])),
        ...(major < 4 ? { poolOptions: { forks: { execArgv } } } : { execArgv }),
      } satisfies import('vitest/node').InlineConfig & { config: false },
      {
        cacheDir,
        logLevel: 'silent',
        envDir: false,
        // also JavaScript, because this parser says where a syntax error is
        oxc: { include: /\.(?:[cm]?[jt]s|[jt]sx)$/, exclude: [] },
        resolve: { alias: ownModules() },
        plugins: [guardReads(roots)],
      } satisfies import('vitest/config').ViteUserConfig,
    );
    await vitest.close();
  } catch (error) {
    broken.unshift(error);
  } finally {
    clearTimeout(late);
    signal.removeEventListener('abort', interrupted);
    // If something else removed the folders around it, there is nothing to remove.
    await rm(cacheDir, { recursive: true, force: true }).catch(() => {});
    // vitest sets it for failed tests, but here the verdict decides.
    process.exitCode = exitCode;
  }
  const [first] = broken;
  if (first instanceof ToolError) throw first;
  if (isKilled) return false;
  if (first === undefined) return true;
  // a syntax error has a coloured excerpt
  const text = stripVTControlCharacters(String(first));
  if (text.includes(cacheDir)) {
    throw new ToolError('file-unwritable', 'The temporary folder of the run was removed before its end.', {
      place: { file: cacheDir },
      hint: 'Set TMPDIR to a folder that no other program cleans.',
      cause: first,
    });
  }
  // vitest itself failed
  if (first instanceof Error) throw first;
  throw new ToolError(options.blamed, `The contract suite cannot be run: ${text}`, {
    ...(/--allow-fs-read|outside the contract folder$/.test(text) && {
      hint: 'Pactum files read only their folder. A contract folder can name a wider one with contractRoot in the configuration.',
    }),
  });
}
