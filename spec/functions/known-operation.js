/** An operation under `paths` is one of the reference's table, or one known by name only that an overlay has located. */
export default function knownOperation(operation, options, context) {
  const { operationId } = operation;
  if (typeof operationId !== 'string') return [{ message: 'The operation has no operationId.' }];
  const nameOnly = Object.keys(context.documentInventory.unresolved.components?.pathItems ?? {});
  if (options.located.includes(operationId) || nameOnly.includes(operationId)) return [];
  return [
    {
      message: `"${operationId}" is no operation of the reference.`,
      path: [...context.path, 'operationId'],
    },
  ];
}
