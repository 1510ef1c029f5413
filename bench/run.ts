/**
 * Speed of the build, as ratios to a reference in the same run: `npm run bench [validators | mock | growth | proxy]`.
 * Needs a built `dist/` and an idle machine. Absolute times are not comparable between machines.
 * With `--write`, the tables of the mock replace the ones in docs/performance.md.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { packageRoot } from '../src/package-root.ts';
import { benchGrowth } from './growth.ts';
import { benchMock } from './mock.ts';
import { benchProxy, benchProxyRate, formatProxyRows } from './proxy.ts';
import { benchValidators } from './validators.ts';

const PARTS: Readonly<Record<string, () => string | Promise<string>>> = {
  validators: benchValidators,
  mock: benchMock,
  growth: benchGrowth,
  proxy: async () => `${formatProxyRows(await benchProxy())}\n\n${await benchProxyRate()}`,
};
const MARKS = /(<!-- bench mock -->\n)[\s\S]*?(<!-- \/bench mock -->)/;

const { values, positionals: wanted } = parseArgs({
  options: { write: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const unknown = wanted.filter((name) => !Object.hasOwn(PARTS, name));
if (unknown.length > 0) {
  console.error(`No benchmark is called ${unknown.join(', ')}; there are ${Object.keys(PARTS).join(', ')}.`);
  process.exitCode = 2;
} else {
  for (const [name, part] of Object.entries(PARTS)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const text = await part();
    console.log(`\n# ${name}\n\n${text}`);
    if (!values.write || name !== 'mock') continue;
    const page = join(packageRoot, 'docs/performance.md');
    writeFileSync(
      page,
      readFileSync(page, 'utf8').replace(MARKS, (_, open: string, end: string) => `${open}\n${text}\n${end}`),
    );
  }
}
