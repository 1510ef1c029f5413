import type { Contract, JsonObject, Notice } from '../contract/contract.ts';
import { ToolError } from '../errors.ts';
import { joinPointer } from '../text/pointer.ts';
import { compileSchemas } from './collector.ts';
import type { Files } from './files.ts';
import {
  compilable,
  componentSchemas,
  currenciesOf,
  exact,
  forCurrency,
  linkedSchemas,
  type NamedSchema,
  publishable,
} from './schemas.ts';
import { emitTypes } from './types.ts';

/**
 * TypeScript modules, the same for the same contract. If a schema does not compile, its validator accepts everything.
 * @param tell called for each schema that does not compile
 */
export async function generateValidators(contract: Contract, tell: (notice: Notice) => void): Promise<Files> {
  const all = schemasOf(contract);
  const files: Record<string, string> = {};
  if (all.some(({ isLinked }) => isLinked)) files[`${LINKED}.ts`] = await emitLinked(contract, all, tell);
  for (const named of all) {
    const { light, full } = await emitValidator(named, all).catch((cause: unknown) => {
      tell(notCompiled(contract, named.key, cause));
      return emitValidator({ ...named, schema: {} }, all);
    });
    files[`${named.file}.ts`] = full;
    files[`${named.file}-light.ts`] = light;
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
  return folder.isOwn ? componentSchemas(document) : componentSchemas(document, folder.name);
}

/** Module of schemas that are compiled together; no schema can have this name. */
const LINKED = '_linked';

async function emitLinked(
  contract: Contract,
  all: readonly NamedSchema[],
  tell: (notice: Notice) => void,
): Promise<string> {
  const schemas = linkedSchemas(all);
  const code = await compileSchemas(schemas, (name, cause) => {
    const place = /^tolerant(\d+)$/.exec(name)?.[1];
    if (place !== undefined) tell(notCompiled(contract, all[Number(place)]?.key ?? '', cause));
  });
  return `// @ts-nocheck\n${withFormats(code)}\n\nexport { ${Object.keys(schemas).join(', ')} };\n`;
}

function withFormats(code: string): string {
  if (!code.includes('FORMATS')) return code;
  return `import { isIsoDateTime } from '../../src/validators/date-time.ts';\nconst FORMATS = { 'date-time': isIsoDateTime };\n\n${code}`;
}

function notCompiled(contract: Contract, key: string, cause: unknown): Notice {
  if (cause instanceof ToolError || !(cause instanceof Error)) throw cause;
  return {
    code: 'schema-not-compiled',
    message: `The schema ${key} cannot be compiled, so its validator accepts everything: ${cause.message.replace(/\.?$/, '.')}`,
    place: contract.placeOf(joinPointer('/components/schemas', key)),
  };
}

/** The light module of a schema with all compiled code, and the full module, which adds the schemas. */
async function emitValidator(named: NamedSchema, all: readonly NamedSchema[]) {
  const currencies = currenciesOf(named.schema);
  const variants = [
    { currency: '', schema: named.schema },
    ...currencies.map((currency) => ({ currency, schema: forCurrency(named.schema, currency) })),
  ];
  const schemas: Record<string, JsonObject> = {};
  const constants: string[] = [];
  const imports: string[] = [];
  const fulls: string[] = [];
  for (const { currency, schema } of variants) {
    const tolerant = named.isLinked ? {} : compilable(schema, all);
    for (const [reading, plain] of [
      ['Tolerant', tolerant],
      ['Exact', exact(tolerant)],
    ] as const) {
      const constant = camel(reading, currency);
      schemas[constant] = plain;
      imports.push(`${reading.toLowerCase()}${all.indexOf(named)}${currency} as ${constant}`);
      const suffix = [currency.toLowerCase(), reading === 'Exact' ? 'exact' : '']
        .filter(Boolean)
        .map((part) => `:${part}`)
        .join('');
      const published = publishable({ ...named, schema: reading === 'Exact' ? exact(schema) : schema }, all, suffix);
      const schemaText = JSON.stringify(published, null, 2);
      fulls.push(`const ${constant} = { ...compiled.${constant}, schema: () => (${schemaText}) };`);
      constants.push(constant);
    }
  }
  const code = named.isLinked
    ? `import { ${imports.join(', ')} } from './${LINKED}.ts';\n`
    : withFormats(await compileSchemas(schemas));
  const factory =
    currencies.length > 0 ? "import { createCurrencyValidator } from '../../src/validators/light.ts';\n" : '';
  return {
    light: [
      '// @ts-nocheck\n',
      factory,
      "import { type Compiled, createLightValidator } from '../../src/validators/light.ts';\n",
      emitExport(named, currencies, 'Light', [
        `${code}\n\n`,
        '/** For the validator with schemas. */\n',
        `export const compiled: Readonly<Record<string, Compiled>> = { ${constants.join(', ')} };\n\n`,
      ]),
    ].join(''),
    full: [
      '// @ts-nocheck\n',
      factory,
      "import { createValidator } from '../../src/validators/runtime.ts';\n",
      `import { compiled } from './${named.file}-light.ts';\n`,
      emitExport(named, currencies, '', [`${fulls.join('\n\n')}\n\n`]),
    ].join(''),
  };
}

/** The rest of a module: types, body and validator. */
function emitExport(
  named: NamedSchema,
  currencies: readonly string[],
  kind: '' | 'Light',
  body: readonly string[],
): string {
  const { name } = named;
  const type = `${kind}${currencies.length > 0 ? 'CurrencyValidator' : 'Validator'}`;
  const create = `create${kind}Validator('${name}', `;
  const plain = `/* @__PURE__ */ ${create}tolerant, exact)`;
  const rows = currencies.map((currency) => {
    return `  ${currency}: /* @__PURE__ */ ${create}${camel('Tolerant', currency)}, ${camel('Exact', currency)}, { code: '${currency}', plain: tolerant }),\n`;
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
