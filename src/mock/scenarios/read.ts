import { type Place, ToolError } from '../../errors.ts';
import { parseYaml } from '../../files/parse-yaml.ts';
import { positionOf } from '../../files/place.ts';
import { readTextFile } from '../../files/read.ts';
import { type SchemaProblem, schemaCheck } from '../../files/schema.ts';
import { didYouMean } from '../../suggest.ts';
import type { Nameable } from './catalogue.ts';
import type { ScenarioDefinition } from './definition.ts';

/** Reads a scenario from YAML or JSON. Throws ToolError `usage` with file, line and column, or `file-missing`, `file-unreadable`. */
export async function readScenario(file: string, nameable: Nameable): Promise<ScenarioDefinition> {
  const text = await readTextFile(file);
  const value = await parseYaml(text, file, 'usage');
  return hold(value, nameable, async (pointer, isKey) => ({
    file,
    ...(await positionOf(text, pointer, isKey ? 'key' : 'value')),
    ...(pointer === '' ? {} : { pointer }),
  }));
}

/** Checks a scenario that came as a value. Throws ToolError `usage` with a JSON pointer. */
export function checkScenario(value: unknown, nameable: Nameable): Promise<ScenarioDefinition> {
  return hold(value, nameable, async (pointer) => ({ file: 'scenario', pointer }));
}

type PlaceOf = (pointer: string, isKey: boolean) => Promise<Place>;

async function hold(
  value: unknown,
  { operationIds, refusals = {} }: Nameable,
  placeOf: PlaceOf,
): Promise<ScenarioDefinition> {
  const problems = (await schemaCheck('scenario'))(value).filter(isTelling);
  // a key that was misspelled is why another one is missing
  const [first, ...more] = problems.sort((a, b) => Number(isMissing(a)) - Number(isMissing(b)));
  if (first) {
    const rest = more.length > 0 ? ` (${more.length} more after this one)` : '';
    const message = nothingHappens(first)
      ? `This rule does nothing: it needs one of ${EFFECTS.join(', ')}.`
      : first.message;
    throw new ToolError('usage', `${message}${rest}`, {
      place: await placeOf(first.pointer, first.unknownKey !== undefined),
      hint: first.unknownKey && (didYouMean(first.unknownKey.key, first.unknownKey.known).trim() || known(first)),
    });
  }
  const definition = value as ScenarioDefinition;
  for (const [index, rule] of (definition.rules ?? []).entries()) {
    for (const [at, id] of (rule.operations ?? []).entries()) {
      if (id === '*' || operationIds.includes(id)) continue;
      throw new ToolError('usage', `There is no operation ${JSON.stringify(id)}.`, {
        place: await placeOf(`/rules/${index}/operations/${at}`, false),
        hint: didYouMean(id, operationIds).trim() || undefined,
      });
    }
    const problem = rule.answer?.problem ?? 'scenario';
    if (problem !== 'scenario' && !Object.hasOwn(refusals, problem)) {
      const known = ['scenario', ...Object.keys(refusals)];
      throw new ToolError('usage', `There is no problem ${JSON.stringify(problem)}.`, {
        place: await placeOf(`/rules/${index}/answer/problem`, false),
        hint: didYouMean(problem, known).trim() || `Known: ${known.join(', ')}.`,
      });
    }
    if (typeof rule.delay === 'object' && rule.delay.between[0] > rule.delay.between[1]) {
      throw new ToolError('usage', 'The shortest delay is longer than the longest.', {
        place: await placeOf(`/rules/${index}/delay/between`, false),
      });
    }
  }
  return definition;
}

/** Of the alternatives of one place Ajv reports every one, and then that none fits. */
function isTelling({ message }: SchemaProblem, _: number, all: readonly SchemaProblem[]): boolean {
  return (
    all.length === 1 ||
    !/(?:must match a schema in anyOf|must match exactly one schema|property name must be valid)/.test(message)
  );
}

const EFFECTS = ['delay', 'token', 'expired', 'issue', 'quota', 'withdraw', 'answer', 'change', 'rewrite', 'fault'];

/** Every alternative of a rule is missing at once. */
function nothingHappens(problem: SchemaProblem): boolean {
  return isMissing(problem) && /^\/rules\/\d+$/.test(problem.pointer);
}

function isMissing({ message }: SchemaProblem): boolean {
  return message.includes('must have required property');
}

function known({ unknownKey }: SchemaProblem): string {
  return `Known here: ${(unknownKey?.known ?? []).join(', ')}.`;
}
