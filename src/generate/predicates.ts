/** Compiles schemas into functions that only tell whether a value is valid. They take a fraction of a collector's time. */
import type { Json, JsonObject } from '../contract/contract.ts';
import { isObject } from '../contract/schema-facts.ts';
import { regExpOf } from '../patterns/pattern.ts';

/** Code of a condition; `undefined` if a keyword is not supported. */
type Condition = string | undefined;
type Keyword = (argument: Json, value: string, scope: Scope, schema: JsonObject) => Condition;

/** What the conditions of one function use. */
interface Scope {
  readonly name: string;
  readonly patterns: RegExp[];
  readonly variables: Set<string>;
}

const TYPES: Readonly<Record<string, (value: string) => string>> = {
  string: (value) => `typeof ${value} == 'string'`,
  boolean: (value) => `typeof ${value} == 'boolean'`,
  number: (value) => `Number.isFinite(${value})`,
  integer: (value) => `Number.isInteger(${value})`,
  null: (value) => `${value} === null`,
  array: (value) => `Array.isArray(${value})`,
  object: (value) => `typeof ${value} == 'object' && ${value} !== null && !Array.isArray(${value})`,
};

/** The supported keywords except `type`, each with the only type that it restricts. */
const KEYWORDS: Readonly<Record<string, readonly [type: string, keyword: Keyword]>> = {
  $ref: ['', (name, value) => (String(name).startsWith('#') ? undefined : `${name}.is(${value})`)],
  enum: ['', (constants, value) => or([constants].flat().map((constant) => equals(value, constant)))],
  const: ['', (constant, value) => equals(value, constant)],
  allOf: ['', (parts, value, scope) => and([parts].flat().map((part) => conditionOf(part, value, scope)))],
  anyOf: ['', (parts, value, scope) => or([parts].flat().map((part) => conditionOf(part, value, scope)))],
  maximum: ['number', (limit, value) => `${value} <= ${limit}`],
  minimum: ['number', (limit, value) => `${value} >= ${limit}`],
  // a character is one or two units
  minLength: ['string', (n, value) => `(${value}.length >= ${2 * Number(n)} || [...${value}].length >= ${n})`],
  maxLength: [
    'string',
    (n, value) => `(${value}.length <= ${n} || ${value}.length <= ${2 * Number(n)} && [...${value}].length <= ${n})`,
  ],
  format: ['string', (format, value) => `FORMATS[${JSON.stringify(format)}](${value})`],
  pattern: [
    'string',
    (source, value, { name, patterns }) => `${name}Pattern${patterns.push(regExpOf(String(source)))}.test(${value})`,
  ],
  items: [
    'array',
    (schema, value, scope) => {
      const condition = conditionOf(schema, `${value}_`, scope);
      // unlike `every`, it visits holes
      return condition && `[].findIndex.call(${value}, (${value}_) => !(${condition})) < 0`;
    },
  ],
  required: [
    'object',
    (names, value, scope, { properties = {} }) => {
      const others = [names].flat().filter((name) => !Object.hasOwn(properties as JsonObject, String(name)));
      return and(others.map((name) => memberCondition(value, name, true, true, scope)));
    },
  ],
  properties: [
    'object',
    (properties, value, scope, { required = [] }) => {
      const members = Object.entries(properties as JsonObject).map(([name, schema]) => {
        return memberCondition(value, name, schema, [required].flat().includes(name), scope);
      });
      return and(members);
    },
  ],
  additionalProperties: [
    'object',
    (others, value, _scope, { properties }) => {
      const known = or(Object.keys(properties ?? {}).map((name) => equals('name', name)));
      return others === false ? `Object.keys(${value}).every((name) => ${known})` : undefined;
    },
  ],
};

/** Each compiled schema under its name. `collect_NAME`, which is in scope, judges a schema with other keywords. */
export function compiledSchemas(schemas: Readonly<Record<string, JsonObject>>): string {
  const compiled = Object.entries(schemas).map(([name, schema]) => {
    const scope: Scope = { name, patterns: [], variables: new Set() };
    const condition = conditionOf(schema, 'value', scope);
    const patterns = scope.patterns.map((pattern, index) => `const ${name}Pattern${index + 1} = ${pattern};\n`);
    const variables = scope.variables.size > 0 ? `let ${[...scope.variables].join()};` : '';
    const collect = `collect_${name}`;
    const body =
      condition === undefined
        ? `try { return ${collect}(value); } catch { return false; } finally { ${collect}.errors = null; }`
        : `${variables} try { return ${condition}; } catch { return false; }`;
    return `${patterns.join('')}export const ${name} = { is: (value) => { ${body} }, collect: ${collect} };`;
  });
  return `const plain = Object.prototype, protoOf = Object.getPrototypeOf;\n${compiled.join('\n')}`;
}

function conditionOf(schema: Json, value: string, scope: Scope): Condition {
  if (!isObject(schema)) return `${schema}`;
  const { type = [], ...keywords } = schema;
  const types = [type].flat().map(String);
  const conditions = Object.entries(keywords).map(([keyword, argument]) => {
    const [only = '', write] = KEYWORDS[keyword] ?? [];
    const condition = write?.(argument, value, scope, schema);
    const isSure = only === '' || types.join() === only || (only === 'number' && types.join() === 'integer');
    return condition && (isSure ? condition : `(!(${TYPES[only]?.(value)}) || ${condition})`);
  });
  // first, because the other conditions rely on it
  if (types.length > 0) conditions.unshift(or(types.map((one) => TYPES[one]?.(value))));
  return and(conditions);
}

/** An inherited member does not count. That matters only if a required one is present or an optional one is wrong. */
function memberCondition(object: string, name: Json, schema: Json, isRequired: boolean, scope: Scope): Condition {
  const value = `${object}_`;
  const condition = conditionOf(schema, value, scope);
  if (condition === undefined || (condition === 'true' && !isRequired)) return condition;
  scope.variables.add(value);
  const read = `(${value} = ${member(object, name)})`;
  // the first part takes no time, because V8 knows the prototype of an object that it reads
  const isPlain = `protoOf(${object}) === plain && ${member('plain', name)} === void 0`;
  const isOwn = `(${isPlain} || Object.hasOwn(${object}, ${JSON.stringify(name)}))`;
  return isRequired
    ? `${read} !== void 0 && ${condition} && ${isOwn}`
    : `(${read} === void 0 || ${condition} || !${isOwn})`;
}

function member(value: string, name: Json): string {
  return `${value}[${JSON.stringify(name)}]`;
}

function equals(value: string, constant: Json): Condition {
  return isObject(constant) || Array.isArray(constant) ? undefined : `${value} === ${JSON.stringify(constant)}`;
}

function and(conditions: readonly Condition[]): Condition {
  return conditions.includes(undefined) ? undefined : conditions.join(' && ') || 'true';
}

function or(conditions: readonly Condition[]): Condition {
  return conditions.includes(undefined) ? undefined : `(${conditions.join(' || ') || 'false'})`;
}
