import { type Answer, withHeaders } from '../http/answer.ts';
import { type Call, field } from '../http/call.ts';
import { createDeprecation } from '../pipeline/deprecation.ts';
import type { Located } from '../pipeline/router.ts';
import { isExpired, refusedToken } from '../tokens/bearer.ts';
import type { ActiveRule, Stage } from './active-rule.ts';
import { answerOf, changed, faulty, rewritten, withStatus } from './effects.ts';

/** Where a scenario has its say while a request is judged. */
export interface Checkpoints {
  /** Behind the token check. */
  token(): Answer | undefined;
  /** Behind the checks of the body. */
  body(): Answer | undefined;
}

/** A scenario as it is active: by name, with its rules and their counts. */
export interface ActiveScenario {
  readonly name: string;
  readonly rules: readonly ActiveRule[];
  /** Title of a refusal that the contract names. */
  readonly titleOf: (problem: string) => string | undefined;
}

export type Serve = (checkpoints: Checkpoints) => Answer | Promise<Answer>;

/** Says of every answer which scenarios had their hand in it. */
export const SCENARIO_HEADER = 'x-mock-scenario';

/** Plays the rules of some scenarios on one request; `wait` sleeps so many milliseconds. Names of the scenarios that had a say go to `told`. */
export function play(
  scenarios: readonly ActiveScenario[],
  call: Call,
  { operation, parameters }: Located,
  serve: Serve,
  wait: (milliseconds: number) => Promise<void>,
  told: (names: readonly string[]) => void,
): Answer | Promise<Answer> {
  const token = field(call, 'authorization');
  const names = new Set<string>();
  let delay = 0;
  const concerned = scenarios.flatMap(({ name, rules, titleOf }) =>
    rules.filter((rule) => rule.concerns(operation, parameters)).map((active) => ({ name, active, titleOf })),
  );

  /** The first answer of the rules of a stage; a rule that only slows things down has none and lets the next ones speak. */
  const more: string[] = [];
  const speak = (stage: Stage): Answer | undefined => {
    for (const { name, active, titleOf } of concerned) {
      if (active.stage !== stage || !active.strikes(token)) continue;
      const counted = active.quota?.count(token);
      if (counted) more.push(...counted.headers);
      const said = counted ? counted.refused : saying(active, name, operation, titleOf);
      if (said === undefined && active.rule.withdraw !== undefined) continue;
      names.add(name);
      delay += active.wait();
      if (said) return disturbed(said, active);
    }
    return undefined;
  };

  const finish = (given: Answer): Answer | Promise<Answer> => {
    let result = given;
    for (const { name, active } of concerned) {
      if (active.stage !== 'answer') continue;
      const next = nextOf(result, active);
      if (!next || !active.strikes(token)) continue;
      names.add(name);
      delay += active.wait();
      result = disturbed(next, active);
    }
    if (names.size === 0) return result;
    const list = [...names];
    told(list);
    const marked = withHeaders(result, [...more, SCENARIO_HEADER, list.join(', ')]);
    return delay > 0 ? wait(delay).then(() => marked) : marked;
  };

  const early = speak('arrival');
  if (early) return finish(early);
  const given = serve({ token: () => speak('token'), body: () => speak('body') });
  return given instanceof Promise ? given.then(finish) : finish(given);
}

/** What a rule makes of an answer; undefined where it has nothing to do with it. */
function nextOf(given: Answer, { rule, held }: ActiveRule): Answer | undefined {
  if (rule.expired !== undefined) return isExpired(given) ? withStatus(given, rule.expired) : undefined;
  if (held) return given.status === 200 ? held.again(given) : undefined;
  return rule.change ? changed(given, rule.change) : given;
}

function saying(
  { rule }: ActiveRule,
  name: string,
  operation: Located['operation'],
  titleOf: ActiveScenario['titleOf'],
): Answer | undefined {
  if (rule.token) return refusedToken(rule.token.refuse);
  if (rule.withdraw !== undefined) {
    return createDeprecation({ sunset: undefined, withdrawn: rule.withdraw }).withdrawn(operation);
  }
  return rule.answer && answerOf(rule.answer, name, titleOf);
}

function disturbed(given: Answer, { rule }: ActiveRule): Answer {
  const shaped = rule.rewrite ? rewritten(given, rule.rewrite) : given;
  return rule.fault ? faulty(shaped, rule.fault) : shaped;
}
