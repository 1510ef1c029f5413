/**
 * Compiles a schema into one boolean expression: the function behind `is`. Ajv's functions collect errors; this
 * allocates nothing. It refuses keywords that it does not know, and tests hold it to the same answers as Ajv with
 * `ownProperties`.
 */
import type { Json, JsonObject } from '../contract/contract.ts';
import { isObject } from '../contract/schema-facts.ts';

/** The schema asks for something that has no expression here. */
export class NotCompiled extends Error {}

/** The source of `function NAME(value)`, and before it the constants that it uses. */
export function compilePredicate(name: string, schema: JsonObject): string {
  const writer: Writer = { name, constants: [], locals: [] };
  const body = expression(schema, 'value', writer);
  return [
    ...writer.constants,
    `function ${name}(value) {`,
    ...(writer.locals.length > 0 ? [`  let ${writer.locals.join(', ')};`] : []),
    '  try {',
    `    return ${body};`,
    '  } catch {',
    '    return false;',
    '  }',
    '}',
  ].join('\n');
}

interface Writer {
  readonly name: string;
  readonly constants: string[];
  readonly locals: string[];
}

const TYPES: Readonly<Record<string, (value: string) => string>> = {
  string: (value) => `typeof ${value} === 'string'`,
  integer: (value) => `Number.isInteger(${value})`,
  number: (value) => `Number.isFinite(${value})`,
  boolean: (value) => `typeof ${value} === 'boolean'`,
  null: (value) => `${value} === null`,
  array: (value) => `Array.isArray(${value})`,
  object: (value) => `typeof ${value} === 'object' && ${value} !== null && !Array.isArray(${value})`,
};

/** By type. A keyword in no list stops the generator. */
const KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  string: ['minLength', 'pattern', 'format'],
  integer: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  object: ['properties', 'required', 'additionalProperties'],
};
const COMPARISONS = { minimum: '>=', maximum: '<=', exclusiveMinimum: '>', exclusiveMaximum: '<' } as const;

function expression(schema: Json, value: string, writer: Writer): string {
  if (typeof schema === 'boolean') return String(schema);
  if (!isObject(schema)) throw new NotCompiled('a schema is neither an object nor a boolean');
  const { type } = schema;
  const test = typeof type === 'string' ? TYPES[type] : undefined;
  if (typeof type !== 'string' || !test)
    throw new NotCompiled(`type ${JSON.stringify(type)}: the predicate compiler wants one type`);
  for (const keyword of Object.keys(schema)) {
    if (keyword !== 'type' && keyword !== 'examples' && !KEYWORDS[type]?.includes(keyword)) {
      throw new NotCompiled(`the predicate compiler does not know ${keyword} for a ${type}`);
    }
  }
  const parts = [test(value)];
  if (type === 'string') parts.push(...stringParts(schema, value, writer));
  if (type === 'integer' || type === 'number') {
    for (const [keyword, operator] of Object.entries(COMPARISONS)) {
      if (schema[keyword] !== undefined) parts.push(`${value} ${operator} ${JSON.stringify(schema[keyword])}`);
    }
  }
  if (type === 'object') parts.push(...objectParts(schema, value, writer));
  return parts.join(' && ');
}

function stringParts(schema: JsonObject, value: string, writer: Writer): string[] {
  const parts: string[] = [];
  if (typeof schema.minLength === 'number') {
    if (schema.minLength > 1) throw new NotCompiled('minLength above 1 counts code points: not compiled yet');
    if (schema.minLength === 1) parts.push(`${value} !== ''`);
  }
  if (typeof schema.pattern === 'string') {
    const constant = `${writer.name}Pattern${writer.constants.length}`;
    writer.constants.push(`const ${constant} = ${new RegExp(schema.pattern, 'u')};`);
    parts.push(`${constant}.test(${value})`);
  }
  if (schema.format !== undefined) {
    if (schema.format !== 'date-time')
      throw new NotCompiled(`format ${JSON.stringify(schema.format)} is not compiled yet`);
    parts.push(`isDateTime(${value})`);
  }
  // the example of the reference is the most frequent value, and comparing is cheaper than a regular expression
  const examples = parts.length > 0 ? asStrings(schema.examples).filter((example) => conforms(schema, example)) : [];
  const shortcut = examples.map((example) => `${value} === ${JSON.stringify(example)}`);
  return shortcut.length > 0 ? [`(${[...shortcut, parts.join(' && ')].join(' || ')})`] : parts;
}

/** An example of a format is left to the format. */
function conforms(schema: JsonObject, example: string): boolean {
  return (
    typeof schema.pattern === 'string' && schema.format === undefined && new RegExp(schema.pattern, 'u').test(example)
  );
}

function objectParts(schema: JsonObject, value: string, writer: Writer): string[] {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = asStrings(schema.required);
  const parts: string[] = [];
  for (const [name, property] of Object.entries(properties)) {
    const at = local(writer);
    const key = JSON.stringify(name);
    const holds = expression(property, at, writer);
    parts.push(
      required.includes(name)
        ? `(${at} = ${value}[${key}], ${holds})`
        : `((${at} = ${value}[${key}]) === undefined || (${holds}) || !Object.hasOwn(${value}, ${key}))`,
    );
  }
  const bare = required.filter((name) => !Object.hasOwn(properties, name));
  parts.push(...bare.map((name) => `${value}[${JSON.stringify(name)}] !== undefined`));
  if (required.length > 0) parts.push(`${ownsFunction(required, writer)}(${value})`);
  if (schema.additionalProperties === false) parts.push(`${onlyFunction(Object.keys(properties), writer)}(${value})`);
  else if (schema.additionalProperties !== undefined)
    throw new NotCompiled('additionalProperties with a schema is not compiled yet');
  return parts;
}

/**
 * Whether required fields are the object's own. Asking for each is the most expensive part of a check; an object with
 * the common prototype can only have inherited them if somebody put them there.
 */
function ownsFunction(required: readonly string[], writer: Writer): string {
  const name = `${writer.name}Owns${writer.constants.length}`;
  const keys = required.map((key) => JSON.stringify(key));
  writer.constants.push(
    `function ${name}(value) {`,
    `  return (Object.getPrototypeOf(value) === Object.prototype && ${keys.map((key) => `Object.prototype[${key}] === undefined`).join(' && ')}) ||`,
    `    (${keys.map((key) => `Object.hasOwn(value, ${key})`).join(' && ')});`,
    '}',
  );
  return name;
}

function onlyFunction(known: readonly string[], writer: Writer): string {
  const name = `${writer.name}Only${writer.constants.length}`;
  writer.constants.push(
    `function ${name}(value) {`,
    '  for (const key of Object.keys(value)) {',
    `    if (${known.map((key) => `key !== ${JSON.stringify(key)}`).join(' && ') || 'true'}) return false;`,
    '  }',
    '  return true;',
    '}',
  );
  return name;
}

function local(writer: Writer): string {
  const name = `field${writer.locals.length}`;
  writer.locals.push(name);
  return name;
}

function asStrings(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
