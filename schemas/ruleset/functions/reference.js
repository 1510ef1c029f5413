const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** Names every part that should carry `x-reference` and does not. A `$ref` carries that of what it names. */
export default function reference(document) {
  return [...parts(document)]
    .filter(({ node }) => isObject(node) && typeof node.$ref !== 'string' && !isText(node['x-reference']))
    .map(({ path }) => ({ message: 'The part does not say where it comes from: x-reference is missing.', path }));
}

function* parts(document) {
  yield { node: document.info ?? {}, path: ['info'] };
  for (const [index, tag] of (document.tags ?? []).entries()) yield { node: tag, path: ['tags', index] };
  const nameOnly = document.components?.pathItems ?? {};
  for (const [path, item] of Object.entries(document.paths ?? {})) {
    for (const method of METHODS) {
      const operation = item?.[method];
      if (!isObject(operation)) continue;
      const at = ['paths', path, method];
      // What an operation inherits from its method-less path item says so there.
      if (Object.hasOwn(nameOnly, operation.operationId)) yield { node: operation, path: at };
      else yield* operationParts(operation, at);
    }
  }
  yield* members(document, ['webhooks']);
  const components = document.components ?? {};
  for (const kind of ['pathItems', 'parameters', 'responses', 'securitySchemes']) {
    yield* members(components, [kind], ['components']);
  }
  for (const [name, schema] of Object.entries(components.schemas ?? {})) {
    yield* schemaParts(schema, ['components', 'schemas', name]);
  }
}

function* operationParts(operation, path) {
  yield { node: operation, path };
  if (isObject(operation.requestBody)) yield { node: operation.requestBody, path: [...path, 'requestBody'] };
  for (const [status, response] of Object.entries(operation.responses ?? {})) {
    yield { node: response, path: [...path, 'responses', status] };
  }
}

function* schemaParts(schema, path) {
  yield { node: schema, path };
  for (const [name, field] of Object.entries(schema?.properties ?? {})) {
    yield* schemaParts(field, [...path, 'properties', name]);
  }
}

function* members(holder, [key], prefix = []) {
  for (const [name, node] of Object.entries(holder[key] ?? {})) yield { node, path: [...prefix, key, name] };
}

function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value) {
  return typeof value === 'string' && value.length > 0;
}
