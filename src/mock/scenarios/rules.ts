import type { ScenarioDefinition, ScenarioRule } from '../../../generated/mock/scenario.ts';
import type { PlannedOperation } from '../compile/plan.ts';
import type { RoutedRequest } from '../compile/request.ts';
import { type Answer, whenReady, withHeaders } from '../message/answer.ts';
import { field, type ReceivedRequest } from '../message/call.ts';
import { createRandom } from '../state/random.ts';
import {
  EFFECT_NAMES,
  type EffectName,
  type OptionsOf,
  SCENARIO_EFFECTS,
  type ScenarioEffect,
  type Scene,
  type Stage,
} from './effects.ts';

/** Values for `operations` of a rule: the operation that issues tokens, and every operation. */
export const TOKEN_ROLE = '{token}';
export const EVERY = '*';

export interface ActiveRule {
  readonly scenario: string;
  readonly stage: Stage;
  concerns(operation: PlannedOperation, parameters: Readonly<Record<string, string>>): boolean;
  /** Counts a request that the rule matches. Returns true if the rule's effects apply to it. */
  strikes(token: string): boolean;
  readonly effects: readonly ScenarioEffect[];
}

export function activate(
  { name, rules = [] }: ScenarioDefinition,
  seed: number,
  mock: Pick<Scene, 'now' | 'tokens' | 'titleOf'>,
  onStrike?: () => void,
): readonly ActiveRule[] {
  return rules.map((rule, index) => {
    const { number } = createRandom(`${seed}/${name}/${index}`);
    return activeRule(rule, { ...mock, scenario: name, random: () => number(2 ** 32) / 2 ** 32 }, onStrike);
  });
}

function activeRule(rule: ScenarioRule, scene: Scene, onStrike?: () => void): ActiveRule {
  const { after = 0, times = Number.POSITIVE_INFINITY, probability } = rule;
  const effects = EFFECT_NAMES.flatMap((name) => startEffect(name, rule, scene));
  const strikes = effects.find((effect) => effect.strikes)?.strikes;
  let seen = 0;
  let struck = 0;
  const due = (): boolean => {
    seen += 1;
    if (seen <= after || struck >= times) return false;
    if (probability !== undefined && scene.random() >= probability) return false;
    struck += 1;
    return true;
  };
  return {
    scenario: scene.scenario,
    stage: effects[0]?.stage ?? 'answer',
    concerns: (operation, parameters) =>
      isNamed(rule, operation) &&
      Object.entries(rule.parameters ?? {}).every(([key, value]) => parameters[key] === value) &&
      effects.every(({ concerns }) => concerns?.(operation) ?? true),
    strikes(token) {
      const struckNow = strikes?.(token, due) ?? due();
      if (struckNow) onStrike?.();
      return struckNow;
    },
    effects,
  };
}

function startEffect<Name extends EffectName>(name: Name, rule: ScenarioRule, scene: Scene): ScenarioEffect[] {
  const options = rule[name];
  return options === undefined ? [] : [SCENARIO_EFFECTS[name](options as OptionsOf<Name>, scene)];
}

function isNamed({ operations, deprecated }: ScenarioRule, operation: PlannedOperation): boolean {
  const { operationId, auth } = operation;
  if (deprecated !== undefined && deprecated !== operation.deprecated) return false;
  if (operations === undefined) return auth !== 'issues';
  return operations.some(
    (name) => name === EVERY || name === operationId || (name === TOKEN_ROLE && auth === 'issues'),
  );
}

export interface Checkpoints {
  token(): Answer | undefined;
  body(): Answer | undefined;
}

export type Serve = (checkpoints: Checkpoints) => Answer | Promise<Answer>;

export const SCENARIO_HEADER = 'x-mock-scenario';

/** The rules that apply to one request. */
export interface Play {
  /** The answer to a request whose body is still being sent, if a rule ends it there. */
  interrupt(): Answer | Promise<Answer> | undefined;
  /** @param lose loses the connection before the answer */
  answer(serve: Serve, lose: () => void): Answer | Promise<Answer>;
}

/** `wait` sleeps for milliseconds. `told` receives the names of the scenarios that applied. */
export function createPlay(
  rules: readonly ActiveRule[],
  call: ReceivedRequest,
  { operation, parameters }: RoutedRequest,
  wait: (milliseconds: number) => Promise<void>,
  onPlayed: (names: readonly string[]) => void,
): Play {
  const token = field(call, 'authorization') ?? '';
  const names = new Set<string>();
  const headers: string[] = [];
  let delay = 0;
  let late: ScenarioEffect | undefined;
  const concerned = rules.filter((rule) => rule.concerns(operation, parameters));

  const take = ({ scenario, effects }: ActiveRule): void => {
    names.add(scenario);
    for (const effect of effects) {
      delay += effect.waits?.() ?? 0;
      if (effect.losesFor !== undefined) late = effect;
    }
  };

  /** The first answer from the rules of a stage. A rule with delays only has no answer, so later rules are tried. */
  const speak = (stage: Stage): Answer | undefined => {
    for (const rule of concerned) {
      if (rule.stage !== stage || !rule.strikes(token)) continue;
      take(rule);
      for (const { says } of rule.effects) {
        const answered = says?.({ operation, token, headers });
        if (answered) return reshaped(rule.effects, answered);
      }
    }
    return undefined;
  };

  const finish = (given: Answer): Answer | Promise<Answer> => {
    let result = given;
    for (const rule of concerned) {
      if (rule.stage !== 'answer') continue;
      const next = shaped(rule, result);
      if (!next || !rule.strikes(token)) continue;
      take(rule);
      result = next;
    }
    if (names.size === 0) return result;
    onPlayed([...names]);
    const marked = withHeaders(result, [...headers, SCENARIO_HEADER, [...names].join(', ')]);
    return delay > 0 ? wait(delay).then(() => marked) : marked;
  };

  return {
    interrupt() {
      const early = speak('upload');
      return early && finish(early);
    },
    answer(serve, lose) {
      const early = speak('arrival');
      if (early) return finish(early);
      const act = (): Answer | Promise<Answer> =>
        whenReady(serve({ token: () => speak('token'), body: () => speak('body') }), finish);
      if (late?.losesFor === undefined) return act();
      lose();
      const { losesFor, shapes } = late;
      return wait(losesFor)
        .then(act)
        .then((given) => shapes?.(given) ?? given);
    },
  };
}

/** The answer as changed by a rule; undefined if the rule's first effect does not apply to it. */
function shaped({ effects }: ActiveRule, given: Answer): Answer | undefined {
  const [first, ...others] = effects.filter(({ shapes }) => shapes);
  const next = first?.shapes?.(given);
  return next && reshaped(others, next);
}

function reshaped(effects: ActiveRule['effects'], given: Answer): Answer {
  return effects.reduce((result, { shapes }) => shapes?.(result) ?? result, given);
}
