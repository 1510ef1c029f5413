import { readdirSync } from 'node:fs';
import { ownFolder } from '../../contract/folder.ts';

/** The names of the scenarios of a contract folder and of the package, at once; the bundle for browsers holds those of the package. */
export function scenarioNames(folder: string): readonly string[] {
  return [folder, ownFolder.scenarios].flatMap((place) => {
    try {
      return readdirSync(place).flatMap((file) => (file.endsWith('.yaml') ? [file.slice(0, -'.yaml'.length)] : []));
    } catch {
      return [];
    }
  });
}
