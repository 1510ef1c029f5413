import { ToolError } from '../../errors.ts';
import type { Answer } from '../http/answer.ts';
import type { Call } from '../http/call.ts';
import { problem } from '../http/problem.ts';
import type { Located } from '../pipeline/router.ts';
import type { EntitiesFile } from '../state/entities.ts';
import { createActiveRule } from './active-rule.ts';
import type { ScenarioCatalogue } from './catalogue.ts';
import type { ScenarioDefinition } from './definition.ts';
import type { ScenarioTokens } from './held-token.ts';
import { type ActiveScenario, play, SCENARIO_HEADER, type Serve } from './play.ts';

/** A scenario that was activated, until it is disposed of. */
export interface ScenarioHandle extends Disposable {
  readonly id: string;
  readonly name: string;
  dispose(): void;
}

/** An active scenario as it is shown. */
export interface ShownScenario {
  readonly id: string;
  readonly name: string;
  readonly definition: ScenarioDefinition;
}

export interface Scenarios {
  /** The scenarios that are known by name. */
  readonly catalogue: ScenarioCatalogue;
  /** False where none is active: then only a request that names one itself needs `play`. */
  readonly busy: boolean;
  play(call: Call, located: Located, serve: Serve, told: (names: readonly string[]) => void): Answer | Promise<Answer>;
  /** Throws ToolError for a name that is not known or a definition that does not hold. */
  activate(scenario: string | ScenarioDefinition): Promise<ScenarioHandle>;
  /** In the order of activation, which is that of their rules. */
  active(): readonly ShownScenario[];
  /** True where there was one of the id. */
  deactivate(id: string): boolean;
  /** Back to those that were active at the start, with their counts at zero. */
  reset(): void;
  /** Others are active from the start, as if it had always been so; those that were activated since stay. */
  restart(initial: readonly ScenarioDefinition[]): void;
  /** What waits goes on at once. */
  close(): void;
}

export interface ScenariosOptions {
  readonly catalogue: ScenarioCatalogue;
  readonly seed: number;
  /** Refusals that the contract names. */
  readonly refusals: () => EntitiesFile['refusals'];
  readonly tokens: ScenarioTokens;
}

interface Activation extends ShownScenario {
  readonly playing: ActiveScenario;
}

/** How many values of the header field are remembered with their counts. */
const REMEMBERED = 200;
/** `name`, or `name#run` for counts of its own. */
const NAMED = /^([a-z0-9][a-z0-9-]{0,63})(?:#[\w.:-]{1,64})?$/;

/**
 * The scenarios of one mock: those that are active for every request, and those that a request names in `x-mock-scenario`.
 * `first` are active from the start.
 */
export function createScenarios(options: ScenariosOptions, first: readonly ScenarioDefinition[]): Scenarios {
  const { catalogue, seed, refusals, tokens } = options;
  let initial = first;
  let initialIds: ReadonlySet<string> = new Set();
  let last = 0;
  let activations: readonly Activation[] = [];
  const byHeader = new Map<string, ActiveScenario>();
  const waiting = new Set<() => void>();

  const playing = (definition: ScenarioDefinition): ActiveScenario => ({
    name: definition.name,
    titleOf: (problem) => refusals()?.[problem]?.title,
    rules: (definition.rules ?? []).map((rule, index) =>
      createActiveRule(rule, seed, `${definition.name}/${index}`, tokens),
    ),
  });

  const add = (definition: ScenarioDefinition): Activation => {
    last += 1;
    const { name } = definition;
    const activation = { id: `s${last}`, name, definition, playing: playing(definition) };
    activations = [...activations, activation];
    return activation;
  };

  const remembered = (spelled: string, definition: ScenarioDefinition): ActiveScenario => {
    const known = byHeader.get(spelled);
    if (known) return known;
    if (byHeader.size >= REMEMBERED) byHeader.delete(String([...byHeader.keys()][0]));
    const fresh = playing(definition);
    byHeader.set(spelled, fresh);
    return fresh;
  };

  /** Those that a header field names; a promise while their files are read for the first time. */
  const named = (value: string): readonly ActiveScenario[] | Promise<readonly ActiveScenario[]> => {
    const spelled = value.split(',').map((part) => part.trim());
    const known = spelled.map((one) => byHeader.get(one));
    if (known.every((one) => one !== undefined)) return known;
    return Promise.all(spelled.map(async (one) => remembered(one, await catalogue.load(NAMED.exec(one)?.[1] ?? one))));
  };

  const wait = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, milliseconds);
      waiting.add(done);
    });

  const deactivate = (id: string): boolean => {
    const before = activations.length;
    activations = activations.filter((activation) => activation.id !== id);
    return activations.length < before;
  };

  const begin = (): void => {
    initialIds = new Set(initial.map((definition) => add(definition).id));
  };
  begin();

  return {
    catalogue,
    get busy() {
      return activations.length > 0;
    },
    play(call, located, serve, told) {
      const active = activations.map((activation) => activation.playing);
      const value = call.headers[SCENARIO_HEADER];
      if (value === undefined) return play(active, call, located, serve, wait, told);
      const more = named(String(value));
      if (!(more instanceof Promise)) return play([...active, ...more], call, located, serve, wait, told);
      return more.then((late) => play([...active, ...late], call, located, serve, wait, told)).catch(refuse);
    },
    async activate(scenario) {
      const definition =
        typeof scenario === 'string' ? await catalogue.load(scenario) : await catalogue.check(scenario);
      const { id, name } = add(definition);
      const dispose = (): void => {
        deactivate(id);
      };
      return { id, name, dispose, [Symbol.dispose]: dispose };
    },
    active: () => activations.map(({ id, name, definition }) => ({ id, name, definition })),
    deactivate,
    reset() {
      byHeader.clear();
      activations = [];
      begin();
    },
    restart(others) {
      byHeader.clear();
      const since = activations.filter(({ id }) => !initialIds.has(id));
      activations = [];
      initial = others;
      begin();
      activations = [...activations, ...since];
    },
    close() {
      for (const done of [...waiting]) done();
    },
  };
}

/** A header field that names no scenario is a mistake of the caller; all else is thrown on. */
function refuse(error: unknown): Answer {
  if (!(error instanceof ToolError)) throw error;
  return problem(400, 'scenario-unknown', `${SCENARIO_HEADER}: ${error.message}${error.hint ? ` ${error.hint}` : ''}`);
}
