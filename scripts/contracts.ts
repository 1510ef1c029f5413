/**
 * Runs the Pactum suite of the package against a sandbox with vitest: `npm run contracts -- --target URL`. Only reads are
 * sent. This process has the credentials and the way out. vitest runs in another one, which gets neither the credentials
 * nor the address of the target. Arguments after another `--` go to vitest.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import process from 'node:process';
import { parseCommandLine, usage } from '../src/cli/args.ts';
import { createTalk, optionsOf } from '../src/cli/commands/verify.ts';
import { configOf, RUN_FLAGS } from '../src/cli/config.ts';
import { describeFault } from '../src/cli/faults.ts';
import { ownFolder } from '../src/contract/folder.ts';
import { EXIT, ToolError } from '../src/errors.ts';
import { reasonText } from '../src/model/reason.ts';
import { packageRoot } from '../src/package-root.ts';
import { openRun } from '../src/run/open-run.ts';

/** Variables that vitest gets. All others stay here. */
const PASSED = ['PATH', 'HOME', 'TERM', 'COLORTERM', 'NO_COLOR', 'FORCE_COLOR', 'CI', 'TMPDIR', 'TEMP', 'SystemRoot'];

const { target, config, overlay } = RUN_FLAGS;
const flags = { ...(target && { target }), ...(config && { config }), ...(overlay && { overlay }) };

async function contracts(): Promise<number> {
  const args = parseCommandLine({ flags, synopsis: '-- VITEST…' }, process.argv.slice(2));
  if (args === null) {
    console.log('npm run contracts -- --target URL [--config FILE] [--overlay FILE]… [-- ARGUMENTS OF VITEST]');
    return EXIT.agrees;
  }
  const { stdout, stderr, env } = process;
  const io = { stdout, stderr, env, cwd: process.cwd(), signal: AbortSignal.any([]), secrets: new Set<string>() };
  const given = { ...(await configOf(args, io)), allow: 'read', probe: false } as const;
  if (given.target === 'mock')
    throw usage('--target must be a URL.', 'For the mock: npx vitest run --project contracts');
  if (given.folder !== ownFolder) throw usage("The script runs only the package's own suite. Use banking-api verify.");

  const talk = createTalk(args, io, given);
  await using run = await openRun({ ...optionsOf(given), onEvent: talk.event }).finally(talk.end);
  const { nothing, breaker } = run.session;
  const why = nothing === null ? breaker.open : reasonText(nothing);
  if (why !== null) {
    console.error(`No operation can be called: ${why}.`);
    return EXIT.inconclusive;
  }
  const { input, wayOut: opened } = await run.suite.open(run.hold);
  await using _ = opened;
  const vitest = ['run', '--mode', 'target', '--project', 'contracts', ...args.rest];
  const child = fork(join(packageRoot, 'node_modules/vitest/vitest.mjs'), vitest, {
    cwd: packageRoot,
    env: Object.fromEntries(PASSED.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]))),
    execArgv: [],
  });
  child.once('message', () => child.send(input));
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? EXIT.interrupted;
}

// An interrupt reaches vitest as well, which then ends. This process waits for it.
process.on('SIGINT', () => {});
process.exitCode = await contracts().catch((error) => {
  const isKnown = error instanceof ToolError;
  console.error(isKnown ? error.describe() : describeFault(error));
  return isKnown ? error.exitCode : EXIT.fault;
});
