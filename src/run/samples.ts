import { type Convergence, type ConvergenceTracker, trackConvergence } from '../learn/convergence.ts';
import { sightingIn } from '../learn/sightings.ts';
import { type Call, finalAttempt, isGood } from '../model/call.ts';
import { callAgain } from './confirm.ts';
import type { Session } from './session.ts';

/** Answers of one read at most, where nobody says how many. */
const MOST = 60;
/** What answered before and fails so often now is left at what is known of it. */
const MOST_FAILURES = 3;
/** Tokens: what is in the answer is standard, and some endpoints count how often they are asked. */
export const TOKENS = 3;

/**
 * Repeats the reads that were answered well: so many times, or until nothing new comes. Other calls are never repeated.
 * Resolves to the convergence of each operation that answered.
 */
export async function takeSamples(session: Session, samples: number | undefined): Promise<Map<string, Convergence>> {
  const good = session.calls.filter((call) => call.purpose === 'succeed' && call.checkId !== null && isGood(call));
  const convergences = new Map<string, Convergence>();
  const rounds = Map.groupBy(good, ({ operationId }) => operationId)
    .entries()
    .map(([operationId, own]) => {
      const convergence = trackConvergence();
      convergences.set(operationId, convergence);
      for (const call of own) show(convergence, call);
      const isToken = operationId === session.target.contract.token?.operationId;
      const most = samples ?? (isToken ? TOKENS : MOST);
      return askOn(session, own, { convergence, most, isFixed: samples !== undefined || isToken });
    });
  await Promise.all(rounds);
  return convergences;
}

async function askOn(
  session: Session,
  own: readonly Call[],
  {
    convergence,
    most,
    isFixed,
  }: { readonly convergence: ConvergenceTracker; readonly most: number; readonly isFixed: boolean },
): Promise<void> {
  // Other parameters are other records.
  const different = [...new Map(own.map((call) => [requestOf(call), call])).values()];
  let failures = 0;
  while (convergence.answers < most && failures < MOST_FAILURES && (isFixed || !convergence.settled)) {
    const next = different[convergence.answers % different.length];
    const call = next && (await callAgain(session, next));
    if (call == null) return;
    if (!isGood(call) || !show(convergence, call)) failures += 1;
  }
}

function show(convergence: ConvergenceTracker, call: Call): boolean {
  const sighting = sightingIn(call);
  if (sighting !== null) convergence.add(sighting, requestOf(call));
  return sighting !== null;
}

function requestOf(call: Call): string {
  const { method, target, body } = finalAttempt(call)?.request ?? { method: '', target: '', body: null };
  return `${method} ${target} ${Buffer.from(body ?? []).toString('base64')}`;
}
