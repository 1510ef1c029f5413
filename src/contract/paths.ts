import type { Operation } from './contract.ts';

/** What of an operation a path is matched by. */
type Placed = Pick<Operation, 'method' | 'path'>;

/** An operation that a path leads to. */
export interface Reached<O extends Placed = Operation> {
  readonly operation: O;
  readonly pathParameters: Readonly<Record<string, string>>;
}

/** What a method and a path are, by the contract. */
export type Match<O extends Placed = Operation> =
  | ({ readonly kind: 'operation' } & Reached<O>)
  /** The path is there, under other methods. */
  | { readonly kind: 'path'; readonly pathMatches: readonly O[] }
  /** The path holds a percent sign that begins no escape of UTF-8 text. */
  | { readonly kind: 'bad-encoding'; readonly segment: string };

/** Finds the operation of a request. `rawPath` is the path as sent, percent-encoded; a query or fragment is ignored. Null: no such path. */
export type Matcher<O extends Placed = Operation> = (method: string, rawPath: string) => Match<O> | null;

/** Every operation that a path could lead to, whatever its method; paths may overlap. Null: the path cannot be decoded. */
export type Reach<O extends Placed = Operation> = (rawPath: string) => readonly Reached<O>[] | null;

interface Leaf<O> {
  readonly operation: O;
  /** Names of the parameters, in the order of the path. */
  readonly names: readonly string[];
}

interface Branch<O> {
  readonly literals: Map<string, Branch<O>>;
  /** Segments that are a parameter, or hold one beside literal text, the longest literal text first. */
  readonly patterns: Pattern<O>[];
  /** Operations that end here, by method. */
  readonly leaves: Map<string, Leaf<O>>;
}

interface Pattern<O> {
  /** Text before, between and after the parameters of the segment: one more than there are parameters. */
  readonly parts: readonly string[];
  readonly branch: Branch<O>;
}

/**
 * A matcher over a trie of segments: its time grows with the length of the path, not with the number of operations.
 *
 * A literal segment wins over one with a parameter; where that leads nowhere, the other way is tried. A segment is decoded once and
 * after splitting, so that `%2F` stays inside its parameter; a parameter is never empty, and `.` and `..` are plain text (rule M4).
 * Operations without a place are left out.
 */
export function createMatcher<O extends Placed>(operations: readonly O[]): Matcher<O> {
  const root = trieOf(operations);
  return (method, rawPath) => {
    const segments = segmentsOf(rawPath);
    if (segments === null) return null;
    return 'bad' in segments ? { kind: 'bad-encoding', segment: segments.bad } : find(root, segments, method);
  };
}

/** {@link createMatcher} for whoever must know all that a request could reach, as the effects policy does. */
export function createReach<O extends Placed>(operations: readonly O[]): Reach<O> {
  const root = trieOf(operations);
  return (rawPath) => {
    const segments = segmentsOf(rawPath);
    if (segments === null) return [];
    return 'bad' in segments ? null : [...reached(root, segments)];
  };
}

function trieOf<O extends Placed>(operations: readonly O[]): Branch<O> {
  const root = newBranch<O>();
  for (const operation of operations) if (operation.path !== null && operation.method !== null) insert(root, operation);
  sortPatterns(root);
  return root;
}

/** Decoded segments of a path; null where it is none. */
function segmentsOf(rawPath: string): string[] | { readonly bad: string } | null {
  const path = rawPath.replace(/[?#].*$/s, '');
  if (!path.startsWith('/')) return null;
  const segments: string[] = [];
  for (const segment of path.slice(1).split('/')) {
    const text = decode(segment);
    if (text === undefined) return { bad: segment };
    segments.push(text);
  }
  return segments;
}

function newBranch<O>(): Branch<O> {
  return { literals: new Map(), patterns: [], leaves: new Map() };
}

function insert<O extends Placed>(root: Branch<O>, operation: O): void {
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

function literal<O>(branch: Branch<O>, segment: string): Branch<O> {
  const text = decode(segment) ?? segment;
  const next = branch.literals.get(text) ?? newBranch<O>();
  branch.literals.set(text, next);
  return next;
}

function pattern<O>(branch: Branch<O>, parts: readonly string[]): Branch<O> {
  const known = branch.patterns.find(
    (other) => other.parts.length === parts.length && other.parts.every((part, i) => part === parts[i]),
  );
  if (known) return known.branch;
  const next = { parts, branch: newBranch<O>() };
  branch.patterns.push(next);
  return next.branch;
}

function sortPatterns<O>(branch: Branch<O>): void {
  const weight = ({ parts }: Pattern<O>): number => parts.join('').length;
  branch.patterns.sort((a, b) => weight(b) - weight(a));
  for (const next of [...branch.literals.values(), ...branch.patterns.map((entry) => entry.branch)]) sortPatterns(next);
}

/** Every end that the segments lead to, the most literal first; values are shared and only read while the end is at hand. */
function* ends<O>(
  branch: Branch<O>,
  segments: readonly string[],
  depth: number,
  values: string[],
): Generator<Branch<O>> {
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

function find<O extends Placed>(root: Branch<O>, segments: readonly string[], method: string): Match<O> | null {
  const others: O[] = [];
  const values: string[] = [];
  for (const end of ends(root, segments, 0, values)) {
    const leaf = end.leaves.get(method);
    if (leaf) return { kind: 'operation', ...filled(leaf, values) };
    for (const { operation } of end.leaves.values()) others.push(operation);
  }
  return others.length > 0 ? { kind: 'path', pathMatches: others } : null;
}

function* reached<O extends Placed>(root: Branch<O>, segments: readonly string[]): Generator<Reached<O>> {
  const values: string[] = [];
  for (const end of ends(root, segments, 0, values)) for (const leaf of end.leaves.values()) yield filled(leaf, values);
}

function filled<O extends Placed>({ operation, names }: Leaf<O>, values: readonly string[]): Reached<O> {
  return { operation, pathParameters: Object.fromEntries(names.map((name, index) => [name, values[index] ?? ''])) };
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

/** Fills a path template; each value is percent-encoded as one segment. Null where a value is missing or empty. */
export function fillPath(template: string, values: Readonly<Record<string, string>>): string | null {
  let complete = true;
  const path = template.replace(/\{([^}]+)\}/g, (_, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    // `.` and `..` would be resolved away by any URL parser, and with them the segment.
    if (value === undefined || value === '' || value === '.' || value === '..') complete = false;
    return encodeURIComponent(value ?? '');
  });
  return complete ? path : null;
}

/** Names of the path parameters of a template, in order. */
export function pathParameters(template: string): string[] {
  return [...template.matchAll(/\{([^}]+)\}/g)].map((match) => match[1] ?? '');
}
