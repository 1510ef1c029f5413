import { ownFolder } from '../../contract/folder.ts';
import { ToolError } from '../../errors.ts';
import { yamlFiles } from '../../files/folder.ts';
import { didYouMean } from '../../suggest.ts';
import type { EntitiesFile } from '../state/entities.ts';
import type { ScenarioDefinition } from './definition.ts';

/** The scenarios that are known by name: those of the contract and of the package, and those that were read from files. */
export interface ScenarioCatalogue {
  /** Sorted by name. */
  list(): Promise<readonly ScenarioDefinition[]>;
  /** One with its includes resolved. Throws ToolError `usage` for a name that is not known. */
  load(name: string): Promise<ScenarioDefinition>;
  /** Reads a file, whose scenario is then known by its name too. Throws ToolError `usage` with file, line and column. */
  read(file: string): Promise<ScenarioDefinition>;
  /** Reads files anew when they are asked for again. */
  forget(): void;
  /** Checks one that came as a value and resolves its includes. Throws ToolError `usage` with a JSON pointer. */
  check(definition: unknown): Promise<ScenarioDefinition>;
}

const DEEPEST = 8;

/** What a rule may name: a mistake in a name would otherwise never be noticed. */
export interface Nameable {
  readonly operationIds: readonly string[];
  readonly refusals: EntitiesFile['refusals'];
}

/** @param folder of the scenarios of the contract. Those of the package serve every contract that has what they name. */
export function createCatalogue(nameable: () => Nameable, folder: string = ownFolder.scenarios): ScenarioCatalogue {
  const known = new Map<string, Promise<ScenarioDefinition>>();
  let files: Promise<ReadonlyMap<string, string>> | undefined;

  const named = (): Promise<ReadonlyMap<string, string>> => {
    files ??= folder === ownFolder.scenarios ? yamlFiles(folder) : withPackaged();
    return files;
  };

  const withPackaged = async (): Promise<ReadonlyMap<string, string>> => {
    const [own, packaged] = await Promise.all([yamlFiles(folder), yamlFiles(ownFolder.scenarios)]);
    const fits = (file: string): Promise<boolean> =>
      readFile(file).then(
        () => true,
        () => false,
      );
    const rows = await Promise.all([...packaged].map(async (row) => ((await fits(row[1])) ? [row] : [])));
    return new Map([...rows.flat(), ...own]);
  };

  const readFile = async (file: string): Promise<ScenarioDefinition> => {
    const { readScenario } = await import('./read.ts');
    return readScenario(file, nameable());
  };

  const find = async (name: string): Promise<ScenarioDefinition> => {
    const already = known.get(name);
    if (already) return already;
    const there = await named();
    const file = there.get(name);
    if (file === undefined) {
      const all = [...new Set([...there.keys(), ...known.keys()])].sort();
      throw new ToolError(
        'usage',
        `There is no scenario ${JSON.stringify(name.slice(0, 64))}.${didYouMean(name, all)}`,
        {
          hint: `Known: ${all.join(', ')}.`,
        },
      );
    }
    const reading = readFile(file);
    known.set(name, reading);
    return reading;
  };

  /** The rules of what is included stand first; a circle is cut by its depth. */
  const resolve = async (definition: ScenarioDefinition, depth = 0): Promise<ScenarioDefinition> => {
    const { include = [], ...own } = definition;
    if (include.length === 0) return own;
    if (depth >= DEEPEST) {
      throw new ToolError('usage', `The scenario ${definition.name} includes others too deeply, or itself.`);
    }
    const included = await Promise.all(include.map(async (name) => resolve(await find(name), depth + 1)));
    return { ...own, rules: [...included.flatMap(({ rules = [] }) => rules), ...(own.rules ?? [])] };
  };

  return {
    async list() {
      const all = new Set([...(await named()).keys(), ...known.keys()]);
      return Promise.all([...all].sort().map(find));
    },
    load: async (name) => resolve(await find(name)),
    async read(file) {
      const definition = await readFile(file);
      const resolved = await resolve(definition);
      known.set(definition.name, Promise.resolve(definition));
      return resolved;
    },
    forget() {
      known.clear();
      files = undefined;
    },
    async check(definition) {
      const { checkScenario } = await import('./read.ts');
      return resolve(await checkScenario(definition, nameable()));
    },
  };
}
