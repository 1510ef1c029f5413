import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { ownFolder } from '../../../src/contract/folder.ts';
import { applyOverlay } from '../../../src/contract/overlays/apply.ts';
import { readOverlay } from '../../../src/contract/overlays/overlay.ts';
import { parseSource } from '../../../src/contract/source.ts';
import { packageRoot } from '../../../src/package-root.ts';

/** Cases of the OpenAPI Overlay Specification: OAI/Overlay-Specification, Apache-2.0. */
const SUITE = join(packageRoot, 'test', 'suites', 'overlay');

const filesIn = (...path: string[]): string[] => readdirSync(join(SUITE, ...path)).map((name) => join(...path, name));

async function read(file: string) {
  const path = join(SUITE, file);
  const { extends: named = 'openapi.yaml' } = (parse(readFileSync(path, 'utf8')) ?? {}) as { extends?: unknown };
  return readOverlay(path, resolve(dirname(path), String(named)), ownFolder);
}

describe('the official cases of the Overlay Specification', () => {
  test.each(filesIn('compliant-sets'))('%s has the official result', async (folder) => {
    const file = join(SUITE, folder, 'openapi.yaml');
    const { tree } = await parseSource(file, readFileSync(file, 'utf8'), 'spec-invalid', ownFolder);
    const { tree: result } = applyOverlay(tree, await read(join(folder, 'overlay.yaml')));
    expect(result.root).toEqual(parse(readFileSync(join(SUITE, folder, 'output.yaml'), 'utf8')));
  });

  test.each([...filesIn('tests', 'v1.0', 'pass'), ...filesIn('tests', 'v1.1', 'pass')])('%s is valid', async (file) => {
    expect((await read(file)).actions.length).toBeGreaterThan(0);
  });

  // Only the schema of the specification rejects these. The text does not, so it is a warning of lint.
  const REPEATED = /actions-not-unique/;
  const invalid = ['v1.0', 'v1.1'].flatMap((version) => filesIn('tests', version, 'fail'));

  test.each(invalid.filter((file) => !REPEATED.test(file)))('%s is invalid', async (file) => {
    await expect(read(file)).rejects.toMatchObject({ code: 'overlay-invalid', place: { line: expect.any(Number) } });
  });

  test.each(invalid.filter((file) => REPEATED.test(file)))('%s gets a warning', async (file) => {
    const { notices } = await read(file);
    expect(notices).toMatchObject([{ code: 'overlay-action-odd', message: expect.stringMatching(/twice/) }]);
  });

  test('all cases are there', () => {
    expect([filesIn('compliant-sets').length, invalid.length]).toEqual([8, 42]);
  });
});
