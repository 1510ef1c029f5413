import type { Test, Unjudged } from './compile.ts';

export interface Pattern {
  test(text: string): boolean;
}

/** By its text: what a pattern means depends on nothing else. */
const prepared = new Map<string, Test | Unjudged>();

/**
 * Makes patterns of a contract ready for {@link patternOf}: by itself, a pattern may take longer than anyone waits, for one text that was
 * made for it.
 *
 * @returns the patterns that are not judged, each with the reason
 */
export async function preparePatterns(sources: Iterable<string>): Promise<ReadonlyMap<string, Unjudged>> {
  const unjudged = new Map<string, Unjudged>();
  // loaded on need
  const { compilePattern } = await import('./compile.ts');
  for (const source of new Set(sources)) {
    const test = prepared.get(source) ?? (await compilePattern(source));
    prepared.set(source, test);
    if (typeof test === 'string') unjudged.set(source, test);
  }
  return unjudged;
}

/**
 * A pattern of a contract that was loaded, or one of our own. Every text matches a pattern that is not judged.
 * @throws SyntaxError for another one that is no pattern.
 */
export function patternOf(source: string): Pattern {
  const test = prepared.get(source);
  if (test === undefined) return regExpOf(source);
  // Ajv tells patterns apart by their text
  return { test: typeof test === 'string' ? () => true : test, toString: () => `/${source}/u` } as Pattern;
}

/** A pattern as JSON Schema asks for, with the flag `u`; else without it, as many documents have it. @throws SyntaxError */
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
