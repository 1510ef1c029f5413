/**
 * The speed of what is built, as ratios against a reference in the same run: `npm run bench [validators | mock | proxy]`.
 * Needs a built `dist/`. No absolute time of it means anything on another machine.
 */
import { benchMock } from './mock.ts';
import { benchProxy, formatProxyRows } from './proxy.ts';
import { benchValidators, formatValidatorRows } from './validators.ts';
import { benchValidatorCost, formatCostRows } from './validators-cost.ts';

const PARTS: Readonly<Record<string, () => Promise<string>>> = {
  validators: async () =>
    `${formatValidatorRows(await benchValidators())}\n\n${formatCostRows(await benchValidatorCost())}`,
  mock: benchMock,
  proxy: async () => formatProxyRows(await benchProxy()),
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !Object.hasOwn(PARTS, name));
if (unknown.length > 0) {
  console.error(`No benchmark is called ${unknown.join(', ')}; there are ${Object.keys(PARTS).join(', ')}.`);
  process.exitCode = 2;
} else {
  for (const [name, part] of Object.entries(PARTS)) {
    if (wanted.length === 0 || wanted.includes(name)) console.log(`\n# ${name}\n\n${await part()}`);
  }
}
