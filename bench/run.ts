/**
 * Speed of the build, as ratios to a reference in the same run: `npm run bench [validators | mock | growth | proxy | documents]`.
 * Needs a built `dist/` and an idle machine. Absolute times are not comparable between machines.
 * With `--write`, the tables of `mock` and `documents` replace the ones in docs/.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { packageRoot } from '../src/package-root.ts';
import { benchDocuments } from './documents.ts';
import { benchGrowth } from './growth.ts';
import { benchMock } from './mock.ts';
import { benchProxy, benchProxyRate, formatProxyRows } from './proxy.ts';
import { benchValidators } from './validators.ts';

const PARTS: Readonly<Record<string, () => string | Promise<string>>> = {
  validators: benchValidators,
  mock: benchMock,
  growth: benchGrowth,
  documents: benchDocuments,
  proxy: async () => `${formatProxyRows(await benchProxy())}\n\n${await benchProxyRate()}`,
};
/** Pages with a table between marks. */
const PAGES: Readonly<Record<string, string>> = { mock: 'docs/performance.md', documents: 'docs/openapi.md' };

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
    if (!values.write || PAGES[name] === undefined) continue;
    const page = join(packageRoot, PAGES[name]);
    const marks = new RegExp(`(<!-- bench ${name} -->\\n)[\\s\\S]*?(<!-- /bench ${name} -->)`);
    writeFileSync(
      page,
      readFileSync(page, 'utf8').replace(marks, (_, open: string, end: string) => `${open}\n${text}\n${end}`),
    );
  }
}
