import { _, Name } from 'ajv/dist/compile/codegen/index.js';
import type { Contract } from '../contract/contract.ts';
import type { Json } from '../schema/json.ts';
import type { Schema } from '../schema/schema-document.ts';
import type { Files } from './files.ts';
import {
  assertionsIn,
  componentSchemas,
  currenciesOf,
  forCurrency,
  type NamedSchema,
  publishable,
  type ReadingName,
  readingOf,
} from './schemas.ts';
import { standaloneModule } from './standalone.ts';
import { emitTypes } from './types.ts';

/** TypeScript modules, the same for the same contract. */
export async function generateValidators(contract: Contract): Promise<Files> {
  const all = schemasOf(contract);
  const files: Record<string, string> = {};
  for (const [named, compiled] of compiledSchemas(all)) {
    files[`${named.file}.ts`] = emitFull(named, all);
    files[`${named.file}-light.ts`] = await emitLight(named, compiled);
  }
  files['types.ts'] = emitTypes(contract, all);
  files['all.ts'] = emitAll(all);
  files['by-name.ts'] = emitByName(all);
  return files;
}

/** Each schema as a separate JSON Schema file with the name of the schema. */
export function jsonSchemas(contract: Contract): Files {
  const all = schemasOf(contract);
  return Object.fromEntries(
    all.map((named) => [`${named.file}.json`, `${JSON.stringify(publishable(named, all), null, 2)}\n`]),
  );
}

export function schemasOf({ document, folder }: Contract): readonly NamedSchema[] {
  return folder.published ? componentSchemas(document) : componentSchemas(document, folder.name);
}

/** What the light module of a schema compiles. */
interface Compiled {
  /** By the names of their functions. */
  readonly schemas: Map<string, Schema>;
  /** Functions of other modules that it calls, with their schema and reading. */
  readonly calls: Map<string, readonly [NamedSchema, ReadingName]>;
  /** Whether its functions return the evaluated members. */
  unevaluated: boolean;
}

function compiledSchemas(all: readonly NamedSchema[]): ReadonlyMap<NamedSchema, Compiled> {
  const found = new Map(
    all.map((named): [NamedSchema, Compiled] => [named, { schemas: new Map(), calls: new Map(), unevaluated: false }]),
  );
  const at = (named: NamedSchema): Compiled => found.get(named) as Compiled;
  /** Readings that others refer to. */
  const wanted = new Map<string, () => void>();
  const add = (named: NamedSchema, name: string, schema: Json, reading: ReadingName): void => {
    const { schemas, calls } = at(named);
    const read = readingOf(schema, reading, all, (other, its) => {
      const call = `${its}_${other.name}`;
      if (other !== named) calls.set(call, [other, its]);
      wanted.set(call, () => at(other).schemas.has(its) || add(other, its, other.schema, its));
      return other === named ? its : call;
    });
    schemas.set(name, assertionsIn(read) as Schema);
  };
  for (const named of all) for (const { name, schema, reading } of readingsOf(named)) add(named, name, schema, reading);
  for (const [, make] of wanted) make();
  const evaluate = (named: NamedSchema): void => {
    const compiled = at(named);
    if (compiled.unevaluated) return;
    compiled.unevaluated = true;
    for (const [other] of compiled.calls.values()) evaluate(other);
  };
  for (const [named, { schemas }] of found)
    if (JSON.stringify([...schemas.values()]).includes('"unevaluated')) evaluate(named);
  return found;
}

/** The readings of a validator: for no currency, and for each with maxima. */
function readingsOf({ schema }: NamedSchema) {
  return ['', ...currenciesOf(schema)].flatMap((currency) =>
    (['tolerant', 'exact'] as const).map((reading) => ({
      name: reading + currency,
      schema: currency === '' ? schema : forCurrency(schema, currency),
      reading,
      variant: [currency.toLowerCase(), reading === 'exact' ? 'exact' : '']
        .filter(Boolean)
        .map((part) => `:${part}`)
        .join(''),
    })),
  );
}

/** The module without schemas. It has all compiled code. */
async function emitLight(named: NamedSchema, { schemas, calls, unevaluated }: Compiled): Promise<string> {
  const refer = (reference: string) => _`${new Name(reference)}`;
  const code = await standaloneModule(schemas, refer, { unevaluated, messages: false });
  const imports = [...calls].map(
    ([call, [{ file }, reading]]) => `import { ${reading} as ${call} } from './${file}-light.ts';\n`,
  );
  return [
    '// @ts-nocheck\n',
    ...imports,
    ...factories(named, 'light', 'createLightValidator'),
    emitExport(named, 'Light', [`${code}\n\n`]),
  ].join('');
}

/** The module with schemas. */
function emitFull(named: NamedSchema, all: readonly NamedSchema[]): string {
  const readings = readingsOf(named);
  const bodies = readings.map(({ name, schema, reading, variant }) => {
    const published = publishable({ ...named, schema: schema as NamedSchema['schema'] }, all, reading, variant);
    return `const ${name} = { judge: compiled.${name}, schema: () => (${JSON.stringify(published, null, 2)}) };\n\n`;
  });
  return [
    '// @ts-nocheck\n',
    ...factories(named, 'runtime', 'createValidator'),
    `import * as compiled from './${named.file}-light.ts';\n`,
    emitExport(named, '', bodies),
  ].join('');
}

function factories({ schema }: NamedSchema, file: string, create: string): string[] {
  const ofCurrencies = "import { createCurrencyValidator } from '../../src/validators/light.ts';\n";
  return [
    currenciesOf(schema).length > 0 ? ofCurrencies : '',
    `import { ${create} } from '../../src/validators/${file}.ts';\n`,
  ];
}

/** The rest of a module: types, body and validator. */
function emitExport(named: NamedSchema, kind: '' | 'Light', body: readonly string[]): string {
  const { name } = named;
  const currencies = currenciesOf(named.schema);
  const type = `${kind}${currencies.length > 0 ? 'CurrencyValidator' : 'Validator'}`;
  const create = `create${kind}Validator('${name}', `;
  const plain = `/* @__PURE__ */ ${create}tolerant, exact)`;
  const rows = currencies.map((currency) => {
    return `  ${currency}: /* @__PURE__ */ ${create}tolerant${currency}, exact${currency}, { code: '${currency}', plain: ${kind === 'Light' ? 'tolerant' : 'tolerant.judge'} }),\n`;
  });
  return [
    `import type { ${type} } from '../../src/validators/validator.ts';\n`,
    `import type { ${name} as Shape } from './types.ts';\n\n`,
    ...body,
    `export type ${name} = Shape;\n\n`,
    `/** ${description(named)} The validator and the type have one name. */\n`,
    `export const ${name}: ${type}<Shape> = `,
    rows.length === 0 ? `${plain};\n` : `/* @__PURE__ */ createCurrencyValidator(${plain}, {\n${rows.join('')}});\n`,
  ].join('');
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
