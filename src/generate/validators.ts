import type { Contract, JsonObject } from '../contract/contract.ts';
import { ToolError } from '../errors.ts';
import { joinPointer } from '../text/pointer.ts';
import { compileCollectors } from './collector.ts';
import type { Files } from './files.ts';
import {
  compilable,
  componentSchemas,
  currenciesOf,
  exact,
  forCurrency,
  type NamedSchema,
  publishable,
} from './schemas.ts';
import { emitTypes } from './types.ts';

/** Modules of TypeScript, the same for the same contract. */
export async function generateValidators(contract: Contract): Promise<Files> {
  const all = schemasOf(contract);
  const files: Record<string, string> = {};
  for (const named of all) {
    files[`${named.file}.ts`] = await emitValidator(named, all).catch((cause: unknown) => {
      throw notCompiled(contract, named.key, cause);
    });
  }
  files['types.ts'] = await emitTypes(contract, all);
  files['all.ts'] = emitAll(all);
  files['by-name.ts'] = emitByName(all);
  return files;
}

/** Each schema as a JSON Schema of its own, in a file of its name. */
export function jsonSchemas(contract: Contract): Files {
  const all = schemasOf(contract);
  return Object.fromEntries(
    all.map((named) => [`${named.file}.json`, `${JSON.stringify(publishable(named, all), null, 2)}\n`]),
  );
}

export function schemasOf({ document, folder }: Contract): readonly NamedSchema[] {
  return folder.isOwn ? componentSchemas(document) : componentSchemas(document, folder.name);
}

function notCompiled(contract: Contract, key: string, cause: unknown): unknown {
  if (cause instanceof ToolError || !(cause instanceof Error)) return cause;
  return new ToolError('spec-invalid', `The schema ${key} cannot be compiled: ${cause.message.replace(/\.?$/, '.')}`, {
    place: contract.placeOf(joinPointer('/components/schemas', key)),
    cause,
  });
}

interface Variant {
  /** Empty, or a currency. */
  readonly currency: string;
  readonly schema: JsonObject;
}

async function emitValidator(named: NamedSchema, all: readonly NamedSchema[]): Promise<string> {
  const { name } = named;
  const currencies = currenciesOf(named.schema);
  const variants: readonly Variant[] = [
    { currency: '', schema: named.schema },
    ...currencies.map((currency) => ({ currency, schema: forCurrency(named.schema, currency) })),
  ];
  const type = currencies.length > 0 ? 'CurrencyValidator' : 'Validator';
  const collectors: Record<string, JsonObject> = {};
  const compiled: string[] = [];
  for (const { currency, schema } of variants) {
    const tolerant = compilable(schema, all);
    for (const [reading, plain] of [
      ['Tolerant', tolerant],
      ['Exact', exact(tolerant)],
    ] as const) {
      collectors[`collect${reading}${currency}`] = plain;
      const suffix = [currency.toLowerCase(), reading === 'Exact' ? 'exact' : '']
        .filter(Boolean)
        .map((part) => `:${part}`)
        .join('');
      const published = publishable({ ...named, schema: reading === 'Exact' ? exact(schema) : schema }, all, suffix);
      compiled.push(
        `const ${camel(reading, currency)} = { collect: collect${reading}${currency}, schema: () => (${JSON.stringify(published, null, 2)}) };`,
      );
    }
  }
  const code = await compileCollectors(collectors);
  return [
    '// @ts-nocheck\n',
    code.includes('FORMATS') ? "import { isDateTime } from '../../src/validators/date-time.ts';\n" : '',
    `import { ${currencies.length > 0 ? 'createCurrencyValidator, ' : ''}createValidator } from '../../src/validators/runtime.ts';\n`,
    `import type { ${type} } from '../../src/validators/validator.ts';\n`,
    `import type { ${name} as Shape } from './types.ts';\n\n`,
    code.includes('FORMATS') ? "const FORMATS = { 'date-time': isDateTime };\n\n" : '',
    code,
    '\n\n',
    compiled.join('\n\n'),
    '\n\n',
    `export type ${name} = Shape;\n\n`,
    `/** ${description(named)} The validator and the type have one name. */\n`,
    `export const ${name}: ${type}<Shape> = /* @__PURE__ */ `,
    currencies.length > 0 ? withCurrencies(name, currencies) : `createValidator('${name}', tolerant, exact);\n`,
  ].join('');
}

function withCurrencies(name: string, currencies: readonly string[]): string {
  const rows = currencies.map((currency) => {
    return `  ${currency}: /* @__PURE__ */ createValidator('${name}', ${camel('Tolerant', currency)}, ${camel('Exact', currency)}, { code: '${currency}', plain: tolerant }),\n`;
  });
  return `createCurrencyValidator(/* @__PURE__ */ createValidator('${name}', tolerant, exact), {\n${rows.join('')}});\n`;
}

function camel(reading: string, currency: string): string {
  return `${reading.toLowerCase()}${currency}`;
}

function description({ name, schema }: NamedSchema): string {
  const text = typeof schema.description === 'string' ? schema.description : name;
  return text.replaceAll(/\s+/g, ' ').replaceAll('*/', '* /').trim();
}

/** The text of `generated/all.ts`: what `banking-api-contract/validators` exports. */
function emitAll(all: readonly NamedSchema[]): string {
  return [
    "export { formatProblem, ValidationError } from '../../src/validators/problem.ts';",
    "export type * from '../../src/validators/validator.ts';",
    ...all.map(({ name, file }) => `export { ${name} } from './${file}.ts';`),
    '',
  ].join('\n');
}

/** Finds a validator by the name of its schema at run time. */
function emitByName(all: readonly NamedSchema[]): string {
  return [
    "import type { CurrencyValidator, Validator } from '../../src/validators/validator.ts';",
    ...all.map(({ name, file }) => `import { ${name} } from './${file}.ts';`),
    '',
    '/** Every validator under the name of its schema. */',
    'export const VALIDATORS: Readonly<Record<string, Validator<unknown> | CurrencyValidator<unknown>>> = {',
    ...all.map(({ name }) => `  ${name},`),
    '};',
    '',
  ].join('\n');
}
