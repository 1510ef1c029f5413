const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** A deprecated operation without a living successor leaves its callers with nowhere to go. */
export default function successor(operation, _options, context) {
  const named = operation['x-successor'];
  const path = [...context.path, 'x-successor'];
  if (operation.deprecated !== true) {
    return named === undefined ? [] : [{ message: 'x-successor is for deprecated operations.', path }];
  }
  if (named === undefined) return [{ message: 'The operation is deprecated and names no x-successor.' }];
  const found = find(context.documentInventory.unresolved.paths ?? {}, named.operationId);
  if (!found) return [{ message: `There is no operation "${named.operationId}".`, path: [...path, 'operationId'] }];
  if (found.operation.deprecated === true) {
    return [{ message: `"${named.operationId}" is deprecated itself.`, path: [...path, 'operationId'] }];
  }
  return methodChange(named.methodChange, String(context.path.at(-1)), found.method, path);
}

function methodChange(stated, from, to, path) {
  if (from === to) return stated === undefined ? [] : [{ message: 'The method does not change.', path }];
  if (stated?.from === from.toUpperCase() && stated?.to === to.toUpperCase()) return [];
  const change = `{ from: ${from.toUpperCase()}, to: ${to.toUpperCase()} }`;
  return [{ message: `The method changes: say methodChange: ${change}.`, path }];
}

function find(paths, operationId) {
  for (const item of Object.values(paths)) {
    for (const method of METHODS) {
      const operation = item?.[method];
      if (operation !== undefined && operation.operationId === operationId) return { method, operation };
    }
  }
  return undefined;
}
