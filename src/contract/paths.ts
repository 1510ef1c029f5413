import { decodePercent } from '../text/decode.ts';
import type { Operation } from './contract.ts';

type Placed = Pick<Operation, 'method' | 'path'>;

export interface Reached<O extends Placed = Operation> {
  readonly operation: O;
  readonly pathParameters: Readonly<Record<string, string>>;
}

export type Match<O extends Placed = Operation> =
  | ({ readonly kind: 'operation' } & Reached<O>)
  | { readonly kind: 'path'; readonly pathMatches: readonly O[] }
  /** The path has a percent sign that does not start an escape of UTF-8 text. */
  | { readonly kind: 'bad-encoding'; readonly segment: string };

/** Finds an operation. `rawPath` is percent-encoded; its query and fragment are ignored. Null if no path matches. */
export type Matcher<O extends Placed = Operation> = (method: string, rawPath: string) => Match<O> | null;

/** Every operation that a path could lead to, for any method; paths may overlap. Null if it cannot be decoded. */
export type Reach<O extends Placed = Operation> = (rawPath: string) => readonly Reached<O>[] | null;

interface Template<O> {
  readonly operation: O;
  readonly names: readonly string[];
  /** For each segment, the text before, between and after its parameters. A literal segment is one text. */
  readonly segments: readonly (readonly string[])[];
}

/** By number of segments, most literal first. */
type Templates<O> = ReadonlyMap<number, readonly Template<O>[]>;

/** The most literal path wins, or the next one if it lacks the method. `%2F` stays inside its parameter (rule M4). */
export function createMatcher<O extends Placed>(operations: readonly O[]): Matcher<O> {
  const templates = templatesOf(operations);
  return (method, rawPath) => {
    const segments = segmentsOf(rawPath);
    if (segments === null) return null;
    if ('bad' in segments) return { kind: 'bad-encoding', segment: segments.bad };
    const others: O[] = [];
    for (const reached of reachedBy(segments, templates)) {
      if (reached.operation.method === method) return { kind: 'operation', ...reached };
      others.push(reached.operation);
    }
    return others.length > 0 ? { kind: 'path', pathMatches: others } : null;
  };
}

export function createReach<O extends Placed>(operations: readonly O[]): Reach<O> {
  const templates = templatesOf(operations);
  const find = (rawPath: string): readonly Reached<O>[] | null => {
    const segments = segmentsOf(rawPath);
    if (segments === null) return [];
    return 'bad' in segments ? null : [...reachedBy(segments, templates)];
  };
  // the policy asks again for the path of which the operation was just found
  let last = { rawPath: '', found: find('') };
  return (rawPath) => {
    if (rawPath !== last.rawPath) last = { rawPath, found: find(rawPath) };
    return last.found;
  };
}

function templatesOf<O extends Placed>(operations: readonly O[]): Templates<O> {
  const templates = operations.flatMap((operation) =>
    operation.path === null ? [] : templateOf(operation, operation.path),
  );
  templates.sort(byLiteralText);
  return Map.groupBy(templates, ({ segments }) => segments.length);
}

function templateOf<O>(operation: O, path: string): Template<O> {
  const pieces = path
    .slice(1)
    .split('/')
    .map((segment) => segment.split(/\{([^{}]+)\}/));
  return {
    operation,
    names: pieces.flatMap((parts) => parts.filter((_, index) => index % 2 === 1)),
    segments: pieces.map((parts) =>
      parts.length === 1
        ? parts.map((text) => decodePercent(text) ?? text)
        : parts.filter((_, index) => index % 2 === 0),
    ),
  };
}

function byLiteralText(a: Template<unknown>, b: Template<unknown>): number {
  for (const [index, parts] of a.segments.entries()) {
    const [own, other] = [literalText(parts), literalText(b.segments[index] ?? [])];
    if (own !== other) return other - own;
  }
  return 0;
}

function literalText(parts: readonly string[]): number {
  return parts.length === 1 ? Number.POSITIVE_INFINITY : parts.join('').length;
}

function segmentsOf(rawPath: string): string[] | { readonly bad: string } | null {
  const path = rawPath.replace(/[?#].*$/s, '');
  if (!path.startsWith('/')) return null;
  const segments: string[] = [];
  for (const segment of path.slice(1).split('/')) {
    const text = decodePercent(segment);
    if (text === undefined) return { bad: segment };
    segments.push(text);
  }
  return segments;
}

function* reachedBy<O extends Placed>(segments: readonly string[], templates: Templates<O>): Generator<Reached<O>> {
  for (const { operation, names, segments: wanted } of templates.get(segments.length) ?? []) {
    const values = valuesIn(segments, wanted);
    if (values === undefined) continue;
    yield { operation, pathParameters: Object.fromEntries(names.map((name, index) => [name, values[index] ?? ''])) };
  }
}

function valuesIn(segments: readonly string[], wanted: Template<unknown>['segments']): string[] | undefined {
  // literal segments rule out nearly every template
  if (wanted.some((parts, index) => parts.length === 1 && segments[index] !== parts[0])) return undefined;
  const values: string[] = [];
  for (const [index, parts] of wanted.entries()) {
    const found = parts.length === 1 ? [] : capture(parts, segments[index] ?? '');
    if (found === undefined) return undefined;
    values.push(...found);
  }
  return values;
}

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

/** Percent-encodes each value as one segment. Null if a value is missing, empty, `.` or `..`. */
export function fillPath(
  template: string,
  values: Readonly<Record<string, string>>,
  encode: (value: string, name: string) => string = encodeURIComponent,
): string | null {
  let complete = true;
  const path = template.replace(/\{([^}]+)\}/g, (_, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    // URL parsers resolve `.` and `..`, which removes the segment.
    if (value === undefined || value === '' || value === '.' || value === '..') complete = false;
    return encode(value ?? '', name);
  });
  return complete ? path : null;
}

export function pathParameters(template: string): string[] {
  return [...template.matchAll(/\{([^}]+)\}/g)].map((match) => match[1] ?? '');
}
