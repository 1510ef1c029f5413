import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { change, folderWith } from '../contract/support.ts';
import { fakeIo } from './io.ts';

test('no report replaces an overlay, the configuration or the baseline of its run', async () => {
  const { text } = change('observed', '$.info', '{ summary: Recorded }');
  const files = {
    'rec.yaml': text,
    'banking-api.config.yaml': 'overlays: [rec.yaml]\n',
    'base.yaml': 'accepted: []\n',
  };
  const cwd = await folderWith(files);
  for (const [file, before] of Object.entries(files)) {
    const io = fakeIo({ cwd });
    const argv = ['verify', '--target', 'mock', '--baseline', 'base.yaml', '--report', `json=${file}`];
    expect([await run(argv, io), io.err()]).toEqual([2, expect.stringContaining('It is an input of this run')]);
    expect(await readFile(join(cwd, file), 'utf8')).toBe(before);
  }
});
