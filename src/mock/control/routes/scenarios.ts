import { problem } from '../../problem.ts';
import type { ScenarioDefinition } from '../../scenarios/definition.ts';
import { done, InputError, members, ok, text } from '../input.ts';
import type { Routes } from '../route.ts';

/** Scenarios: which there are, which are active, more of them, fewer. */
export const scenarioRoutes: Routes = ({ scenarios }) => [
  {
    method: 'GET',
    path: '/scenarios',
    async answer() {
      const active = new Set(scenarios.active().map(({ name }) => name));
      const all = await scenarios.catalogue.list();
      return ok({
        scenarios: all.map(({ name, title = null, description = null }) => ({
          name,
          title,
          description,
          active: active.has(name),
        })),
      });
    },
  },
  { method: 'GET', path: '/scenarios/active', answer: () => ok({ active: scenarios.active() }) },
  {
    method: 'POST',
    path: '/scenarios/active',
    async answer({ body }) {
      const given = members(body, ['name', 'definition']);
      const name = text(given, 'name', 64);
      if ((name === undefined) === (given.definition === undefined)) {
        throw new InputError('', 'must have a name or a definition');
      }
      const handle = await scenarios.activate(name ?? (given.definition as ScenarioDefinition));
      return ok({ id: handle.id, name: handle.name }, 201);
    },
  },
  {
    method: 'DELETE',
    path: '/scenarios/active',
    answer() {
      for (const { id } of scenarios.active()) scenarios.deactivate(id);
      return done();
    },
  },
  {
    method: 'DELETE',
    path: '/scenarios/active/{id}',
    answer({ parameters: { id = '' } }) {
      return scenarios.deactivate(id) ? done() : problem(404, 'no-such-control', 'no active scenario has this id');
    },
  },
];
