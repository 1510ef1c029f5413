import type { ScenarioCatalogue } from './catalogue.ts';
import type { ScenarioDefinition } from './definition.ts';

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
