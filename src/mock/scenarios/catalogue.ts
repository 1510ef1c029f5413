import type { EntitiesFile } from '../../../generated/mock/entities.ts';
import type { ScenarioDefinition } from '../../../generated/mock/scenario.ts';
import type { CheckedFile } from '../../contract/checked-file.ts';
import { ownFolder } from '../../contract/folder.ts';
import { pathParameters } from '../../contract/paths.ts';
import { ToolError } from '../../errors.ts';
import { SCENARIO, yamlFiles } from '../../files/read.ts';
import { joinPointer } from '../../text/pointer.ts';
import { didYouMean } from '../../text/suggest.ts';
import type { PlannedOperation } from '../compile/plan.ts';
import { EFFECT_NAMES } from './effects.ts';
import { EVERY, TOKEN_ROLE } from './rules.ts';

/** Names that a rule may use. Without this check a misspelled name would go unnoticed. */
export interface Nameable {
  readonly operations: readonly (Pick<PlannedOperation, 'operationId' | 'auth'> & { readonly path: string | null })[];
  readonly refusals: EntitiesFile['refusals'];
}

const DEEPEST = 8;

/** @param folder of the contract's scenarios. Packaged scenarios are added if the contract has all their names. */
export function createCatalogue(nameable: () => Nameable, folder: string = ownFolder.scenarios) {
  const known = new Map<string, Promise<ScenarioDefinition>>();
  let files: Promise<ReadonlyMap<string, string>> | undefined;

  const named = (): Promise<ReadonlyMap<string, string>> => {
    files ??= withPackaged();
    return files;
  };

  const withPackaged = async (): Promise<ReadonlyMap<string, string>> => {
    const [own, packaged] = await Promise.all([yamlFiles(folder), yamlFiles(ownFolder.scenarios)]);
    const fits = (file: string): Promise<boolean> =>
      readScenario(file, nameable()).then(
        () => true,
        () => false,
      );
    const others = [...packaged].filter(([name]) => !own.has(name));
    const rows = await Promise.all(others.map(async (row) => ((await fits(row[1])) ? [row] : [])));
    return new Map([...rows.flat(), ...own]);
  };

  const find = async (name: string): Promise<ScenarioDefinition> => {
    const already = known.get(name);
    if (already) return already;
    const there = await named();
    const file = there.get(name);
    if (file === undefined) {
      const all = [...new Set([...there.keys(), ...known.keys()])].sort();
      const message = `There is no scenario ${JSON.stringify(name.slice(0, 64))}.${didYouMean(name, all)}`;
      throw new ToolError('usage', message, { hint: `Known: ${all.join(', ')}.` });
    }
    // its name is the file's name, even if the file states another name
    const reading = readScenario(file, nameable()).then((definition) => ({ ...definition, name }));
    known.set(name, reading);
    return reading;
  };

  /** Rules of included scenarios come first. Limited depth stops circular includes. */
  const resolve = async (definition: ScenarioDefinition, depth = 0): Promise<ScenarioDefinition> => {
    const { include = [], ...own } = definition;
    if (include.length === 0) return own;
    if (depth >= DEEPEST) {
      throw new ToolError('usage', `The scenario ${definition.name} includes others too deeply, or itself.`);
    }
    const included = await Promise.all(include.map(async (name) => resolve(await find(name), depth + 1)));
    return { ...own, rules: [...included.flatMap(({ rules = [] }) => rules), ...(own.rules ?? [])] };
  };

  const read = async (file: string): Promise<ScenarioDefinition> => {
    const definition = await readScenario(file, nameable());
    const resolved = await resolve(definition);
    known.set(definition.name, Promise.resolve(definition));
    return resolved;
  };

  return {
    async list(): Promise<readonly ScenarioDefinition[]> {
      const all = new Set([...(await named()).keys(), ...known.keys()]);
      const listed = await Promise.all([...all].sort().map(find));
      return listed.sort((one, other) => (one.rank ?? Infinity) - (other.rank ?? Infinity) || 0);
    },
    /** A scenario with its includes resolved. @throws ToolError `usage` for an unknown name */
    load: async (name: string): Promise<ScenarioDefinition> => resolve(await find(name)),
    /** Checks a definition and resolves its includes. @throws ToolError `usage` with a JSON pointer */
    check: async (definition: unknown): Promise<ScenarioDefinition> =>
      resolve(await holdScenario(definition, nameable(), async (pointer) => ({ file: 'scenario', pointer }))),
    /** The scenarios for a start. Those in files are then known by name. @throws ToolError `usage` with their place */
    async initial(wanted: readonly (string | ScenarioDefinition)[]): Promise<readonly ScenarioDefinition[]> {
      const definitions: ScenarioDefinition[] = [];
      // in turn: a file may include a scenario from an earlier file
      for (const one of wanted) {
        if (typeof one !== 'string') definitions.push(await this.check(one));
        else definitions.push(await (/\.(?:ya?ml|json)$/i.test(one) ? read(one) : this.load(one)));
      }
      return definitions;
    },
  };
}

/** Reads YAML or JSON. @throws ToolError `usage` with file, line and column; `file-missing`, `file-unreadable` */
export async function readScenario(file: string, nameable: Nameable): Promise<ScenarioDefinition> {
  // imported here because a mock starts without scenarios
  const { readPlaced } = await import('../../contract/checked-file.ts');
  const { value, placeOf } = await readPlaced(file, SCENARIO);
  return holdScenario(value, nameable, placeOf);
}

async function holdScenario(
  value: unknown,
  { operations, refusals = {} }: Nameable,
  placeOf: CheckedFile<unknown>['placeOf'],
): Promise<ScenarioDefinition> {
  const { refuseWrong } = await import('../../contract/checked-file.ts');
  await refuseWrong(value, 'scenario', 'usage', placeOf);
  const definition = value as ScenarioDefinition;
  const refuse = async (pointer: string, message: string, hint?: string): Promise<never> => {
    throw new ToolError('usage', message, { place: await placeOf(pointer), hint });
  };
  const known = async (names: readonly string[], name: string, pointer: string, message: string): Promise<void> => {
    if (names.includes(name)) return;
    const hint = didYouMean(name, names).trim() || `Known: ${names.join(', ')}.`;
    await refuse(pointer, `${message} ${JSON.stringify(name)}.`, hint);
  };
  const ids = operations.flatMap(({ operationId, auth }) =>
    auth === 'issues' ? [operationId, TOKEN_ROLE] : [operationId],
  );
  const parameters = [...new Set(operations.flatMap(({ path }) => pathParameters(path ?? '')))];
  const problems = ['scenario', ...Object.keys(refusals)];
  for (const [index, rule] of (definition.rules ?? []).entries()) {
    const at = `/rules/${index}`;
    if (!EFFECT_NAMES.some((name) => rule[name] !== undefined))
      await refuse(at, `This rule does nothing: it needs one of ${EFFECT_NAMES.join(', ')}.`);
    for (const [place, id] of (rule.operations ?? []).entries())
      await known([...ids, EVERY], id, `${at}/operations/${place}`, 'There is no operation');
    for (const name of Object.keys(rule.parameters ?? {}))
      await known(parameters, name, joinPointer(`${at}/parameters`, name), 'No path has a parameter');
    await known(problems, rule.answer?.problem ?? 'scenario', `${at}/answer/problem`, 'There is no problem');
    const [least, most] = typeof rule.delay === 'object' ? rule.delay.between : [0, 0];
    if (least > most) await refuse(`${at}/delay/between`, 'The shortest delay is longer than the longest.');
  }
  return definition;
}
