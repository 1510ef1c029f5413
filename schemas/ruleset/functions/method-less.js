const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** A method here would be invented: the reference gives a name and nothing more. */
export default function methodLess(pathItem, _options, context) {
  return METHODS.filter((method) => Object.hasOwn(pathItem, method)).map((method) => ({
    message: `"${context.path.at(-1)}" is known by name only and cannot have the method ${method.toUpperCase()} here.`,
    path: [...context.path, method],
  }));
}
