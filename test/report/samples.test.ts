import { expect, test } from 'vitest';
import { schemaCheck } from '../../src/files/schema.ts';
import { FORMAT_NAMES, FORMATS } from '../../src/report/formats.ts';
import { SAMPLES } from './samples.ts';

/** Style and script of the page have tests of their own. */
const bare = (text: string): string =>
  text.replace(/<style>[\s\S]*?<\/style>|<script>[\s\S]*?<\/script>|'sha256-[^']*'|&#39;sha256-.*?&#39;/g, '');

test.each([...SAMPLES])('the sample %s is written in each format as its snapshot says', async (name, sample) => {
  const formats = FORMAT_NAMES.filter((format) => format !== 'json');
  const all = formats.map((format) => `===== ${format} =====\n${bare(FORMATS[format](sample))}`).join('\n');
  await expect(all).toMatchFileSnapshot(`samples/${name}.txt`);
});

test('every sample is valid by the published schema of reports', async () => {
  const problems = await schemaCheck('report');
  for (const [name, sample] of SAMPLES) if (name !== 'hostile') expect(problems(sample), name).toEqual([]);
});
