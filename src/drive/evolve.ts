import type { RecordedJournal } from '../audit/judge-caller.ts';
import type { EvolutionEvidence } from '../audit/rule.ts';
import type { Contract } from '../contract/contract.ts';
import { createSchemas } from '../judge/schemas.ts';
import type { Check } from '../model/report.ts';
import { count } from '../text/words.ts';
import { createDriver, type Driven, type DriveOptions, endingText } from './drive.ts';
import { effectsOf } from './effects.ts';
import { createEvolver, type Evolver } from './evolver.ts';
import { type IntentGroup, intentsOf } from './intents.ts';
import { UNDISTURBED } from './losses.ts';
import { type Mutation, mutationsOf, type Round } from './mutations.ts';
import type { Situation } from './situations.ts';
import { groupsOrObstacle } from './survive.ts';

export interface EvolveOptions extends DriveOptions {
  /** Also tries absent members and null where neither a document nor a recording shows them. */
  readonly isHostile: boolean;
  /** Ids of the only mutations to try; empty for all. */
  readonly only: readonly string[];
}

/** The command that tries some mutations again. */
type Again = (ids: readonly string[]) => string;

/** A run of the program with some mutations. */
interface Trial {
  readonly mutations: readonly Mutation[];
  readonly driven: Driven;
  /** How it differs from the undisturbed runs; undefined if it does not. */
  readonly outcome: string | undefined;
}

export interface Evolved {
  readonly contract: Contract;
  readonly interrupted: boolean;
  /** Why the run could not be judged. */
  readonly obstacle: string | null;
  readonly mutations: readonly Mutation[];
  /** The first trial of each round. */
  readonly rounds: readonly Trial[];
  /** The smallest sets of mutations that change the outcome. */
  readonly causes: readonly Trial[];
  /** Mutations whose effect was not searched any more. */
  readonly untried: readonly Mutation[];
}

/** Runs of the search for causes. A strict program may fail because of each mutation. */
const MOST_RUNS = 300;
/** A program may call the API once for each item of a long list. */
const MOST_EXCHANGES = 5_000;

const ROUNDS: Readonly<Record<Round, string>> = {
  new: 'new members, words, numbers and ids',
  long: 'long lists',
  empty: 'empty lists',
  absent: 'absent members',
  null: 'null',
};

/** Runs a program with every change of answers that the contract allows, and finds those that it does not tolerate. */
export async function evolve(options: EvolveOptions): Promise<Evolved> {
  const driver = await createDriver(options);
  const { contract } = driver;
  const given = [...options.command, ...Object.values(options.env).map(String)];
  const evolver = (mutations: readonly Mutation[]) => createEvolver(contract, mutations, given);
  const plan = UNDISTURBED.map((situation) => ({ ...situation, evolver: evolver([]) }));
  const usual = await driver.through(plan);
  const nothing = { contract, mutations: [], rounds: [], causes: [], untried: [] };
  const groups = usual.interrupted ? [] : groupsOrObstacle(usual.driven);
  if (typeof groups === 'string') return { ...nothing, interrupted: false, obstacle: groups };
  const schemas = createSchemas(contract);
  const found = plan[0]?.evolver.answers.flatMap((answer) => mutationsOf(answer, contract, schemas, options.isHostile));
  const all = new Map(found?.map((mutation) => [mutation.id, mutation]));
  const { only } = options;
  const mutations = [...all.values()].filter(({ id }) => only.length === 0 || only.includes(id));
  const missing = only.find((id) => !all.has(id));
  if (missing !== undefined)
    return { ...nothing, interrupted: usual.interrupted, obstacle: `No answer allows the change ${missing}.` };
  if (mutations.length === 0)
    return { ...nothing, interrupted: usual.interrupted, obstacle: 'The program gets no JSON answer.' };

  let isInterrupted = usual.interrupted;
  const attempt = async (sets: readonly (readonly Mutation[])[]): Promise<Trial[]> => {
    const situations = sets.map((set) => situationOf(set, evolver(set)));
    const { driven, interrupted } = await driver.through(situations);
    isInterrupted ||= interrupted;
    return driven.map((one): Trial => {
      const set = sets[situations.indexOf(one.situation)] ?? [];
      return { mutations: set, driven: one, outcome: differenceOf(one, groups, set, contract) };
    });
  };
  const together = only.length > 0 ? [mutations] : [...Map.groupBy(mutations, ({ round }) => round).values()];
  const rounds = await attempt(together);
  const { causes, untried } = await causesIn(
    rounds.filter(({ outcome }) => outcome !== undefined),
    attempt,
  );
  return { contract, interrupted: isInterrupted, obstacle: null, mutations, rounds, causes, untried };
}

type Attempt = (sets: readonly (readonly Mutation[])[]) => Promise<Trial[]>;

