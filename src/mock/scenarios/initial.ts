import type { ScenarioDefinition } from './definition.ts';
import type { ScenarioLibrary } from './library.ts';

/** The scenarios of a start: names, files, definitions. Throws ToolError `usage` for what does not hold. */
export async function initialScenarios(
  library: ScenarioLibrary,
  wanted: readonly (string | ScenarioDefinition)[],
): Promise<readonly ScenarioDefinition[]> {
  const definitions: ScenarioDefinition[] = [];
  // in turn: a file may include what one before it defines
  for (const one of wanted) {
    if (typeof one !== 'string') definitions.push(await library.check(one));
    else if (/\.(?:ya?ml|json)$/i.test(one)) definitions.push(await library.read(one));
    else definitions.push(await library.load(one));
  }
  return definitions;
}
