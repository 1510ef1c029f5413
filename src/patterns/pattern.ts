import type { Test, Unjudged } from './compile.ts';

export interface Pattern {
  test(text: string): boolean;
}

/** By its source: a pattern depends on nothing else. */
const prepared = new Map<string, Test | Unjudged>();

/**
 * Prepares the patterns of a contract for {@link patternOf}. Unprepared, a pattern could take exponential time for a
 * hostile text.
 *
 * @returns the unjudged patterns, each with the reason
 */
export async function preparePatterns(sources: Iterable<string>): Promise<ReadonlyMap<string, Unjudged>> {
  const unjudged = new Map<string, Unjudged>();
  // loaded on demand
  const { compilePattern } = await import('./compile.ts');
  for (const source of new Set(sources)) {
    const test = prepared.get(source) ?? (await compilePattern(source));
    prepared.set(source, test);
    if (typeof test === 'string') unjudged.set(source, test);
  }
  return unjudged;
}

/**
 * A prepared pattern of a contract, or one of our own. An unjudged pattern matches every text.
 * @throws SyntaxError if an unprepared pattern is invalid
 */
export function patternOf(source: string): Pattern {
  const test = prepared.get(source);
  if (test === undefined) return regExpOf(source);
  // Ajv identifies patterns by their text
  return { test: typeof test === 'string' ? () => true : test, toString: () => `/${source}/u` } as Pattern;
}

/** Compiles with the flag `u`, as JSON Schema requires, or without it, as many documents need. @throws SyntaxError */
export function regExpOf(source: string): RegExp {
  try {
    return new RegExp(source, 'u');
  } catch {
    return new RegExp(source);
  }
}

export const ajvPatterns: { (source: string): Pattern; code: string } = Object.assign(
  (source: string): Pattern => patternOf(source),
  { code: 'new RegExp' },
);
