import { joinPointer } from '../text/pointer.ts';
import type { Json, JsonObject } from './json.ts';

/**
 * The only table of the structure of an OpenAPI document. Bundling, reference checks and provenance stamps walk a
 * document by it. So a `$ref` in an example, or a property called `default`, is never misread.
 */

/** Kinds of objects. Everything else is `data` (left alone), or a `map:…` or `list:…` of a kind. */
export type Kind = ObjectKind | 'data' | `map:${ObjectKind}` | `list:${ObjectKind}`;

type ObjectKind = keyof typeof SHAPES;

interface Shape {
  /** A {@link Kind} for each. */
  readonly fields: Readonly<Record<string, string>>;
  readonly others?: string;
  /** True if a `$ref` makes it a Reference Object, which must not get any other fields. */
  readonly referable?: boolean;
}

const documentation = { externalDocs: 'leaf' } as const;
const parameterFields = { schema: 'schema', content: 'map:media', examples: 'map:example' } as const;

const nameOnlyFields = {
  'x-request-schema': 'schema',
  'x-response-schema': 'schema',
  'x-item-schema': 'schema',
  'x-parameters': 'list:parameter',
} as const;

export const HTTP_METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'] as const;

export function isMethod(field: string): boolean {
  return (HTTP_METHODS as readonly string[]).includes(field);
}

const methodFields = fieldsOf('operation', HTTP_METHODS);

function fieldsOf(kind: string, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, kind]));
}

const SHAPES = {
  document: {
    fields: {
      info: 'info',
      servers: 'list:server',
      paths: 'paths',
      webhooks: 'map:pathItem',
      components: 'components',
      tags: 'list:tag',
      ...documentation,
      // of Swagger 2.0, before it is converted
      definitions: 'map:schema',
      parameters: 'map:parameter',
      responses: 'map:response',
    },
  },
  info: { fields: { contact: 'leaf', license: 'leaf' } },
  server: { fields: { variables: 'map:leaf' } },
  components: {
    fields: {
      schemas: 'map:schema',
      responses: 'map:response',
      parameters: 'map:parameter',
      examples: 'map:example',
      requestBodies: 'map:requestBody',
      headers: 'map:header',
      securitySchemes: 'map:securityScheme',
      links: 'map:link',
      callbacks: 'map:callback',
      pathItems: 'map:pathItem',
      mediaTypes: 'map:media',
    },
  },
  paths: { fields: {}, others: 'pathItem' },
  pathItem: {
    fields: {
      ...methodFields,
      additionalOperations: 'map:operation',
      servers: 'list:server',
      parameters: 'list:parameter',
      ...nameOnlyFields,
    },
  },
  operation: {
    fields: {
      ...documentation,
      parameters: 'list:parameter',
      requestBody: 'requestBody',
      responses: 'responses',
      callbacks: 'map:callback',
      servers: 'list:server',
      ...nameOnlyFields,
    },
  },
  parameter: { fields: parameterFields, referable: true },
  header: { fields: parameterFields, referable: true },
  requestBody: { fields: { content: 'map:media' }, referable: true },
  media: {
    referable: true,
    fields: {
      schema: 'schema',
      itemSchema: 'schema',
      examples: 'map:example',
      encoding: 'map:encoding',
      'x-item-schema': 'schema',
    },
  },
  encoding: { fields: { headers: 'map:header' } },
  responses: { fields: {}, others: 'response' },
  response: {
    fields: {
      headers: 'map:header',
      content: 'map:media',
      links: 'map:link',
      schema: 'schema',
      'x-item-schema': 'schema',
    },
    referable: true,
  },
  callback: { fields: {}, others: 'pathItem', referable: true },
  example: { fields: {}, referable: true },
  link: { fields: { server: 'server' }, referable: true },
  tag: { fields: documentation },
  schema: {
    fields: {
      ...fieldsOf('map:schema', ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']),
      ...fieldsOf('list:schema', ['allOf', 'anyOf', 'oneOf', 'prefixItems']),
      ...fieldsOf('schema', ['items', 'not', 'if', 'then', 'else', 'contains', 'propertyNames', 'contentSchema']),
      ...fieldsOf('schema', ['additionalProperties', 'unevaluatedItems', 'unevaluatedProperties']),
      ...fieldsOf('leaf', ['xml', 'discriminator']),
      ...documentation,
    },
  },
  securityScheme: { fields: { flows: 'flows' }, referable: true },
  flows: { fields: fieldsOf('leaf', ['implicit', 'password', 'clientCredentials', 'authorizationCode']) },
  // an object without described members, such as a licence
  leaf: { fields: {} },
} satisfies Readonly<Record<string, Shape>>;

/** Undefined for data, and for maps and lists. */
function shapeOf(kind: Kind): Shape | undefined {
  return (SHAPES as Readonly<Record<string, Shape>>)[kind];
}

export const COMPONENT_KINDS: Shape['fields'] = SHAPES.components.fields;

export function kindOfChild(kind: Kind, key: string | number): Kind {
  if (kind.startsWith('map:')) return kind.slice(4) as ObjectKind;
  if (kind.startsWith('list:')) return kind.slice(5) as ObjectKind;
  const { fields = {}, others = 'data' } = shapeOf(kind) ?? {};
  const name = String(key);
  if (Object.hasOwn(fields, name)) return fields[name] as Kind;
  return name.startsWith('x-') ? 'data' : (others as Kind);
}

/** Visits each object of a document with its kind and pointer. Examples and similar values are data. */
export function visitObjects(
  document: Json,
  visit: (object: JsonObject, kind: Kind, pointer: string, isInSchema: boolean) => void,
): void {
  const walk = (value: Json, kind: Kind, pointer: string, isInSchema: boolean): void => {
    if (typeof value !== 'object' || value === null || kind === 'data') return;
    if (!Array.isArray(value)) visit(value as JsonObject, kind, pointer, isInSchema);
    for (const [key, child] of Object.entries(value)) {
      walk(child as Json, kindOfChild(kind, key), joinPointer(pointer, key), isInSchema || kind === 'schema');
    }
  };
  walk(document, 'document', '', false);
}

/** Visits each schema of a document that is an object, with its pointer. */
export function visitSchemas(document: Json, visit: (schema: JsonObject, pointer: string) => void): void {
  visitObjects(document, (object, kind, pointer) => kind === 'schema' && visit(object, pointer));
}

export function mayRefer(kind: Kind): boolean {
  return kind === 'schema' || kind === 'pathItem' || shapeOf(kind)?.referable === true;
}

/** True if a node of this kind may have `x-…` fields. A Reference Object may not, and maps of names do not change. */
export function mayExtend(kind: Kind, isReference: boolean): boolean {
  const shape = shapeOf(kind);
  return shape !== undefined && shape.others === undefined && !(isReference && shape.referable === true);
}
