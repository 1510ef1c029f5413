/**
 * The oldest Node that the mock, the commands and the library run on. Nothing is imported here, and nothing of what is written is newer
 * than the oldest Node that knows modules: it has to run where nothing else does.
 */
const FLOOR = [22, 19] as const;

/** One sentence for a Node that is too old, and undefined for one that is not; a browser is none. */
export function nodeTooOld(): string | undefined {
  const node = typeof process === 'object' && process.versions ? process.versions.node : undefined;
  if (node === undefined) return undefined;
  const [major = 0, minor = 0] = node.split('.').map(Number);
  if (major > FLOOR[0] || (major === FLOOR[0] && minor >= FLOOR[1])) return undefined;
  return `banking-api-contract needs Node ${FLOOR.join('.')} or newer; this is ${process.version} (${process.execPath}).`;
}
