import { createCatalogue, type Nameable } from './catalogue.ts';
import type { ScenarioDefinition } from './definition.ts';
import { initialScenarios } from './initial.ts';
import type { Scenarios } from './scenarios.ts';

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
