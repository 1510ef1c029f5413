import type { ScenarioAnswer } from '../../../generated/mock/scenario.ts';
import { narrowed } from '../scenarios/scope.ts';
import type { Controls } from './controls.ts';
import type { Handlers } from './document.ts';
import { InputError, missing } from './input.ts';

export function scenarioRoutes({ scenarios }: Controls): Handlers {
  return {
    async listScenarios() {
      const active = new Set(scenarios.active().map(({ name }) => name));
      const all = await scenarios.catalogue.list();
      return {
        scenarios: all.map(({ name, title = null, description = null, exercises = [] }) => {
          return { name, title, description, exercises, active: active.has(name) };
        }),
      };
    },
    listActiveScenarios: () => ({ active: scenarios.active() }),
    async activateScenario({ body: { name, definition: given, scope } }) {
      if ((name === undefined) === (given === undefined))
        throw new InputError({ pointer: '', message: 'It must have a name or a definition.' });
      const { catalogue } = scenarios;
      const definition = name === undefined ? await catalogue.check(given) : await catalogue.load(name);
      return scenarios.activate(scope === undefined ? definition : narrowed(definition, scope));
    },
    async answerOnce({ body }) {
      const { answerOnce } = await import('../scenarios/answer-once.ts');
      return answerOnce(scenarios, body.operation, body.answer as number | ScenarioAnswer, body.times);
    },
    deactivateAllScenarios() {
      for (const { id } of scenarios.active()) scenarios.deactivate(id);
    },
    deactivateScenario({ parameters: { id } }) {
      if (!scenarios.deactivate(id)) throw missing('no active scenario has this id');
    },
  };
}
