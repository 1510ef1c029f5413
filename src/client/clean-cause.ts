/** How deep an error is searched before it counts as unsearchable. */
const DEPTH = 6;
/** Properties of errors that hold a text about the error. Any other text may come out of the request or the answer. */
const TELLING: ReadonlySet<PropertyKey> = new Set([
  ...['name', 'message', 'stack', 'code', 'kind', 'reason', 'hint'],
  ...['syscall', 'address', 'host', 'hostname'],
]);

/**
 * An error that may be shown: the original if no secret can be in it, else a copy of names, codes and messages without them.
 *
 * A `fetch` may hang the whole request on what it throws, headers included; Node's hangs on it what it could not parse,
 * which may be the token.
 */
export function cleanCause(cause: unknown, secrets: readonly string[]): unknown {
  return isClean(cause, secrets, DEPTH) ? cause : copy(cause, secrets, DEPTH);
}

function isClean(value: unknown, secrets: readonly string[], depth: number): boolean {
  if (typeof value === 'string') return !secrets.some((secret) => value.includes(secret));
  if (typeof value === 'function') return false;
  if (typeof value !== 'object' || value === null) return true;
  const isError = value instanceof Error;
  if (depth === 0 || !(isError || Array.isArray(value))) return false;
  // A DOMException keeps its message behind an accessor of its class.
  if (isError && ![value.name, value.message].every((text) => isClean(text, secrets, depth - 1))) return false;
  return Reflect.ownKeys(value).every((key) => {
    const content: unknown = Reflect.get(value, key);
    if (isError && typeof content === 'string' && !TELLING.has(key)) return false;
    return isClean(content, secrets, depth - 1);
  });
}

function copy(cause: unknown, secrets: readonly string[], depth: number): unknown {
  if (typeof cause === 'string') return redact(cause, secrets);
  if (typeof cause !== 'object' || cause === null) return typeof cause === 'function' ? undefined : cause;
  const { name, message, code, cause: inner } = cause as Record<string, unknown>;
  const nested = inner === undefined || depth === 0 ? undefined : copy(inner, secrets, depth - 1);
  const clean = new Error(
    typeof message === 'string' ? redact(message, secrets) : '',
    nested === undefined ? undefined : { cause: nested },
  );
  if (typeof name === 'string') clean.name = redact(name, secrets);
  if (typeof code === 'string') Object.assign(clean, { code: redact(code, secrets) });
  return clean;
}

function redact(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, '[redacted]'), text);
}
