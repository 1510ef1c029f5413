import { createCatalogue, type Nameable, type ScenarioCatalogue } from './catalogue.ts';
import type { ScenarioDefinition } from './definition.ts';
import type { Scenarios } from './scenarios.ts';

/** The scenarios of a start: names, files, definitions. Throws ToolError `usage` for what does not hold. */
export async function initialScenarios(
  catalogue: ScenarioCatalogue,
  wanted: readonly (string | ScenarioDefinition)[],
): Promise<readonly ScenarioDefinition[]> {
  const definitions: ScenarioDefinition[] = [];
  // in turn: a file may include what one before it defines
  for (const one of wanted) {
    if (typeof one !== 'string') definitions.push(await catalogue.check(one));
    else if (/\.(?:ya?ml|json)$/i.test(one)) definitions.push(await catalogue.read(one));
    else definitions.push(await catalogue.load(one));
  }
  return definitions;
}

/** Reads the files of scenarios again. Where nothing changed, counts go on; what does not hold throws and leaves all as it was. */
export async function rereadScenarios(
  scenarios: Scenarios,
  wanted: readonly (string | ScenarioDefinition)[],
  nameable: () => Nameable,
  folder: string,
): Promise<void> {
  const fresh = createCatalogue(nameable, folder);
  const initial = await initialScenarios(fresh, wanted);
  const [before, after] = [await scenarios.catalogue.list(), await fresh.list()];
  scenarios.catalogue.forget();
  await initialScenarios(scenarios.catalogue, wanted);
  if (JSON.stringify(before) !== JSON.stringify(after)) scenarios.restart(initial);
}
