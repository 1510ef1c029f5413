import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp';
import { isLinear } from './linear.ts';

/** Whether a text matches. */
export type Test = (text: string) => boolean;

/**
 * A test of a pattern that ends in time proportional to any text: by the engine's own regular expression where it provably does, else by
 * RE2, which is loaded on need. Null where neither can be.
 *
 * @throws SyntaxError of what is no pattern.
 */
export async function compilePattern(source: string): Promise<Test | null> {
  const native = new RegExp(source, 'u');
  const pattern = treeOf(source);
  if (!isLinear(pattern)) return (await conjunction(pattern)) ?? (await inRe2(pattern));
  return keepsNotes(pattern) ? unlessTooLong(native, await inRe2(pattern)) : (text) => native.test(text);
}

/** True where the engine's own regular expression provably needs time in proportion to the text, and of what is no pattern. */
export function isLinearByItself(source: string): boolean {
  try {
    return isLinear(treeOf(source));
  } catch {
    return true;
  }
}

function treeOf(source: string): AST.Pattern {
  return new RegExpParser({ ecmaVersion: 2025 }).parsePattern(source, 0, source.length, { unicode: true });
}

async function inRe2(pattern: AST.Pattern): Promise<Test | null> {
  return (await import('./re2.ts')).inRe2(pattern);
}

/** True of loops of more than one character, of whose every turn the engine keeps a note. */
function keepsNotes(pattern: AST.Pattern): boolean {
  let found = false;
  visitRegExpAST(pattern, {
    onQuantifierEnter: ({ element, max, greedy }) => {
      found ||= max > 1000 && (!greedy || !['Character', 'CharacterSet', 'CharacterClass'].includes(element.type));
    },
  });
  return found;
}

/** The engine throws of a text of megabytes where it has no more room for its notes. */
function unlessTooLong(native: RegExp, linear: Test | null): Test {
  return (text) => {
    try {
      return native.test(text);
    } catch (cause) {
      if (linear === null) throw cause;
      return linear(text);
    }
  };
}

/** `^(?=a)(?!b)c` asks three things of the start of a text: each is a pattern by itself. */
async function conjunction({ alternatives: [only, ...others] }: AST.Pattern): Promise<Test | null> {
  const [start, ...elements] = only?.elements ?? [];
  if (others.length > 0 || start?.type !== 'Assertion' || start.kind !== 'start') return null;
  const rest = elements.findIndex((element) => !isLookahead(element));
  const asked = elements.slice(0, rest < 0 ? elements.length : rest).filter(isLookahead);
  if (asked.length === 0) return null;
  const tests: Test[] = [];
  for (const { negate, alternatives } of asked) {
    const test = await compilePattern(`^(?:${alternatives.map(({ raw }) => raw).join('|')})`);
    if (test === null) return null;
    tests.push(negate ? (text) => !test(text) : test);
  }
  const last = await compilePattern(
    `^${elements
      .slice(asked.length)
      .map(({ raw }) => raw)
      .join('')}`,
  );
  return last === null ? null : (text) => tests.every((test) => test(text)) && last(text);
}

function isLookahead(element: AST.Element): element is AST.LookaheadAssertion {
  return element.type === 'Assertion' && element.kind === 'lookahead';
}
