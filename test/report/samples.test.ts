import { expect, test } from 'vitest';
import { schemaCheck } from '../../src/files/schema.ts';
import { FORMAT_NAMES, FORMATS } from '../../src/report/formats.ts';
import { SAMPLES } from './samples.ts';

/** Separate tests cover the style and script of the page. */
const bare = (text: string): string =>
  text.replace(/<style>[\s\S]*?<\/style>|<script>[\s\S]*?<\/script>|'sha256-[^']*'|&#39;sha256-.*?&#39;/g, '');

test.each([...SAMPLES])('the sample %s matches its snapshot in each format', async (name, sample) => {
  const formats = FORMAT_NAMES.filter((format) => format !== 'json');
  const all = formats.map((format) => `===== ${format} =====\n${bare(FORMATS[format](sample))}`).join('\n');
  await expect(all).toMatchFileSnapshot(`samples/${name}.txt`);
});

test('every sample matches the published schema of reports', async () => {
  const problems = await schemaCheck('report');
  for (const [name, sample] of SAMPLES) if (name !== 'hostile') expect(problems(sample), name).toEqual([]);
});
