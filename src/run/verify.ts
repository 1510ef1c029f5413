import type { Report } from '../model/report.ts';
import { cleanUp } from './clean-up.ts';
import { confirmFailures } from './confirm.ts';
import { replaceGone } from './discovery/replace.ts';
import { loadEngine } from './engine.ts';
import { openRun } from './open-run.ts';
import type { VerifyOptions } from './options.ts';
import { type FinishedRun, reportOf, unbegun } from './report.ts';

/**
 * Runs the contract suite against the embedded mock or a URL, judges every exchange, and reports.
 *
 * Failures of the target, even a dead one, are not errors here. They are in the report's verdict and exit code.
 *
 * @throws ToolError for a bad target, an overlay that cannot be used, or a missing engine
 */
export async function verify(options: VerifyOptions = {}): Promise<Report> {
  const startedAt = (options.clock ?? Date.now)();
  return conduct(options, (run) => reportOf(run, startedAt)).catch((thrown) => unbegun(thrown, options, startedAt));
}

/** Milliseconds that always remain for judging, however long the calls took. */
const LEAST_JUDGING = 2000;

/** Makes the calls of a run and passes the results to `use`. `record` also uses this. */
export async function conduct<T>(options: VerifyOptions, use: (run: FinishedRun) => Promise<T>): Promise<T> {
  // The slowest part of a start, so it runs in parallel.
  const engine = loadEngine();
  engine.catch(() => {});
  await using run = await openRun(options, engine);
  const { session: begun, suite, hold } = run;
  const results = await suite.run(hold);
  const { signal, endsAt, duration } = begun;
  if (!signal.aborted) await confirmFailures(begun);
  const session = signal.aborted ? begun : await replaceGone(begun);
  const created = await cleanUp(session);
  options.onEvent?.({ kind: 'created', created });
  const perSecond = session.rate();
  if (perSecond !== null) options.onEvent?.({ kind: 'slowed', perSecond });
  // A run that used up its time still reports its results.
  const until = Math.max(endsAt, performance.now() + Math.max(LEAST_JUDGING, duration * 100));
  return await use({ session, results, created, limits: { signal, until } });
}
