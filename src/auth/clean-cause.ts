/** How deep and how far an error is searched before it counts as unsearchable. */
const DEPTH = 6;
const NODES = 300;

/**
 * An error that may be shown: the original if no secret is in it, else a copy of names, codes and messages without them.
 *
 * A `fetch` may hang the whole request on what it throws, headers included.
 */
export function cleanCause(cause: unknown, secrets: readonly string[]): unknown {
  return isClean(cause, secrets) ? cause : copy(cause, secrets, DEPTH);
}

function isClean(value: unknown, secrets: readonly string[]): boolean {
  const seen = new Set<object>();
  const visit = (item: unknown, depth: number): boolean => {
    if (typeof item === 'string') return !secrets.some((secret) => item.includes(secret));
    if (typeof item === 'function') return false;
    if (typeof item !== 'object' || item === null || seen.has(item)) return true;
    if (depth === 0 || seen.size >= NODES || !isSearchable(item)) return false;
    seen.add(item);
    return Reflect.ownKeys(item).every((key) => {
      const property = Object.getOwnPropertyDescriptor(item, key);
      // Some engines keep the stack behind an accessor.
      const content =
        property && 'value' in property ? property.value : key === 'stack' ? Reflect.get(item, key) : visit;
      return visit(String(key), depth) && visit(content, depth - 1);
    });
  };
  return visit(value, DEPTH);
}

/** Plain objects, arrays and errors show all they hold in their own properties; other things may hide it. */
function isSearchable(item: object): boolean {
  if (item instanceof Error || Array.isArray(item)) return true;
  const prototype: unknown = Object.getPrototypeOf(item);
  return prototype === Object.prototype || prototype === null;
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
