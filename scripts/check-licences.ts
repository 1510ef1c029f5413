/** Fails if the licence of a package in the lock file is not in the list of permissive ones: `npm run check:licences`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../src/package-root.ts';

const PERMISSIVE = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC-BY-3.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT/X11',
  'MPL-2.0',
  'OMv2-FO',
  'PSF-2.0',
  'Python-2.0',
  'Unlicense',
  'Zlib',
]);

/** Licences that npm cannot read, checked by hand. */
const READ: Record<string, string> = {
  'compute-gcd': 'MIT',
  'compute-lcm': 'MIT',
  'cookie-lite': 'OMv2-FO',
  'json-query': 'MIT',
  reserved: 'MIT',
  'validate.io-function': 'MIT',
  'validate.io-integer': 'MIT',
  'validate.io-integer-array': 'MIT',
  'validate.io-number': 'MIT',
};

/** An expression like `(MIT OR CC0-1.0)` passes if one side does, with AND if both sides do. */
function isPermissive(expression: string): boolean {
  const bare = expression.replace(/^\((.*)\)$/, '$1');
  if (bare.includes(' AND ')) return bare.split(' AND ').every(isPermissive);
  return bare.split(/ or /i).some((licence) => PERMISSIVE.has(licence.trim()));
}

const { packages } = JSON.parse(readFileSync(join(packageRoot, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, { readonly license?: string }>>;
};
for (const [path, { license = '' }] of Object.entries(packages)) {
  const name = path.replace(/^.*node_modules\//, '');
  const licence = READ[name] ?? license;
  if (isPermissive(licence)) continue;
  process.stderr.write(`${path || 'This package'}: ${licence || 'no licence'} is not known to be permissive.\n`);
  process.exitCode = 1;
}
