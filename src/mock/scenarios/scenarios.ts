import type { ScenarioDefinition } from '../../../generated/mock/scenario.ts';
import { ToolError } from '../../errors.ts';
import type { RoutedRequest } from '../compile/request.ts';
import type { ReceivedRequest } from '../message/call.ts';
import { problem } from '../message/problem.ts';
import type { ScenarioHandle } from '../mock.ts';
import { createCatalogue, type Nameable } from './catalogue.ts';
import type { Scene } from './effects.ts';
import { type ActiveRule, activate, createPlay, type Play, SCENARIO_HEADER } from './rules.ts';

export interface ShownScenario {
  readonly id: string;
  readonly name: string;
  readonly definition: ScenarioDefinition;
  readonly hits: number;
}

export type Scenarios = Awaited<ReturnType<typeof createScenarios>>;

export interface ScenariosOptions extends Pick<Scene, 'now' | 'tokens'> {
  readonly nameable: () => Nameable;
  readonly folder: string;
  readonly seed: number;
}

interface Activation extends ShownScenario {
  readonly rules: readonly ActiveRule[];
  hits: number;
}

/** How many values of the header field are stored with their counts. */
const REMEMBERED = 200;
/** `name`, or `name#run` for separate counts. */
const NAMED = /^([a-z0-9][a-z0-9-]{0,63})(?:#[\w.:-]{1,64})?$/;

/**
 * @param wanted Names, files and definitions to activate at the start.
 * @throws ToolError `usage`
 */
export async function createScenarios(
  { nameable, folder, seed, ...mock }: ScenariosOptions,
  wanted: readonly (string | ScenarioDefinition)[],
) {
  let catalogue = createCatalogue(nameable, folder);
  let initial = await catalogue.initial(wanted);
  let initialIds: ReadonlySet<string> = new Set();
  let last = 0;
  let activations: readonly Activation[] = [];
  const byHeader = new Map<string, readonly ActiveRule[]>();
  const waiting = new Set<() => void>();

  const titleOf = (problem: string): string | undefined => nameable().refusals?.[problem]?.title;
  const rulesOf = (definition: ScenarioDefinition, onStrike?: () => void): readonly ActiveRule[] =>
    activate(definition, seed, { ...mock, titleOf }, onStrike);

  const add = (definition: ScenarioDefinition, most = Infinity): Activation => {
    last += 1;
    const id = `s${last}`;
    const strike = (): void => {
      activation.hits += 1;
      if (activation.hits >= most) deactivate(id);
    };
    const rules = rulesOf(definition, strike);
    const activation: Activation = { id, name: definition.name, definition, hits: 0, rules };
    activations = [...activations, activation];
    return activation;
  };

  const rulesFor = (spelled: string, definition: ScenarioDefinition): readonly ActiveRule[] => {
    const known = byHeader.get(spelled);
    if (known) return known;
    if (byHeader.size >= REMEMBERED) byHeader.delete(String(byHeader.keys().next().value));
    const fresh = rulesOf(definition);
    byHeader.set(spelled, fresh);
    return fresh;
  };

  /** The rules of the scenarios in a header field; a promise if their files have not been read yet. */
  const named = (value: string): readonly ActiveRule[] | Promise<readonly ActiveRule[]> => {
    const spelled = value.split(',').map((part) => part.trim());
    const known = spelled.map((one) => byHeader.get(one));
    if (known.every((one) => one !== undefined)) return known.flat();
    const load = async (one: string): Promise<readonly ActiveRule[]> =>
      rulesFor(one, await catalogue.load(NAMED.exec(one)?.[1] ?? one));
    return Promise.all(spelled.map(load)).then((all) => all.flat());
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

  const restart = (): void => {
    byHeader.clear();
    activations = [];
    begin();
  };

  const begin = (): void => {
    initialIds = new Set(initial.map((definition) => add(definition).id));
  };
  begin();

  return {
    get catalogue() {
      return catalogue;
    },
    /** False if no scenario is active. Then only a request that names a scenario needs `play`. */
    get busy(): boolean {
      return activations.length > 0;
    },
    /** A promise if files of the scenarios that the request names must be read. */
    play(
      call: ReceivedRequest,
      located: RoutedRequest,
      onPlayed: (names: readonly string[]) => void,
    ): Play | Promise<Play> {
      const value = call.headers[SCENARIO_HEADER];
      const more = value === undefined ? [] : named(String(value));
      const begin = (others: readonly ActiveRule[]): Play =>
        createPlay([...activations.flatMap(({ rules }) => rules), ...others], call, located, wait, onPlayed);
      return more instanceof Promise ? more.then(begin).catch(refuse) : begin(more);
    },
    /** @throws ToolError. `most`: deactivated after its rules have applied so often. */
    async activate(scenario: string | ScenarioDefinition, most?: number): Promise<ScenarioHandle> {
      const definition =
        typeof scenario === 'string' ? await catalogue.load(scenario) : await catalogue.check(scenario);
      const { id, name } = add(definition, most);
      const dispose = (): void => {
        deactivate(id);
      };
      return { id, name, dispose, [Symbol.dispose]: dispose };
    },
    /** In the order of activation, which is also the order of their rules. */
    active: (): readonly ShownScenario[] =>
      activations.map(({ id, name, definition, hits }) => ({ id, name, definition, hits })),
    deactivate,
    /** Restores the scenarios of the start, with their counts at zero. */
    reset: restart,
    /**
     * Reads the files again for a contract. The result takes them: it keeps later activations and restarts other counts.
     * An invalid file changes nothing.
     */
    async reread(names: Nameable): Promise<() => void> {
      const fresh = createCatalogue(() => names, folder);
      const definitions = await fresh.initial(wanted);
      return () => {
        initial = definitions;
        catalogue = fresh;
        const since = activations.filter(({ id }) => !initialIds.has(id));
        restart();
        activations = [...activations, ...since];
      };
    },
    close(): void {
      for (const done of [...waiting]) done();
    },
  };
}

/** An unknown scenario in the header field is the caller's mistake. Any other error is rethrown. */
function refuse(error: unknown): Play {
  if (!(error instanceof ToolError)) throw error;
  const detail = `${SCENARIO_HEADER}: ${error.message}${error.hint ? ` ${error.hint}` : ''}`;
  return { interrupt: () => undefined, answer: () => problem('scenario-unknown', detail) };
}
