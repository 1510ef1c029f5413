import type { Test } from './compile.ts';

/** A pattern of a contract, as Ajv wants it. */
export interface Pattern {
  test(text: string): boolean;
}

/** By its text: what a pattern means depends on nothing else. */
const prepared = new Map<string, Test>();

/** Patterns that every engine matches in one pass: classes, each a number of times that is said, from the start of a text to its end. */
const PLAIN = /^\^(?:(?:\[(?:[\w ]|\w-\w)+\]|\\[dw]|[\w -])(?:\{\d{1,3}\})?)+\$$/;

/**
 * Makes patterns of a contract ready for {@link patternOf}. A contract's pattern never runs on a text in another way: by itself it may
 * take longer than anyone waits, for one text that was made for it.
 *
 * @returns those that cannot be matched in time that is proportional to the text. What is no pattern at all is left to who compiles it.
 */
export async function preparePatterns(sources: Iterable<string>): Promise<ReadonlySet<string>> {
  const refused = new Set<string>();
  for (const source of new Set(sources)) {
    if (prepared.has(source) || PLAIN.test(source) || !isPattern(source)) continue;
    // loaded on need: most patterns are plain
    const { compilePattern } = await import('./compile.ts');
    const test = await compilePattern(source);
    if (test === null) refused.add(source);
    else prepared.set(source, test);
  }
  return refused;
}

function isPattern(source: string): boolean {
  try {
    return new RegExp(source, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

/**
 * A pattern of a contract that was loaded, or one of our own.
 * @throws SyntaxError of what is no pattern.
 */
export function patternOf(source: string): Pattern {
  const test = prepared.get(source);
  const native = new RegExp(source, 'u');
  // Ajv tells patterns apart by their text
  return test === undefined ? native : ({ test, toString: () => String(native) } as Pattern);
}

/** For Ajv's `code.regExp`. */
export const ajvPatterns: { (source: string): Pattern; code: string } = Object.assign(
  (source: string): Pattern => patternOf(source),
  { code: 'new RegExp' },
);
