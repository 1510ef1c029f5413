import type { AST } from '@eslint-community/regexpp';
import { RE2JS } from 're2js';
import { type CharSet, charSetOf, complement } from './char-set.ts';

/** What RE2 has no words for: what looks around, and what refers to a group. */
class NotInRe2 extends Error {}

/** The same pattern for RE2, which matches in time that is proportional to the text; null where it cannot be said there. */
export function inRe2(pattern: AST.Pattern): ((text: string) => boolean) | null {
  try {
    const compiled = RE2JS.compile(choice(pattern.alternatives));
    return (text) => compiled.test(text);
  } catch {
    // also of a repetition beyond what RE2 unfolds
    return null;
  }
}

function choice(alternatives: readonly AST.Alternative[]): string {
  return alternatives.map(({ elements }) => elements.map(written).join('')).join('|');
}

function written(element: AST.Element | AST.QuantifiableElement): string {
  switch (element.type) {
    case 'Character':
    case 'CharacterSet':
    case 'CharacterClass':
      return classOf(charSetOf(element));
    case 'CapturingGroup':
      return `(?:${choice(element.alternatives)})`;
    case 'Group':
      if (element.modifiers !== null) throw new NotInRe2();
      return `(?:${choice(element.alternatives)})`;
    case 'Quantifier':
      return `(?:${written(element.element)})${timesOf(element)}`;
    case 'Assertion':
      if (element.kind === 'start') return '\\A';
      if (element.kind === 'end') return '\\z';
      if (element.kind === 'word') return element.negate ? '\\B' : '\\b';
      throw new NotInRe2();
    default:
      throw new NotInRe2();
  }
}

function timesOf({ min, max }: AST.Quantifier): string {
  if (max === Number.POSITIVE_INFINITY) return min === 0 ? '*' : min === 1 ? '+' : `{${min},}`;
  return `{${min},${max}}`;
}

/** As code points: RE2 means something else by `.`, `\s` and the names of properties. */
function classOf(set: CharSet): string {
  const hex = (point: number): string => `\\x{${point.toString(16)}}`;
  const ranges = (of: CharSet): string => of.map(([first, last]) => `${hex(first)}-${hex(last)}`).join('');
  return set.length === 0 ? `[^${ranges(complement(set))}]` : `[${ranges(set)}]`;
}
