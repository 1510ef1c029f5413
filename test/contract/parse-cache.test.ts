import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { placeOfMark, type Tree } from '../../src/contract/document-tree.ts';
import { cachedTree, writeParseCache } from '../../src/contract/parse-cache.ts';
import { parseTree } from '../../src/contract/parse-tree.ts';
import { packageRoot } from '../../src/package-root.ts';
import { parsePointer } from '../../src/text/pointer.ts';
import { folderWith, pointersOf } from './support.ts';

const files = ['spec/openapi.yaml', 'spec/schemas/transaction.yaml', 'mocks/assumptions.overlay.yaml'];

function places(tree: Tree): unknown[] {
  return [...pointersOf(tree.root)].map(([pointer, value]) => {
    const mark = tree.nearest(parsePointer(pointer) ?? []);
    return [
      pointer,
      typeof value === 'object' ? '' : value,
      placeOfMark(mark),
      placeOfMark(mark, 'value'),
      mark.provenance,
    ];
  });
}

describe('the parse cache', () => {
  test.each(files)('the cached %s equals the parsed file: values, places and provenance', async (name) => {
    const file = join(await folderWith({}), 'parsed.json');
    await writeParseCache(file);
    const path = join(packageRoot, name);
    const text = await readFile(path, 'utf8');
    const prepared = await cachedTree(path, name, text, 'spec-invalid', file);
    expect(prepared).toBeDefined();
    expect(places(prepared as Tree)).toEqual(places(parseTree(name, text, 'spec-invalid').tree));
    // Each load gets a new tree.
    const second = await cachedTree(path, name, text, 'spec-invalid', file);
    expect(second?.root).not.toBe(prepared?.root);
  });

  test('an edited file is parsed again, and so is a file outside the package', async () => {
    const file = join(await folderWith({}), 'parsed.json');
    await writeParseCache(file);
    const path = join(packageRoot, 'spec/openapi.yaml');
    const text = await readFile(path, 'utf8');
    expect(await cachedTree(path, 'x', `${text} `, 'spec-invalid', file)).toBeUndefined();
    expect(await cachedTree('/elsewhere/spec/openapi.yaml', 'x', text, 'spec-invalid', file)).toBeUndefined();
  });

  test.each(['', '{', '{"version":0,"files":{}}', '{"version":1}'])(
    'an invalid cache file is ignored: %j',
    async (content) => {
      const file = join(await folderWith({}), 'parsed.json');
      await writeFile(file, content);
      expect(await cachedTree(join(packageRoot, 'spec/openapi.yaml'), 'x', '', 'spec-invalid', file)).toBeUndefined();
    },
  );
});
