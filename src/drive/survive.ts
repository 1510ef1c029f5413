import type { Audited, RecordedJournal } from '../audit/judge-caller.ts';
import type { WriteEvidence, WriteOutcome } from '../audit/rule.ts';
import { countsText } from '../audit/rules/writes.ts';
import type { Contract } from '../contract/contract.ts';
import type { Check } from '../model/report.ts';
import { count } from '../text/words.ts';
import { createDriver, type Driven, type DriveOptions, endingText } from './drive.ts';
import { effectsOf } from './effects.ts';
import { groupsOf, type IntentGroup, intentsOf, type Write } from './intents.ts';
import { LOSSES, type Loss, situationOf, UNDISTURBED } from './losses.ts';

interface Lost {
  readonly driven: Driven;
  readonly writes: WriteEvidence;
}

export interface Survived {
  readonly lost: readonly Lost[];
  readonly contract: Contract;
  readonly interrupted: boolean;
  /** Writes of the normal run that were not disturbed. */
  readonly untried: readonly Write[];
  /** Why the run could not be judged. */
  readonly obstacle: string | null;
}

/** Most writes that meet each loss: the first write of each operation, then the second of each, and so on. */
const MOST_WRITES = 12;

/** Runs a program three times undisturbed, and then once for each write and each way to lose its answer. */
export async function survive(options: DriveOptions): Promise<Survived> {
  const driver = await createDriver(options);
  const { contract } = driver;
  const usual = await driver.through(UNDISTURBED);
  const [normal] = usual.driven;
  const groups = usual.interrupted ? [] : groupsOrObstacle(usual.driven);
  const nothing = { lost: [], contract, interrupted: usual.interrupted, untried: [] };
  if (typeof groups === 'string') return { ...nothing, obstacle: groups };
  if (groups.length === 0 || normal === undefined)
    return {
      ...nothing,
      obstacle: usual.interrupted ? null : 'The program sends no write that the mock can carry out.',
    };
  const done = actsOf(normal);
  const rank = (write: Write): number => done.filter((other) => isBefore(other, write)).length;
  const ranked = done.toSorted((a, b) => rank(a) - rank(b));
  const struck = ranked.slice(0, MOST_WRITES).flatMap((write) => {
    const after = normal.writes.filter((other) => isBefore(other, write)).length;
    return LOSSES.map((loss) => ({ loss, write, after, situation: situationOf(loss, write.operationId, after) }));
  });
  const { driven, interrupted } = await driver.through(struck.map(({ situation }) => situation));
  const lost = driven.flatMap((one): Lost[] => {
    const at = struck.find(({ situation }) => situation === one.situation);
    return at === undefined ? [] : [{ driven: one, writes: evidenceOf(one, groups, at, contract) }];
  });
  return { lost, contract, interrupted, obstacle: null, untried: ranked.slice(MOST_WRITES) };
}

function isBefore(other: Write, { operationId, seq }: Write): boolean {
  return other.operationId === operationId && other.seq < seq;
}

export function actsOf({ writes }: Driven): Write[] {
  return writes.filter(({ acted }) => acted);
}

/** The intents of undisturbed runs, or why they have none. */
export function groupsOrObstacle(driven: readonly Driven[]): readonly IntentGroup[] | string {
  const failed = driven.find(({ ending }) => ending.kind !== 'exited' || ending.code !== 0);
  if (failed !== undefined) return `The program ${endingText(failed.ending)} although nothing was disturbed.`;
  return groupsOf(driven.map(actsOf));
}

/** The outcome of each intent of the undisturbed runs. */
function evidenceOf(
  { writes, ending, claims, recording }: Driven,
  groups: readonly IntentGroup[],
  { loss, write, after }: { readonly loss: Loss; readonly write: Write; readonly after: number },
  contract: Contract,
): WriteEvidence {
  const byExit = ending.kind !== 'exited' ? 'unknown' : ending.code === 0 ? 'done' : 'failed';
  const struck = writes.filter(({ operationId }) => operationId === write.operationId)[after];
  const numbers = new Map<string, number>();
  const intents = intentsOf(groups, writes);
  const effects = effectsOf(intents, writes, contract);
  const outcomes = intents.map((one): WriteOutcome => {
    const { group, intended, sent } = one;
    const { operationId, by } = group;
    const number = (numbers.get(operationId) ?? 0) + 1;
    numbers.set(operationId, number);
    const names = new Set([group.intent, ...sent.map((one) => one.intent)]);
    const claim = claims.find(({ intent }) => names.has(intent));
    const isStruck = struck !== undefined && sent.includes(struck);
    return {
      operationId,
      intent: `${operationId} #${number} ${by}`,
      intended,
      sent: sent.length,
      done: effects(one),
      said: claim?.said ?? byExit,
      isClaimed: claim !== undefined,
      isStruck,
      isOpen: loss.isOpen && isStruck,
      exchanges: sent.map(({ seq }) => seq),
    };
  });
  const reads = recording.entries.filter(({ operationId }) => {
    const operation = contract.operation(operationId ?? '');
    return operation?.effect === 'read' && operation.auth !== 'issues';
  });
  return { outcomes, isLookedUp: reads.some(({ seq }) => seq > (struck?.seq ?? 0)) };
}

export function recordingsOf(lost: readonly Lost[]): RecordedJournal[] {
  return lost.map(({ driven, writes }) => ({ ...driven.recording, writes }));
}

export function surviveChecks({ lost, obstacle, untried }: Survived, { findings }: Pick<Audited, 'findings'>): Check[] {
  const about = { operationId: null, kind: 'mock-only' } as const;
  if (obstacle !== null)
    return [{ ...about, id: 'survive.normal', outcome: 'inconclusive', reason: obstacle, durationMs: 0 }];
  const tried = lost.map(({ driven: { situation, durationMs, recording, ending }, writes }): Check => {
    const seqs = new Set(recording.entries.map(({ seq }) => seq));
    const isBroken = findings.some(({ exchanges }) => exchanges.some((seq) => seqs.has(seq)));
    const totals = [...Map.groupBy(writes.outcomes, ({ operationId }) => operationId)].map(
      ([operationId, alike]) => `${operationId}: ${countsText(alike)}`,
    );
    const struck = writes.outcomes.find(({ isStruck }) => isStruck)?.intent ?? 'none';
    const reason = `intent: ${struck}. ${totals.join('; ')}. The program ${endingText(ending)}.`;
    const isSilent = writes.outcomes.every(({ sent }) => sent === 0);
    const outcome = isSilent ? 'inconclusive' : isBroken ? 'failed' : 'passed';
    return { ...about, id: `survive.${situation.id}`, outcome, reason, durationMs };
  });
  if (untried.length === 0) return tried;
  const byOperation = [...Map.groupBy(untried, ({ operationId }) => operationId)];
  const which = byOperation.map(([operationId, { length }]) => `${operationId} ${length}`).join(', ');
  const reason = `${untried.length} of ${count(MOST_WRITES + untried.length, 'write')} were not disturbed (${which}).`;
  return [...tried, { ...about, id: 'survive.untried', outcome: 'skipped', reason, durationMs: 0 }];
}

/** `OPERATION: intended 1, sent 2, done 2`: the act with the most executions beyond its intents. */
export function worstOf(lost: readonly Lost[]): string | null {
  const outcomes = lost.flatMap(({ writes }) => writes.outcomes).filter(({ done, intended }) => done > intended);
  const [worst] = outcomes.sort((a, b) => b.done - b.intended - (a.done - a.intended));
  return worst === undefined ? null : `${worst.operationId}: ${countsText([worst])}`;
}
