import type { ScenarioAnswer, ScenarioRule } from '../../../generated/mock/scenario.ts';
import { parseYaml } from '../../contract/yaml.ts';
import { ToolError } from '../../errors.ts';
import { answer } from '../message/answer.ts';
import { EFFECT_NAMES } from '../scenarios/effects.ts';
import { narrowed, type ScenarioScope } from '../scenarios/scope.ts';
import { type Controls, on, type Route } from './controls.ts';
import { done, InputError, members, missing, ok, text, whole } from './input.ts';

export interface KnownScenario {
  readonly name: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly active: boolean;
  /** What its rules do, by the names of `schemas/scenario.schema.json`. */
  readonly effects: readonly string[];
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
    on('POST', '/scenarios/active', async ({ body }) => {
      const given = members(body, ['name', 'definition', 'yaml', 'scope']);
      const name = text(given, 'name', 64);
      const yaml = text(given, 'yaml', 100_000);
      if ([name, given.definition, yaml].filter((one) => one !== undefined).length !== 1)
        throw new InputError('', 'must have a name, a definition, or one as yaml');
      const { catalogue } = scenarios;
      const scope = scopeFrom(given.scope);
      const definition =
        name === undefined
          ? await catalogue.check(yaml === undefined ? given.definition : await parsed(yaml))
          : await catalogue.load(name);
      const handle = await scenarios.activate(scope === undefined ? definition : narrowed(definition, scope));
      return ok({ id: handle.id, name: handle.name }, 201);
    }),
    on('POST', '/answer-once', async ({ body }) => {
      const given = members(body, ['operation', 'answer']);
      const operation = text(given, 'operation', 200);
      if (operation === undefined) throw new InputError('/operation', 'is required: an operationId');
      const { answer: wanted } = given;
      if (typeof wanted !== 'number' && (typeof wanted !== 'object' || wanted === null || Array.isArray(wanted)))
        throw new InputError('/answer', 'must be a status, or an answer with one');
      const { answerOnce } = await import('../scenarios/answer-once.ts');
      const { id, name } = await answerOnce(scenarios, operation, wanted as number | ScenarioAnswer);
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
    throw new InputError('/yaml', `cannot be read at line ${line}, column ${column}: ${error.message}`);
  }
}

function scopeFrom(given: unknown): ScenarioScope | undefined {
  if (given === undefined) return undefined;
  const { operations, parameters, times } = members(given, ['operations', 'parameters', 'times']);
  const isList =
    Array.isArray(operations) && operations.length > 0 && operations.every((one) => typeof one === 'string');
  if (operations !== undefined && !isList) throw new InputError('/scope/operations', 'must be a list of operationIds');
  const isMap =
    typeof parameters === 'object' &&
    parameters !== null &&
    !Array.isArray(parameters) &&
    Object.values(parameters).every((value) => typeof value === 'string');
  if (parameters !== undefined && !isMap) throw new InputError('/scope/parameters', 'must be an object of texts');
  const count = whole(times, 'scope/times', 1, 1_000_000);
  return {
    operations: operations as ScenarioScope['operations'],
    parameters: parameters as ScenarioScope['parameters'],
    times: count,
  };
}
