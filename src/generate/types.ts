import type { JSONSchema } from 'json-schema-to-typescript';
import type { Contract, Json, JsonObject, Media, Operation, Schema } from '../contract/contract.ts';
import { isObject } from '../contract/schema-facts.ts';
import { codeName, type NamedSchema, publishable } from './schemas.ts';
import { tools } from './tools.ts';

const DOCUMENTED = 'Fields that the API reference documents; a response may hold more.';

/** @param about the first line */
export async function emitTypes(
  contract: Contract,
  all: readonly NamedSchema[],
  about: string = DOCUMENTED,
): Promise<string> {
  const definitions: Record<string, Json> = {};
  for (const named of all) {
    const { $schema, $id, $defs, ...rest } = publishable(named, all);
    definitions[named.name] = rest;
  }
  const text = JSON.stringify({ title: 'Root', type: 'object', definitions }, typed);
  const root = JSON.parse(text.replaceAll('#/$defs/', '#/definitions/'));
  const types = await tools().typesOf(root as JSONSchema, 'Root', {
    additionalProperties: false,
    bannerComment: '',
    unreachableDefinitions: true,
    format: true,
    style: { singleQuote: true, printWidth: 120 },
  });
  const schemas = types
    .replace(/export interface Root \{\s*\}\n*/, '')
    .replaceAll(
      /\/\*\*\n \* This \w+ was referenced by `Root`'s JSON-Schema\n \* via the `definition` "\w+"\.\n \*\/\n/g,
      '',
    )
    .replaceAll(/ \*\n \* This \w+ was referenced by `Root`'s JSON-Schema\n \* via the `definition` "\w+"\.\n/g, '')
    .trim();
  return [
    `/** ${about} */`,
    '',
    schemas,
    '',
    '/** A JSON value: what a payload is of which the reference shows nothing. */',
    'export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };',
    '',
    '/** Every operation of the API reference, by its operationId. */',
    'export interface Operations {',
    ...contract.operations.map((operation) => operationType(operation, contract.at(operation.pointer))),
    '}',
    '',
    '/** operationId of an operation. */',
    'export type OperationId = keyof Operations;',
    '',
    '/** operationId of an operation whose method and path the reference shows. */',
    "export type LocatedOperationId = { [Id in OperationId]: Operations[Id]['method'] extends string ? Id : never }[OperationId];",
    '',
  ].join('\n');
}

/** A `$comment` is for tools. Words beside a reference that demand nothing would make a type of their own. */
function typed(key: string, value: unknown): unknown {
  if (key === '$comment') return undefined;
  if (!isObject(value) || typeof value.$ref !== 'string') return value;
  return Object.keys(value).every((word) => word === '$ref' || isAnnotation(word)) ? { $ref: value.$ref } : value;
}

function isAnnotation(word: string): boolean {
  return /^x-|^(?:\$comment|title|description|deprecated|default|examples?|readOnly|writeOnly)$/.test(word);
}

function operationType(operation: Operation, source: Json | undefined): string {
  const lines = [
    `  /** ${operation.summary.replaceAll('*/', '* /')}${operation.deprecated ? `\n   * @deprecated ${operation.successor ? `Use ${operation.successor}.` : ''}\n   ` : ''} */`,
    `  ${member(operation.operationId)}: {`,
    `    method: ${JSON.stringify(operation.method)};`,
    `    path: ${JSON.stringify(operation.path)};`,
    `    pathParameters: ${parameters(operation, 'path')};`,
    `    queryParameters: ${parameters(operation, 'query')};`,
    `    request: ${requestType(operation, source)};`,
    `    response: ${responseType(operation, source)};`,
    ...(operation.itemSchema === null
      ? []
      : [`    /** One item of a list whose envelope is not shown. */`, `    item: ${typeOf(operation.itemSchema)};`]),
    '  };',
  ];
  return lines.join('\n').replaceAll('"', "'");
}

function requestType(operation: Operation, source: Json | undefined): string {
  if (operation.requestBody) return body(operation.requestBody.content);
  if (isObject(source) && isObject(source['x-request-schema'])) return typeOf(source['x-request-schema']);
  return operation.notShown.includes('requestBody') ? 'Json' : 'never';
}

function responseType(operation: Operation, source: Json | undefined): string {
  if (isObject(source) && isObject(source['x-response-schema'])) return typeOf(source['x-response-schema']);
  return body(operation.responses.filter(({ status }) => status.startsWith('2')).flatMap(({ content }) => content));
}

function parameters(operation: Operation, place: 'path' | 'query'): string {
  const fields = operation.parameters
    .filter((parameter) => parameter.in === place)
    .map(({ name, required, schema }) => {
      const type = typeOf(schema ?? true);
      // most have no type: whatever can be in a path or in a query
      return `${member(name)}${required ? '' : '?'}: ${type === 'Json' ? (place === 'path' ? 'string' : 'string | number | boolean') : type}`;
    });
  return fields.length > 0 ? `{ ${fields.join('; ')} }` : 'Record<string, never>';
}

function body(content: readonly Media[]): string {
  const types = content.flatMap(({ schema }) => (schema === undefined ? [] : [typeOf(schema)]));
  return types.length > 0 ? [...new Set(types)].join(' | ') : 'Json';
}

function typeOf(schema: Schema): string {
  if (!isObject(schema)) return 'Json';
  if (typeof schema.$ref === 'string') return codeName(schema.$ref.replace('#/components/schemas/', ''));
  const constant =
    schema.const ?? (Array.isArray(schema.enum) && schema.enum.length === 1 ? schema.enum[0] : undefined);
  if (typeof constant === 'string') return JSON.stringify(constant);
  switch (schema.type) {
    case 'string':
    case 'boolean':
      return schema.type;
    case 'integer':
    case 'number':
      return 'number';
    case 'object':
      return objectType(schema);
    default:
      return 'Json';
  }
}

function objectType(schema: JsonObject): string {
  const { properties, required } = schema;
  if (!isObject(properties)) return 'Json';
  const fields = Object.entries(properties).map(([name, property]) => {
    const optional = Array.isArray(required) && required.includes(name) ? '' : '?';
    return `${member(name)}${optional}: ${typeOf(isObject(property) ? property : true)}`;
  });
  return `{ ${fields.join('; ')} }`;
}

function member(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}
