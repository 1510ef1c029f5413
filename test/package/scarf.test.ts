import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../src/package-root.ts';

const { scarfSettings, allowScripts } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'));

test('C2: our scarfSettings switch off install reports, also in projects of our users', () => {
  expect(scarfSettings).toEqual({ enabled: false });
});

test('C2: the script that would report installs does not run in a clone', () => {
  expect(allowScripts).toMatchObject({ '@scarf/scarf': false });
});
