import type { ScenarioAnswer, ScenarioRule } from '../../../generated/mock/scenario.ts';
import { parseYaml } from '../../contract/yaml.ts';
import { ToolError } from '../../errors.ts';
import { answer } from '../message/answer.ts';
import { EFFECT_NAMES } from '../scenarios/effects.ts';
import { narrowed, type ScenarioScope } from '../scenarios/scope.ts';
import { type Controls, on, type Route } from './controls.ts';
import { done, InputError, missing, ok } from './input.ts';

export interface KnownScenario {
  readonly name: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly active: boolean;
  /** What its rules do, by the names of `schemas/scenario.schema.json`. */
  readonly effects: readonly string[];
}

interface Activation {
  readonly name?: string;
  readonly definition?: unknown;
  readonly yaml?: string;
  readonly scope?: ScenarioScope;
}

interface OneAnswer {
  readonly operation: string;
  readonly answer: number | ScenarioAnswer;
}

export function scenarioRoutes({ scenarios }: Controls): Route[] {
  return [
    on('GET', '/scenarios', async () => {
      const active = new Set(scenarios.active().map(({ name }) => name));
      const all = await scenarios.catalogue.list();
      const shown = all.map(async ({ name, title = null, description = null }): Promise<KnownScenario> => {
        const { rules = [] } = await scenarios.catalogue.load(name);
        return { name, title, description, active: active.has(name), effects: effectsOf(rules) };
      });
      return ok({ scenarios: await Promise.all(shown) });
    }),
    on('GET', '/scenarios/active', () => ok({ active: scenarios.active() })),
    on('GET', '/scenarios/active/{id}/yaml', async ({ parameters }) => {
      const found = scenarios.active().find(({ id }) => id === parameters.id);
      if (!found) throw missing(UNKNOWN);
      const { stringify } = await import('yaml');
      const bytes = Buffer.from(stringify(found.definition));
      return answer(200, { type: 'application/yaml', bytes }, 'assumed', ['cache-control', 'no-store']);
    }),
    on<Activation>('POST', '/scenarios/active', async ({ body: { name, definition: given, yaml, scope } }) => {
      if ([name, given, yaml].filter((one) => one !== undefined).length !== 1)
        throw new InputError({ pointer: '', message: 'It must have a name, a definition, or one as yaml.' });
      const { catalogue } = scenarios;
      const definition =
        name === undefined
          ? await catalogue.check(yaml === undefined ? given : await parsed(yaml))
          : await catalogue.load(name);
      const handle = await scenarios.activate(scope === undefined ? definition : narrowed(definition, scope));
      return ok({ id: handle.id, name: handle.name }, 201);
    }),
    on<OneAnswer>('POST', '/answer-once', async ({ body: { operation, answer: wanted } }) => {
      const { answerOnce } = await import('../scenarios/answer-once.ts');
      const { id, name } = await answerOnce(scenarios, operation, wanted);
      return ok({ id, name }, 201);
    }),
    on('DELETE', '/scenarios/active', () => {
      for (const { id } of scenarios.active()) scenarios.deactivate(id);
      return done();
    }),
    on('DELETE', '/scenarios/active/{id}', ({ parameters: { id = '' } }) => {
      if (!scenarios.deactivate(id)) throw missing(UNKNOWN);
      return done();
    }),
  ];
}

const UNKNOWN = 'no active scenario has this id';

function effectsOf(rules: readonly ScenarioRule[]): readonly string[] {
  return EFFECT_NAMES.filter((name) => rules.some((rule) => rule[name] !== undefined));
}

async function parsed(yaml: string): Promise<unknown> {
  try {
    return (await parseYaml(yaml, 'yaml', 'usage')).value;
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    const { line, column } = error.place ?? {};
    const message = `It cannot be read at line ${line}, column ${column}: ${error.message}`;
    throw new InputError({ pointer: '/yaml', message });
  }
}
