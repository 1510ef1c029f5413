/** Fails if the licence of an installed package is not in the list of permissive ones: `npm run check:licences`. */
import { billOfMaterials, type Component } from './bill-of-materials.ts';

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
  'MPL-2.0',
  'OMv2-FO',
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
  return bare.split(' OR ').some((licence) => PERMISSIVE.has(licence.trim()));
}

const licenceOf = ({ name, licenses = [] }: Component): string =>
  READ[name] ??
  licenses.map(({ expression, license }) => expression ?? license?.id ?? license?.name ?? '').join(' AND ');

const { components } = billOfMaterials(['dependencies', 'peerDependencies']);
const refused = components.filter((component) => !isPermissive(licenceOf(component)));
for (const component of refused) {
  process.stderr.write(
    `${component.name}@${component.version}: ${licenceOf(component) || 'no licence'} is not known to be permissive.\n`,
  );
}
const counts = Object.entries(Object.groupBy(components, licenceOf)).map(
  ([licence, all = []]) => `${all.length} ${licence}`,
);
console.log(`${components.length} packages that users install, engines included: ${counts.join(', ')}`);
process.exitCode = refused.length > 0 ? 1 : 0;
