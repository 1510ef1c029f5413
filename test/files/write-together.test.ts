import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeTogether } from '../../src/files/write.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('files are written together, with their folders', async () => {
  const folder = await temporaryFolder();
  await writeTogether({ [join(folder, 'a.yaml')]: 'a', [join(folder, 'b/c.yaml')]: 'c' });
  expect([await readFile(join(folder, 'a.yaml'), 'utf8'), await readFile(join(folder, 'b/c.yaml'), 'utf8')]).toEqual([
    'a',
    'c',
  ]);
});

test('if one file cannot be written, the others stay as they were', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'a.yaml'), 'before');
  const impossible = join(folder, 'a.yaml', 'b.yaml');
  await expect(
    writeTogether({ [join(folder, 'a.yaml')]: 'after', [join(folder, 'new.yaml')]: '', [impossible]: '' }),
  ).rejects.toMatchObject({ code: 'file-unwritable', place: { file: impossible } });
  expect(await readdir(folder)).toEqual(['a.yaml']);
  expect(await readFile(join(folder, 'a.yaml'), 'utf8')).toBe('before');
});