/** Halves each failing set until it is as small as possible. All sets of one size are tried at the same time. */
async function causesIn(failing: readonly Trial[], attempt: Attempt): Promise<Pick<Evolved, 'causes' | 'untried'>> {
  const causes: Trial[] = [];
  let level = failing;
  for (let runs = 0; level.length > 0; ) {
    causes.push(...level.filter(({ mutations }) => mutations.length === 1));
    const larger = level.filter(({ mutations }) => mutations.length > 1);
    if (runs > MOST_RUNS) return { causes, untried: larger.flatMap(({ mutations }) => mutations) };
    const halves = larger.map(({ mutations }) => halvesOf(mutations));
    const trials = await attempt(halves.flat());
    runs += trials.length;
    const broken = trials.filter(({ outcome }) => outcome !== undefined);
    for (const [index, trial] of larger.entries()) {
      const own = trials.filter(({ mutations }) => halves[index]?.includes(mutations));
      // neither half alone changes the outcome
      if (own.length === 2 && !own.some((half) => broken.includes(half))) causes.push(await smallest(trial, attempt));
    }
    level = broken;
  }
  return { causes, untried: [] };
}

function halvesOf(mutations: readonly Mutation[]): (readonly Mutation[])[] {
  const middle = Math.ceil(mutations.length / 2);
  return [mutations.slice(0, middle), mutations.slice(middle)];
}

/** Leaves out part after part, as long as the outcome differs. */
async function smallest(trial: Trial, attempt: Attempt): Promise<Trial> {
  let best = trial;
  for (let size = Math.ceil(best.mutations.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
    for (let start = 0; start < best.mutations.length; ) {
      const rest = best.mutations.toSpliced(start, size);
      const [next] = rest.length === 0 ? [] : await attempt([rest]);
      if (next?.outcome === undefined) start += size;
      else best = next;
    }
  return best;
}

/** How a run differs from the undisturbed runs. Lists of another length mean other writes. */
function differenceOf(
  driven: Driven,
  groups: readonly IntentGroup[],
  mutations: readonly Mutation[],
  contract: Contract,
) {
  const { ending, writes } = driven;
  if (ending.kind !== 'exited' || ending.code !== 0) return endingText(ending);
  if (mutations.some(({ round }) => round === 'long' || round === 'empty')) return undefined;
  const intents = intentsOf(groups, writes);
  const effects = effectsOf(intents, writes, contract);
  const odd = intents.find((intent) => effects(intent) !== intent.intended);
  return odd && `did ${odd.group.operationId} ${count(effects(odd), 'time')} instead of ${odd.intended}`;
}

function situationOf(mutations: readonly Mutation[], evolver: Evolver): Situation {
  const [first] = mutations;
  const title = mutations.length === 1 ? `${first?.id}` : `${mutations.length} changes of answers, from ${first?.id}`;
  return { id: 'evolve', title, requests: 1, keepsState: true, evolver, mostExchanges: MOST_EXCHANGES };
}

const MOST_LINES = 10;
const LONGEST_LINE = 200;

/** A stack trace may follow the reason. */
function lastOf(lines: readonly string[]): string[] {
  const printed = lines.filter((line) => line.trim() !== '');
  return printed.slice(-MOST_LINES).map((line) => line.slice(0, LONGEST_LINE));
}

export function evolutionRecordings({ mutations, rounds, causes, untried }: Evolved, again: Again): RecordedJournal[] {
  const broken = causes.map(({ mutations, driven, outcome = '' }): RecordedJournal => {
    const [first] = mutations as readonly [Mutation];
    const ids = mutations.map(({ id }) => id);
    const evolution: EvolutionEvidence = {
      ...{ tried: mutations.length, tolerated: 0 },
      broken: {
        ...{ operationId: first.operationId, pointer: first.at, change: first.title, because: first.because, outcome },
        together: ids.length === 1 ? [] : ids,
        lastLines: lastOf(driven.lines),
        again: again(ids),
        source: first.source,
        isHostile: mutations.some(({ isHostile }) => isHostile),
      },
    };
    return { ...driven.recording, evolution };
  });
  const blamed = new Set(causes.flatMap((cause) => cause.mutations));
  const tolerated = mutations.length - blamed.size - untried.length;
  const whole = rounds.map(({ driven }, index): RecordedJournal => {
    return { ...driven.recording, ...(index === 0 && { evolution: { tried: tolerated, tolerated } }) };
  });
  return [...broken, ...whole];
}

export function evolutionChecks({ obstacle, mutations, rounds, causes, untried }: Evolved): Check[] {
  const about = { operationId: null, kind: 'mock-only' } as const;
  if (obstacle !== null)
    return [{ ...about, id: 'evolve.normal', outcome: 'inconclusive', reason: obstacle, durationMs: 0 }];
  const tried = rounds.map((trial): Check => {
    const { durationMs } = trial.driven;
    const [{ round }] = trial.mutations as readonly [Mutation];
    const own = causes.filter(({ mutations: [first] }) => first && trial.mutations.includes(first));
    const effect = own.length === 0 ? 'The outcome is the same' : `${count(own.length, 'cause')} of another outcome`;
    const reason = `${count(trial.mutations.length, 'change')} (${ROUNDS[round]}). ${effect}.`;
    return { ...about, id: `evolve.${round}`, outcome: own.length > 0 ? 'failed' : 'passed', reason, durationMs };
  });
  if (untried.length === 0) return tried;
  const reason = `${untried.length} of ${count(mutations.length, 'change')} were not searched for causes.`;
  return [...tried, { ...about, id: 'evolve.untried', outcome: 'skipped', reason, durationMs: 0 }];
}
