import type { Contract } from '../../src/contract/contract.ts';
import type { Json, JsonObject } from '../../src/schema/json.ts';
import { joinPointer } from '../../src/text/pointer.ts';

/** Parts of the spec that need a home. `named` parts need their own row: a `*` is not enough. */
export interface Part {
  readonly pointer: string;
  readonly named: boolean;
}

const METHODS = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']);

/** Schema keywords about place, kind or composition: covered by the row of the schema or field. */
const OF_THE_FIELD = new Set(['title', 'description', 'type', 'properties', '$ref']);

/** Operation keywords covered by the row of the operation. */
const OF_THE_OPERATION = new Set(['operationId', 'summary', 'tags', 'parameters']);

/** Every operation, field, parameter, response, constraint and extension of the bundle, except exempt extensions. */
export function* partsOf(contract: Contract, exempt: ReadonlySet<string>): Generator<Part> {
  const { document } = contract;
  yield* rootParts(document, exempt);
  for (const [path, item] of entries(document.paths)) {
    for (const [key, node] of entries(item)) {
      const pointer = joinPointer('/paths', path, key);
      if (METHODS.has(key)) yield* operationParts(node, pointer, exempt);
      else if (key !== 'parameters') yield { pointer, named: true };
    }
  }
  for (const [name, item] of entries(document.webhooks)) yield* holderParts(item, `/webhooks/${name}`, exempt);
  for (const [kind, members] of entries(document.components)) {
    for (const [name, node] of entries(members)) {
      const pointer = joinPointer('/components', kind, name);
      if (kind === 'schemas') yield* schemaParts(node, pointer, exempt);
      else if (kind === 'pathItems') yield* operationParts(node, pointer, exempt);
      else yield* holderParts(node, pointer, exempt);
    }
  }
}

function* rootParts(document: JsonObject, exempt: ReadonlySet<string>): Generator<Part> {
  const grown = new Set(['openapi', 'jsonSchemaDialect', 'info', 'servers', 'tags', 'paths', 'webhooks', 'components']);
  for (const key of Object.keys(document)) {
    if (!grown.has(key) && !exempt.has(key)) yield { pointer: `/${key}`, named: true };
  }
  for (const key of Object.keys(document.info as JsonObject)) {
    if (!exempt.has(key)) yield { pointer: `/info/${key}`, named: true };
  }
  for (const [index] of entries((document.info as JsonObject)['x-releases'])) {
    yield { pointer: `/info/x-releases/${index}`, named: true };
  }
  for (const kind of ['servers', 'tags']) {
    for (const [index] of entries(document[kind])) yield { pointer: `/${kind}/${index}`, named: true };
  }
}

function* operationParts(operation: Json, pointer: string, exempt: ReadonlySet<string>): Generator<Part> {
  yield { pointer, named: true };
  for (const [key, node] of entries(operation)) {
    if (OF_THE_OPERATION.has(key) || exempt.has(key)) continue;
    const at = joinPointer(pointer, key);
    if (key === 'responses') {
      for (const status of Object.keys(node as JsonObject)) yield { pointer: joinPointer(at, status), named: false };
    } else if (key === 'x-rules' || key === 'x-parameters') {
      for (const [index, member] of entries(node)) yield* holderParts(member, joinPointer(at, index), exempt);
    } else {
      yield { pointer: at, named: false };
    }
    if (key === 'requestBody') {
      for (const [type, media] of entries((node as JsonObject).content)) {
        const schema = (media as JsonObject).schema;
        if (schema !== undefined) yield* fieldsOf(schema, joinPointer(at, 'content', type, 'schema'), exempt);
      }
    }
  }
}

function* schemaParts(schema: Json, pointer: string, exempt: ReadonlySet<string>): Generator<Part> {
  yield { pointer, named: true };
  yield* fieldsOf(schema, pointer, exempt);
}

function* fieldsOf(schema: Json, pointer: string, exempt: ReadonlySet<string>): Generator<Part> {
  for (const [key, node] of entries(schema)) {
    if (key === 'x-unnamed-fields') {
      for (const [index, member] of entries(node)) yield* holderParts(member, joinPointer(pointer, key, index), exempt);
    } else if (!OF_THE_FIELD.has(key) && !exempt.has(key)) {
      yield { pointer: joinPointer(pointer, key), named: false };
    }
  }
  for (const [name, field] of entries((schema as JsonObject).properties)) {
    yield* schemaParts(field, joinPointer(pointer, 'properties', name), exempt);
  }
}

/** A part with extensions and a description that adds something to its name. */
function* holderParts(node: Json, pointer: string, exempt: ReadonlySet<string>): Generator<Part> {
  yield { pointer, named: true };
  for (const [key, child] of entries(node)) {
    if (!key.startsWith('x-') || exempt.has(key)) continue;
    if (key === 'x-token') {
      for (const name of Object.keys(child as JsonObject))
        yield { pointer: joinPointer(pointer, key, name), named: true };
    } else {
      yield { pointer: joinPointer(pointer, key), named: false };
    }
  }
}

function entries(node: Json | undefined): [string, Json][] {
  return typeof node === 'object' && node !== null ? (Object.entries(node) as [string, Json][]) : [];
}
