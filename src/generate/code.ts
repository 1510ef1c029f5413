import { readFile } from 'node:fs/promises';
import type { Contract } from '../contract/contract.ts';
import { modulePath, packageRoot } from '../package-root.ts';
import { type Files, withMark } from './files.ts';
import { currenciesOf, type NamedSchema } from './schemas.ts';
import { toJson, toYaml } from './serialize.ts';
import { tools } from './tools.ts';
import { generateValidators, jsonSchemas, schemasOf } from './validators.ts';

/** Shared by the validators. No schema can have these names. */
const [RUNTIME, FORMATS] = ['_runtime', '_formats'];

/**
 * All generated files for users of a contract: validators as ES modules without dependencies, types, JSON Schemas, and
 * the bundled document.
 *
 * @throws ToolError `engine-missing` if the tools are not installed
 */
export async function generateCode(contract: Contract): Promise<Files> {
  const all = schemasOf(contract);
  const {
    'types.ts': types = '',
    'all.ts': index = '',
    'by-name.ts': _,
    ...modules
  } = await generateValidators(contract);
  const made: Record<string, string> = {
    'types.d.ts': types,
    'validators/index.d.ts': indexTypes(all),
    'validators/index.js': await plain(index),
    [`validators/${RUNTIME}.d.ts`]: await runtimeTypes(),
    [`validators/${RUNTIME}.js`]: await bundleOf(Object.entries(SHARED)),
  };
  for (const [file, text] of Object.entries(modules))
    made[`validators/${file.replace(/\.ts$/, '.js')}`] = await plain(text);
  if (Object.values(made).some((text) => text.includes(`./${FORMATS}.js`)))
    made[`validators/${FORMATS}.js`] = await bundleOf([['formats', ['FORMATS']]]);
  for (const named of all) {
    made[`validators/${named.file}.d.ts`] = typesOf(named, '');
    made[`validators/${named.file}-light.d.ts`] = typesOf(named, 'Light');
  }
  const schemas = Object.entries(jsonSchemas(contract)).map(([file, text]) => [`schemas/${file}`, text] as const);
  return {
    ...withMark('banking-api generate', made),
    ...Object.fromEntries(schemas),
    'openapi.json': toJson(contract.document),
    'openapi.yaml': toYaml(contract.document),
  };
}

async function plain(text: string): Promise<string> {
  const moved = text
    .replaceAll(/['"]\.\.\/\.\.\/src\/validators\/formats\.ts['"]/g, `'./${FORMATS}.js'`)
    .replaceAll(/['"]\.\.\/\.\.\/src\/validators\/[\w-]+\.ts['"]/g, `'./${RUNTIME}.js'`)
    .replaceAll(/'\.\/([\w-]+)\.ts'/g, "'./$1.js'");
  return (await tools().transform(moved, { loader: 'ts', format: 'esm', target: 'es2022' })).code;
}

const SHARED = {
  'date-time': ['isIsoDateTime'],
  'multiple-of': ['isMultipleOf'],
  pattern: ['patternIn'],
  'unique-items': ['equalItems'],
  problem: ['formatProblem', 'ValidationError'],
  light: ['createCurrencyValidator', 'createLightValidator'],
  runtime: ['createValidator'],
} as const;

async function bundleOf(modules: Iterable<readonly [file: string, names: readonly string[]]>): Promise<string> {
  const lines = [...modules].map(([file, names]) => {
    return `export { ${names.join(', ')} } from ${JSON.stringify(modulePath(`src/validators/${file}`))};\n`;
  });
  const { outputFiles } = await tools().build({
    stdin: { contents: lines.join(''), resolveDir: packageRoot },
    ...{ bundle: true, write: false, format: 'esm', platform: 'neutral', target: 'es2022', legalComments: 'none' },
    mainFields: ['main'],
  });
  return outputFiles?.[0]?.text ?? '';
}

const TYPES_FROM = `'./${RUNTIME}.js'`;

/** The types of all validators, so that the files need no package. */
async function runtimeTypes(): Promise<string> {
  const file = modulePath('src/validators/validator').replace(/\.js$/, '.d.ts');
  return `${await readFile(file, 'utf8')}
export declare class ValidationError extends Error {
  readonly schema: string;
  readonly problems: readonly Problem[];
  constructor(schema: string, problems: readonly Problem[]);
}
/** One line: \`/expires_in: expected integer, found string(1-9)\`. */
export declare function formatProblem(problem: Problem): string;
`;
}

function typesOf({ name, schema }: NamedSchema, kind: '' | 'Light'): string {
  const type = `${kind}${currenciesOf(schema).length > 0 ? 'CurrencyValidator' : 'Validator'}`;
  return `import type { ${type} } from ${TYPES_FROM};
import type { ${name} as Shape } from '../types.js';

export type ${name} = Shape;
export declare const ${name}: ${type}<Shape>;
`;
}

function indexTypes(all: readonly NamedSchema[]): string {
  return `export { formatProblem, ValidationError } from ${TYPES_FROM};
export type { CheckResult, CurrencyValidator, JsonSchema, Problem, Reading, Validator } from ${TYPES_FROM};
${all.map(({ name, file }) => `export { ${name} } from './${file}.js';\n`).join('')}`;
}
