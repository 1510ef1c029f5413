import type { Operation } from './contract.ts';

/** What a method and a path are, by the contract. */
export type Match =
  | {
      readonly kind: 'operation';
      readonly operation: Operation;
      readonly pathParameters: Readonly<Record<string, string>>;
    }
  /** The path is there, under other methods. */
  | { readonly kind: 'path'; readonly pathMatches: readonly Operation[] }
  /** The path holds a percent sign that begins no escape of UTF-8 text. */
  | { readonly kind: 'bad-encoding'; readonly segment: string };

/** Finds the operation of a request. `rawPath` is the path as sent, percent-encoded; a query or fragment is ignored. Null: no such path. */
export type Matcher = (method: string, rawPath: string) => Match | null;

interface Leaf {
  readonly operation: Operation;
  /** Names of the parameters, in the order of the path. */
  readonly names: readonly string[];
}

interface Branch {
  readonly literals: Map<string, Branch>;
  /** Segments that are a parameter, or hold one beside literal text, the longest literal text first. */
  readonly patterns: Pattern[];
  /** Operations that end here, by method. */
  readonly leaves: Map<string, Leaf>;
}

interface Pattern {
  /** Text before, between and after the parameters of the segment: one more than there are parameters. */
  readonly parts: readonly string[];
  readonly branch: Branch;
}

/**
 * A matcher over a trie of segments: its time grows with the length of the path, not with the number of operations.
 *
 * A literal segment wins over one with a parameter; where that leads nowhere, the other way is tried. A segment is decoded once and
 * after splitting, so that `%2F` stays inside its parameter; a parameter is never empty, and `.` and `..` are plain text (rule M4).
 * Operations without a place are left out.
 */
export function createMatcher(operations: readonly Operation[]): Matcher {
  const root = newBranch();
  for (const operation of operations) if (operation.path !== null && operation.method !== null) insert(root, operation);
  sortPatterns(root);
  return (method, rawPath) => {
    const path = rawPath.replace(/[?#].*$/s, '');
    if (!path.startsWith('/')) return null;
    const segments: string[] = [];
    for (const segment of path.slice(1).split('/')) {
      const text = decode(segment);
      if (text === undefined) return { kind: 'bad-encoding', segment };
      segments.push(text);
    }
    return find(root, segments, method);
  };
}

function newBranch(): Branch {
  return { literals: new Map(), patterns: [], leaves: new Map() };
}

function insert(root: Branch, operation: Operation): void {
  const names: string[] = [];
  let branch = root;
  for (const segment of (operation.path ?? '').slice(1).split('/')) {
    const pieces = segment.split(/\{([^{}]+)\}/);
    const parts = pieces.filter((_, index) => index % 2 === 0);
    names.push(...pieces.filter((_, index) => index % 2 === 1));
    branch = parts.length === 1 ? literal(branch, segment) : pattern(branch, parts);
  }
  branch.leaves.set(operation.method ?? '', { operation, names });
}

function literal(branch: Branch, segment: string): Branch {
  const text = decode(segment) ?? segment;
  const next = branch.literals.get(text) ?? newBranch();
  branch.literals.set(text, next);
  return next;
}

function pattern(branch: Branch, parts: readonly string[]): Branch {
  const known = branch.patterns.find(
    (other) => other.parts.length === parts.length && other.parts.every((part, i) => part === parts[i]),
  );
  if (known) return known.branch;
  const next = { parts, branch: newBranch() };
  branch.patterns.push(next);
  return next.branch;
}

function sortPatterns(branch: Branch): void {
  const weight = ({ parts }: Pattern): number => parts.join('').length;
  branch.patterns.sort((a, b) => weight(b) - weight(a));
  for (const next of [...branch.literals.values(), ...branch.patterns.map((entry) => entry.branch)]) sortPatterns(next);
}

/** Every end that the segments lead to, the most literal first; values are shared and only read while the end is at hand. */
function* ends(branch: Branch, segments: readonly string[], depth: number, values: string[]): Generator<Branch> {
  const segment = segments[depth];
  if (segment === undefined) {
    if (branch.leaves.size > 0) yield branch;
    return;
  }
  const next = branch.literals.get(segment);
  if (next) yield* ends(next, segments, depth + 1, values);
  for (const { parts, branch: other } of branch.patterns) {
    const found = capture(parts, segment);
    if (!found) continue;
    values.push(...found);
    yield* ends(other, segments, depth + 1, values);
    values.length -= found.length;
  }
}

function find(root: Branch, segments: readonly string[], method: string): Match | null {
  const others: Operation[] = [];
  const values: string[] = [];
  for (const end of ends(root, segments, 0, values)) {
    const leaf = end.leaves.get(method);
    if (leaf) {
      const pathParameters = Object.fromEntries(leaf.names.map((name, index) => [name, values[index] ?? '']));
      return { kind: 'operation', operation: leaf.operation, pathParameters };
    }
    for (const { operation } of end.leaves.values()) others.push(operation);
  }
  return others.length > 0 ? { kind: 'path', pathMatches: others } : null;
}

/** Values of the parameters of one segment; undefined where the segment does not fit or a value would be empty. */
function capture(parts: readonly string[], segment: string): string[] | undefined {
  const first = parts[0] ?? '';
  if (!segment.startsWith(first)) return undefined;
  const values: string[] = [];
  let at = first.length;
  for (const [index, part] of parts.entries()) {
    if (index === 0) continue;
    const isLast = index === parts.length - 1;
    const end = isLast ? segment.length - part.length : segment.indexOf(part, at + 1);
    if (end <= at || (isLast && !segment.endsWith(part))) return undefined;
    values.push(segment.slice(at, end));
    at = end + part.length;
  }
  return values;
}

function decode(segment: string): string | undefined {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
