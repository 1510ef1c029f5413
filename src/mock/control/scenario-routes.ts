import type { ScenarioAnswer, ScenarioRule } from '../../../generated/mock/scenario.ts';
import { parseYaml } from '../../contract/yaml.ts';
import { ToolError } from '../../errors.ts';
import { EFFECT_NAMES } from '../scenarios/effects.ts';
import { narrowed } from '../scenarios/scope.ts';
import type { Controls } from './controls.ts';
import type { Handlers } from './document.ts';
import { file, InputError, missing } from './input.ts';

export function scenarioRoutes({ scenarios }: Controls): Handlers {
  return {
    async listScenarios() {
      const active = new Set(scenarios.active().map(({ name }) => name));
      const all = await scenarios.catalogue.list();
      const shown = all.map(async ({ name, title = null, description = null }) => {
        const { rules = [] } = await scenarios.catalogue.load(name);
        return { name, title, description, active: active.has(name), effects: effectsOf(rules) };
      });
      return { scenarios: await Promise.all(shown) };
    },
    listActiveScenarios: () => ({ active: scenarios.active() }),
    async getActiveScenarioYaml({ parameters }) {
      const found = scenarios.active().find(({ id }) => id === parameters.id);
      if (!found) throw missing(UNKNOWN);
      const { stringify } = await import('yaml');
      return file('application/yaml', `${found.name}.yaml`, stringify(found.definition));
    },
    async activateScenario({ body: { name, definition: given, yaml, scope } }) {
      if ([name, given, yaml].filter((one) => one !== undefined).length !== 1)
        throw new InputError({ pointer: '', message: 'It must have a name, a definition, or one as yaml.' });
      const { catalogue } = scenarios;
      const definition =
        name === undefined
          ? await catalogue.check(yaml === undefined ? given : await parsed(yaml))
          : await catalogue.load(name);
      return scenarios.activate(scope === undefined ? definition : narrowed(definition, scope));
    },
    async answerOnce({ body }) {
      const { answerOnce } = await import('../scenarios/answer-once.ts');
      return answerOnce(scenarios, body.operation, body.answer as number | ScenarioAnswer);
    },
    deactivateAllScenarios() {
      for (const { id } of scenarios.active()) scenarios.deactivate(id);
    },
    deactivateScenario({ parameters: { id } }) {
      if (!scenarios.deactivate(id)) throw missing(UNKNOWN);
    },
  };
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
