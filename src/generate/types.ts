import type { Contract, Media, Operation } from '../contract/contract.ts';
import { isObject, type Json, type JsonObject, listOf, nodeAt } from '../schema/json.ts';
import { COMPONENT, type NamedSchema } from './schemas.ts';

const DOCUMENTED = 'Fields that the API reference documents; a response may hold more.';

/**
 * @param about the first line
 * @param document has the errors of the operations: the contract's document, or one that a mock serves
 */
export function emitTypes(
  contract: Contract,
  all: readonly NamedSchema[],
  about: string = DOCUMENTED,
  document: JsonObject = contract.document,
): string {
  const names = new Map(all.map(({ key, name }) => [key, name]));
  const typeOf: TypeOf = (schema, indent = '') => writeType(schema, { names, indent });
  const lines = [
    `/** ${about} */`,
    '',
    ...all.map(({ name, schema }) => {
      const type = bare(typeOf(schema));
      const isOneObject = type.startsWith('{\n') && type.indexOf('\n}') === type.length - 2;
      const head = isOneObject ? `interface ${name} ${type}` : `type ${name} = ${type};`;
      return `${commentOf(schema, '')}export ${head}`;
    }),
    '',
    '/** A JSON value. The type of payloads that the reference does not show. */',
    'export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };',
    '',
    '/** Every operation of the API reference, by its operationId. */',
    'export interface Operations {',
    ...contract.operations.map((operation) => operationType(operation, nodeAt(document, operation.pointer), typeOf)),
    '}',
    '',
    '/** operationId of an operation. */',
    'export type OperationId = keyof Operations;',
    '',
    '/** operationId of an operation whose method and path the reference shows. */',
    "export type LocatedOperationId = { [Id in OperationId]: Operations[Id]['method'] extends string ? Id : never }[OperationId];",
  ];
  return `${lines.join('\n')}\n`;
}

/** The type of a schema; `unknown` if it is empty. Members are on lines of their own, indented below `indent`. */
type TypeOf = (schema: Json | undefined, indent?: string) => string;

interface Writing {
  /** Names of the types by the keys of their schemas. */
  readonly names: ReadonlyMap<string, string>;
  readonly indent: string;
}

/** All keywords of a schema apply together. */
function writeType(schema: Json | undefined, writing: Writing): string {
  if (schema === false) return 'never';
  if (!isObject(schema)) return 'unknown';
  const { $ref } = schema;
  const referred = typeof $ref === 'string' ? (writing.names.get($ref.replace(COMPONENT, '')) ?? 'unknown') : 'unknown';
  const parts = [
    referred,
    ownType(schema, writing),
    ...listOf(schema.allOf).map((part) => writeType(part, writing)),
    ...['anyOf', 'oneOf'].map((word) => either(listOf(schema[word]).map((part) => writeType(part, writing)))),
  ].filter((part) => part !== 'unknown');
  return joined(parts, ' & ');
}

function ownType(schema: JsonObject, writing: Writing): string {
  if (schema.const !== undefined) return literal(schema.const);
  if (Array.isArray(schema.enum)) return either(schema.enum.map(literal));
  const types = [schema.type ?? impliedType(schema)].flat().filter((type) => typeof type === 'string');
  return either(types.map((type) => plainType(type, schema, writing)));
}

function impliedType({
  properties,
  required,
  additionalProperties,
  items,
  prefixItems,
}: JsonObject): readonly string[] {
  if (isObject(properties) || Array.isArray(required) || isObject(additionalProperties)) return ['object'];
  return items === undefined && prefixItems === undefined ? [] : ['array'];
}

function plainType(type: string, schema: JsonObject, writing: Writing): string {
  if (type === 'object') return objectType(schema, writing);
  if (type === 'integer') return 'number';
  if (type !== 'array') return type;
  const items = [...listOf(schema.prefixItems), ...(schema.items === undefined ? [] : [schema.items])];
  return `${either(items.map((item) => writeType(item, writing)))}[]`;
}

function objectType({ properties, required, additionalProperties }: JsonObject, { names, indent }: Writing): string {
  const known = isObject(properties) ? properties : {};
  const needed = listOf(required).filter((name) => typeof name === 'string');
  const inside = { names, indent: `${indent}  ` };
  const fields = Object.entries({ ...Object.fromEntries(needed.map((name) => [name, true])), ...known }).map(
    ([name, field]) => {
      const mark = needed.includes(name) ? '' : '?';
      return `${commentOf(field, inside.indent)}${inside.indent}${member(name)}${mark}: ${bare(writeType(field, inside))};\n`;
    },
  );
  // unnamed members get a type of their own only beside named ones
  const others = bare(writeType(fields.length > 0 ? true : additionalProperties, inside));
  if (fields.length === 0) return `{ [key: string]: ${others} }`;
  const named = `{\n${fields.join('')}${indent}}`;
  return isObject(additionalProperties) ? joined([named, `{ [key: string]: ${others} }`], ' & ') : named;
}

