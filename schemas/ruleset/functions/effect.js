const EFFECTS = ['read', 'write', 'destructive'];

/** Without a known effect the runner could not tell whether it may send the call. */
export default function effect(operation) {
  const value = operation['x-effect'];
  return EFFECTS.includes(value) ? [] : [{ message: `x-effect must be one of ${EFFECTS.join(', ')}.` }];
}
