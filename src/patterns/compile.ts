import type { AST } from '@eslint-community/regexpp';
import { isSurelyFast } from './steps.ts';
import { treeOf } from './tree.ts';

export type Test = (text: string) => boolean;

export type Unjudged = 'not a regular expression' | 'not matched in one pass';

/** A matcher that takes linear time for any text: V8's own regular expression if that is safe, otherwise RE2. */
export async function compilePattern(source: string): Promise<Test | Unjudged> {
  const parsed = treeOf(source);
  if (parsed === null) return 'not a regular expression';
  if (isSurelyFast(parsed.tree)) {
    const native = new RegExp(source, parsed.flags);
    return (text) => native.test(text);
  }
  return (await conjunction(parsed.tree)) ?? 'not matched in one pass';
}

/** Whether V8 runs this pattern in linear time. True for invalid patterns. */
export function isFastByItself(source: string): boolean {
  const parsed = treeOf(source);
  return parsed === null || isSurelyFast(parsed.tree);
}

/** `^(?=a)(?!b)c` states three conditions on the start of a text: each becomes a separate pattern. */
async function conjunction({ alternatives }: AST.Pattern): Promise<Test | null> {
  const { inRe2 } = await import('./re2.ts');
  const [only, ...others] = alternatives;
  const [start, ...elements] = only?.elements ?? [];
  const isAnchored = others.length === 0 && start?.type === 'Assertion' && start.kind === 'start';
  const rest = isAnchored ? elements.findIndex((element) => !isLookahead(element)) : 0;
  const asked = elements.slice(0, rest < 0 ? elements.length : rest).filter(isLookahead);
  if (only === undefined || asked.length === 0) return inRe2(alternatives);
  const tests = asked.map(({ negate, alternatives: own }) => {
    const anchored = own.map((one): AST.Alternative => ({ ...one, elements: [start as AST.Element, ...one.elements] }));
    const test = inRe2(anchored);
    return test !== null && negate ? (text: string) => !test(text) : test;
  });
  tests.push(inRe2([{ ...only, elements: [start as AST.Element, ...elements.slice(asked.length)] }]));
  return tests.every((test) => test !== null) ? (text) => tests.every((test) => test(text)) : null;
}

function isLookahead(element: AST.Element): element is AST.LookaheadAssertion {
  return element.type === 'Assertion' && element.kind === 'lookahead';
}