/** A union, in brackets if it has several members. */
function either(types: readonly string[]): string {
  return types.includes('unknown') ? 'unknown' : joined(types, ' | ');
}

function joined(types: readonly string[], by: ' | ' | ' & '): string {
  const [first = 'unknown', ...others] = new Set(types);
  return others.length === 0 ? first : `(${[first, ...others].join(by)})`;
}

/** A type on its own needs no outer brackets. */
function bare(type: string): string {
  return type.startsWith('(') && type.endsWith(')') ? type.slice(1, -1) : type;
}

function literal(value: Json): string {
  if (typeof value === 'string') return quoted(value);
  return typeof value === 'object' && value !== null ? 'unknown' : String(value);
}

function quoted(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

function member(name: string): string {
  return /^(?:[A-Za-z_$][\w$]*|[1-9]\d{0,8})$/.test(name) ? name : quoted(name);
}

function commentOf(schema: Json, indent: string): string {
  if (!isObject(schema)) return '';
  return comment([schema.description, schema.deprecated === true ? '@deprecated' : ''], indent);
}

function comment(texts: readonly (Json | undefined)[], indent: string): string {
  const lines = texts.flatMap((text) => (typeof text === 'string' ? text.trim().split(/\s*\n/) : [])).filter(Boolean);
  const safe = lines.map((line) => line.replaceAll('*/', '* /'));
  if (safe.length <= 1) return safe.map((line) => `${indent}/** ${line} */\n`).join('');
  return `${indent}/**\n${safe.map((line) => `${indent} * ${line}\n`).join('')}${indent} */\n`;
}

function operationType(operation: Operation, source: Json | undefined, typeOf: TypeOf): string {
  const { operationId, summary, deprecated, successor, method, path, itemSchema } = operation;
  const use = deprecated ? `@deprecated ${successor ? `Use ${successor}.` : ''}` : '';
  const words = isObject(source) ? source : {};
  const responses = operation.responses.filter(({ status }) => status.startsWith('2'));
  const errors = Object.entries(isObject(words.responses) ? words.responses : {}).filter(([status]) =>
    /^[45d]/.test(status),
  );
  const shown = {
    method: literal(method),
    path: literal(path),
    pathParameters: parameters(operation, 'path', typeOf),
    queryParameters: parameters(operation, 'query', typeOf),
    request: requestType(operation, words, typeOf),
    response:
      words['x-response-schema'] === undefined
        ? body(
            responses.flatMap(({ content }) => content),
            typeOf,
          )
        : typeOf(words['x-response-schema'], '    '),
  };
  return [
    `${comment([summary, use], '  ')}  ${member(operationId)}: {`,
    ...Object.entries(shown).map(([name, type]) => `    ${name}: ${bare(type)};`),
    ...(errors.length === 0 ? [] : ['    errors: {', ...errors.map((one) => errorType(one, typeOf)), '    };']),
    ...(itemSchema === null
      ? []
      : [
          `    /** One item of a list whose envelope is not shown. */`,
          `    item: ${bare(typeOf(itemSchema, '    '))};`,
        ]),
    '  };',
  ].join('\n');
}

/** The bodies of a status, or of all other statuses (`4XX`, `default`). */
function errorType([status, response]: readonly [string, Json], typeOf: TypeOf): string {
  const content = isObject(response) && isObject(response.content) ? Object.values(response.content) : [];
  const types = content.flatMap((media) => (isObject(media) ? [typeOf(media.schema, '      ')] : []));
  return `      ${member(status)}: ${types.length > 0 ? bare(either(types)) : 'Json'};`;
}

function requestType({ requestBody, notShown }: Operation, words: JsonObject, typeOf: TypeOf): string {
  if (requestBody) return body(requestBody.content, typeOf);
  if (words['x-request-schema'] !== undefined) return typeOf(words['x-request-schema'], '    ');
  return notShown.includes('requestBody') ? 'Json' : 'never';
}

function parameters(operation: Operation, place: 'path' | 'query', typeOf: TypeOf): string {
  // most have no type: anything that fits into a path or a query
  const untyped = place === 'path' ? 'string' : 'string | number | boolean';
  const fields = operation.parameters
    .filter((parameter) => parameter.in === place)
    .map(({ name, required, schema }) => {
      const type = typeOf(schema ?? true, '    ');
      return `${member(name)}${required ? '' : '?'}: ${type === 'unknown' ? untyped : bare(type)}`;
    });
  return fields.length > 0 ? `{ ${fields.join('; ')} }` : 'Record<string, never>';
}

function body(content: readonly Media[], typeOf: TypeOf): string {
  const type = either(content.flatMap(({ schema }) => (schema === undefined ? [] : [typeOf(schema, '    ')])));
  return type === 'unknown' ? 'Json' : type;
}
