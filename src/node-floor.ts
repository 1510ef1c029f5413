/**
 * The oldest Node for the mock, the commands and the library. This file has no imports and no recent syntax, because it
 * must run on any Node with modules.
 */
const FLOOR = [22, 19] as const;

/** One sentence if this Node is too old; otherwise, and in browsers, undefined. */
export function nodeTooOld(): string | undefined {
  const node = typeof process === 'object' && process.versions ? process.versions.node : undefined;
  if (node === undefined) return undefined;
  const [major = 0, minor = 0] = node.split('.').map(Number);
  if (major > FLOOR[0] || (major === FLOOR[0] && minor >= FLOOR[1])) return undefined;
  return `banking-api-contract needs Node ${FLOOR.join('.')} or newer; this is ${process.version} (${process.execPath}).`;
}
