import type { Audited, RecordedJournal } from '../audit/judge-caller.ts';
import type { WriteEvidence, WriteOutcome } from '../audit/rule.ts';
import { countsText } from '../audit/rules/writes.ts';
import type { Contract } from '../contract/contract.ts';
import { type Exchange, header } from '../model/exchange.ts';
import type { Check } from '../model/report.ts';
import { parseJson } from '../text/decode.ts';
import { parsePointer } from '../text/pointer.ts';
import { count } from '../text/words.ts';
import { createDriver, type Driven, type DriveOptions, endingText, type Write } from './drive.ts';
import { LOSSES, type Loss, NORMAL, situationOf } from './losses.ts';

/** The place where a write names its intent: `header:NAME` or `json:/POINTER`. */
export interface IntentKey {
  readonly kind: 'header' | 'json';
  readonly name: string;
}

interface Lost {
  readonly driven: Driven;
  readonly writes: WriteEvidence;
}

export interface Survived {
  readonly lost: readonly Lost[];
  readonly contract: Contract;
  readonly interrupted: boolean;
  /** Writes of the normal run that met no loss. */
  readonly untried: readonly Write[];
  /** Why the run could not be judged. */
  readonly obstacle: string | null;
}

/** Most writes that meet each loss: the first write of each operation, then the second of each, and so on. */
const MOST_WRITES = 12;

/** Runs a program once normally, and then once for each write and each way to lose its answer. */
export async function survive(options: DriveOptions & { readonly intentKey?: IntentKey }): Promise<Survived> {
  const { intentKey } = options;
  const driver = await createDriver({ ...options, ...(intentKey && { intentOf: intentReader(intentKey) }) });
  const { contract } = driver;
  const usual = await driver.through([NORMAL, { ...NORMAL, title: 'normal traffic once more' }]);
  const [normal] = usual.driven;
  const obstacle = usual.interrupted ? null : obstacleOf(usual.driven);
  if (usual.interrupted || obstacle !== null || normal === undefined)
    return { lost: [], contract, interrupted: usual.interrupted, obstacle, untried: [] };
  const done = normal.writes.filter(({ acted }) => acted);
  const rank = (write: Write): number => done.filter((other) => isBefore(other, write)).length;
  const ranked = done.toSorted((a, b) => rank(a) - rank(b));
  const struck = ranked.slice(0, MOST_WRITES).flatMap((write) => {
    const after = normal.writes.filter((other) => isBefore(other, write)).length;
    return LOSSES.map((loss) => ({ loss, write, after, situation: situationOf(loss, write.operationId, after) }));
  });
  const { driven, interrupted } = await driver.through(struck.map(({ situation }) => situation));
  const lost = driven.flatMap((one): Lost[] => {
    const at = struck.find(({ situation }) => situation === one.situation);
    return at === undefined ? [] : [{ driven: one, writes: evidenceOf(one, done, at, contract) }];
  });
  return { lost, contract, interrupted, obstacle, untried: ranked.slice(MOST_WRITES) };
}

function isBefore(other: Write, { operationId, seq }: Write): boolean {
  return other.operationId === operationId && other.seq < seq;
}

function obstacleOf([first, second]: readonly Driven[]): string | null {
  if (first === undefined || second === undefined) return 'The program did not run.';
  if (first.ending.kind !== 'exited' || first.ending.code !== 0)
    return `The program ${endingText(first.ending)} although no answer was lost.`;
  const acts = ({ writes }: Driven): string[] => writes.filter(({ acted }) => acted).map(({ intent }) => intent);
  if (acts(first).length === 0) return 'The program writes nothing that the mock does.';
  if (acts(first).sort().join() !== acts(second).sort().join())
    return 'The program writes something else each time. --intent-key names what stays.';
  return null;
}

/** The outcome of each intent of the normal run. If a body differs from that run, its operation counts as a whole. */
function evidenceOf(
  { writes, ending, claims, recording }: Driven,
  normal: readonly Write[],
  { loss, write, after }: { readonly loss: Loss; readonly write: Write; readonly after: number },
  contract: Contract,
): WriteEvidence {
  const byExit = ending.kind !== 'exited' ? 'unknown' : ending.code === 0 ? 'done' : 'failed';
  const outcomes = [...Map.groupBy(normal, ({ operationId }) => operationId)].flatMap(([operationId, intended]) => {
    const known = new Set(intended.map(({ intent }) => intent));
    const own = writes.filter((write) => write.operationId === operationId);
    const groups = own.every(({ intent }) => known.has(intent)) ? [...known].map((intent) => [intent]) : [undefined];
    return groups.map((group): WriteOutcome => {
      const isOf = ({ intent }: Write): boolean => group?.includes(intent) ?? true;
      const sent = own.filter(isOf);
      const claim = claims.find(({ intent }) => group?.includes(intent));
      return {
        operationId,
        intended: intended.filter(isOf).length,
        sent: sent.length,
        done: sent.filter(({ acted }) => acted).length,
        said: claim?.said ?? byExit,
        isClaimed: claim !== undefined,
        isOpen: loss.isOpen && isOf(write) && write.operationId === operationId,
        exchanges: sent.map(({ seq }) => seq),
      };
    });
  });
  const first = writes.filter(({ operationId }) => operationId === write.operationId)[after]?.seq ?? 0;
  const reads = recording.entries.filter(({ operationId }) => {
    const operation = contract.operation(operationId ?? '');
    return operation?.effect === 'read' && operation.auth !== 'issues';
  });
  return { outcomes, isLookedUp: reads.some(({ seq }) => seq > first) };
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
    const reason = `${totals.join('; ')}. The program ${endingText(ending)}.`;
    const isSilent = writes.outcomes.every(({ sent }) => sent === 0);
    const outcome = isSilent ? 'inconclusive' : isBroken ? 'failed' : 'passed';
    return { ...about, id: `survive.${situation.id}`, outcome, reason, durationMs };
  });
  const skipped = [...Map.groupBy(untried, ({ operationId }) => operationId)].map(
    ([operationId, { length }]): Check => {
      const reason = `${count(length, 'more write')} met no loss: a run tries at most ${MOST_WRITES} writes.`;
      return { ...about, id: `survive.${operationId}-more`, outcome: 'skipped', reason, durationMs: 0 };
    },
  );
  return [...tried, ...skipped];
}

/** `OPERATION: intended 1, sent 2, done 2`: the act with the most executions beyond its intents. */
export function worstOf(lost: readonly Lost[]): string | null {
  const outcomes = lost.flatMap(({ writes }) => writes.outcomes).filter(({ done, intended }) => done > intended);
  const [worst] = outcomes.sort((a, b) => b.done - b.intended - (a.done - a.intended));
  return worst === undefined ? null : `${worst.operationId}: ${countsText([worst])}`;
}

function intentReader({ kind, name }: IntentKey): (exchange: Exchange) => string | undefined {
  if (kind === 'header') return ({ request }) => header(request.headers, name.toLowerCase());
  const segments = parsePointer(name) ?? [];
  return ({ request }) => {
    const body = parseJson(Buffer.from(request.body ?? []).toString('utf8'));
    const value = segments.reduce<unknown>((at, key) => Object(at)[key], body);
    return value === undefined ? undefined : String(value);
  };
}
