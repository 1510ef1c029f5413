import type { AST } from '@eslint-community/regexpp';
import { treeOf } from './tree.ts';

/** Preferred characters of examples, if the pattern accepts them. */
const USUAL = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 -_.,:;@/+()#!?=&%$*<>[]{}|~\'"\\'];
/** Repetitions beyond the minimum of a pattern. Each makes a longer text. */
const EXTRAS = Array.from({ length: 65 }, (_, extra) => extra);
const TRIES = 4;

/**
 * Texts that match a pattern, from short to long. The caller must check each one, because lookarounds are ignored.
 * @param chance the same number generates the same texts
 */
export function* patternExamples(source: string, chance: number): Generator<string> {
  const pattern = treeOf(source);
  if (pattern === null) return;
  for (const extra of EXTRAS)
    for (let tried = 0; tried < TRIES; tried += 1) {
      let chosen = chance + tried;
      const choose = <T>(from: readonly T[]): T | undefined => {
        chosen = (Math.imul(chosen, 1_664_525) + 1_013_904_223) >>> 0;
        return from[(chosen >>> 8) % from.length];
      };
      yield textFor(pattern, extra, choose);
    }
}

type Choose = <T>(from: readonly T[]) => T | undefined;

function textFor({ tree, flags }: NonNullable<ReturnType<typeof treeOf>>, extra: number, choose: Choose): string {
  const groups = new Map<AST.CapturingGroup, string>();
  const choice = (alternatives: readonly AST.Alternative[]): string =>
    (choose(alternatives)?.elements ?? []).map(text).join('');
  const text = (element: AST.Element): string => {
    switch (element.type) {
      case 'Character':
        return String.fromCodePoint(element.value);
      case 'CharacterSet':
      case 'CharacterClass':
      case 'ExpressionCharacterClass': {
        const expression = new RegExp(`^${element.raw}$`, flags);
        return choose(USUAL.filter((character) => expression.test(character))) ?? firstOf(expression);
      }
      case 'Quantifier': {
        const times = Math.min(element.min + extra, element.max);
        return Array.from({ length: times }, () => text(element.element)).join('');
      }
      case 'CapturingGroup': {
        const captured = choice(element.alternatives);
        groups.set(element, captured);
        return captured;
      }
      case 'Group':
        return choice(element.alternatives);
      case 'Backreference':
        return [element.resolved].flat().reduce((all, group) => all + (groups.get(group) ?? ''), '');
      default:
        return '';
    }
  };
  return choice(tree.alternatives);
}

function firstOf(expression: RegExp): string {
  for (let code = 0; code < 0x1_0000; code += 1) {
    const character = String.fromCharCode(code);
    if (expression.test(character)) return character;
  }
  return '';
}
