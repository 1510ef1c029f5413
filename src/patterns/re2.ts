import type { AST } from '@eslint-community/regexpp';
import { RE2JS } from 're2js';

/** RE2 cannot express it: lookarounds and backreferences. */
class NotInRe2 extends Error {}

/** The same pattern for RE2, which matches in linear time; null if RE2 cannot express it. */
export function inRe2(alternatives: readonly AST.Alternative[]): ((text: string) => boolean) | null {
  try {
    const compiled = RE2JS.compile(choice(alternatives));
    return (text) => compiled.test(text);
  } catch {
    // also if RE2 rejects a large repetition or an unknown property
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
      return `[${member(element)}]`;
    case 'CharacterClass': {
      const members = element.elements.map((one) => member(one as AST.ClassRangesCharacterClassElement)).join('');
      if (members === '') return element.negate ? `[${ANY}]` : `[^${ANY}]`;
      return `[${element.negate ? '^' : ''}${members}]`;
    }
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

const ANY = String.raw`\x00-\x{10ffff}`;
/** ECMAScript's meaning: for RE2, `\s` means ASCII spaces, and `.` matches everything except a line feed. */
const SPACE = String.raw`\t-\r \xa0\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`;
const NO_SPACE = String.raw`\x00-\x08\x0e-\x1f!-\x9f\xa1-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}\x{202a}-\x{202e}\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{fefe}\x{ff00}-\x{10ffff}`;
const NO_LINE_END = String.raw`\x00-\x09\x0b\x0c\x0e-\x{2027}\x{202a}-\x{10ffff}`;

function member(node: AST.ClassRangesCharacterClassElement | AST.CharacterSet): string {
  switch (node.type) {
    case 'Character':
      return pointOf(node);
    case 'CharacterClassRange':
      return `${pointOf(node.min)}-${pointOf(node.max)}`;
    case 'CharacterSet':
      if (node.kind === 'any') return NO_LINE_END;
      if (node.kind === 'space') return node.negate ? NO_SPACE : SPACE;
      if (node.kind === 'property') return `\\${node.negate ? 'P' : 'p'}{${node.value ?? node.key}}`;
      return node.raw;
    default:
      throw new NotInRe2();
  }
}

function pointOf({ value }: AST.Character): string {
  return `\\x{${value.toString(16)}}`;
}
