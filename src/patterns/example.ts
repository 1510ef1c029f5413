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
      const choose = <T>(from: readonly T[]): T | undefined => from[chosen++ % from.length];
      yield new Writer(pattern.flags, extra, choose).choice(pattern.tree.alternatives);
    }
}

type Choose = <T>(from: readonly T[]) => T | undefined;

class Writer {
  readonly #flags: string;
  readonly #extra: number;
  readonly #choose: Choose;
  readonly #groups = new Map<AST.CapturingGroup, string>();

  constructor(flags: string, extra: number, choose: Choose) {
    this.#flags = flags;
    this.#extra = extra;
    this.#choose = choose;
  }

  choice(alternatives: readonly AST.Alternative[]): string {
    return (this.#choose(alternatives)?.elements ?? []).map((element) => this.#text(element)).join('');
  }

  #text(element: AST.Element): string {
    switch (element.type) {
      case 'Character':
        return String.fromCodePoint(element.value);
      case 'CharacterSet':
      case 'CharacterClass':
      case 'ExpressionCharacterClass': {
        const expression = new RegExp(`^${element.raw}$`, this.#flags);
        return this.#choose(USUAL.filter((character) => expression.test(character))) ?? firstOf(expression);
      }
      case 'Quantifier': {
        const times = Math.min(element.min + this.#extra, element.max);
        return Array.from({ length: times }, () => this.#text(element.element)).join('');
      }
      case 'CapturingGroup': {
        const text = this.choice(element.alternatives);
        this.#groups.set(element, text);
        return text;
      }
      case 'Group':
        return this.choice(element.alternatives);
      case 'Backreference':
        return [element.resolved].flat().reduce((text, group) => text + (this.#groups.get(group) ?? ''), '');
      default:
        return '';
    }
  }
}

function firstOf(expression: RegExp): string {
  for (let code = 0; code < 0x1_0000; code += 1) {
    const character = String.fromCharCode(code);
    if (expression.test(character)) return character;
  }
  return '';
}
