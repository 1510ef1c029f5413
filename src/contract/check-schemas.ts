import { preparePatterns } from '../patterns/pattern.ts';
import type { Notice } from './contract.ts';
import {
  entriesOf,
  isContainer,
  isObject,
  type Mark,
  type MutableJson,
  placeOfMark,
  plainText,
  type Tree,
} from './document-tree.ts';
import { type Kind, kindOfChild } from './structure.ts';

/** Makes every pattern of the schemas of a document ready. Returns a remark for each pattern that is not judged. */
export async function checkPatterns(tree: Tree): Promise<Notice[]> {
  const places = new Map<string, { readonly mark: Mark; readonly part: 'key' | 'value' }>();
  const visit = (value: MutableJson, kind: Kind): void => {
    if (!isContainer(value) || kind === 'data') return;
    if (kind === 'schema' && isObject(value)) {
      const { pattern, patternProperties } = value;
      const mark = tree.mark(value, 'pattern');
      if (typeof pattern === 'string' && mark && !places.has(pattern)) places.set(pattern, { mark, part: 'value' });
      for (const [name] of isObject(patternProperties) ? Object.entries(patternProperties) : []) {
        const own = tree.mark(patternProperties as MutableJson, name);
        if (own && !places.has(name)) places.set(name, { mark: own, part: 'key' });
      }
    }
    for (const [key, child] of entriesOf(value)) visit(child, kindOfChild(kind, key));
  };
  visit(tree.root, 'document');
  return [...(await preparePatterns(places.keys()))].map(([pattern, why]): Notice => {
    const { mark, part } = places.get(pattern) as { readonly mark: Mark; readonly part: 'key' | 'value' };
    const isPattern = why !== 'not a regular expression';
    return {
      code: 'pattern-not-judged',
      message: isPattern
        ? `The pattern ${plainText(pattern)} is not judged: it cannot be matched in one pass over a text.`
        : `The pattern ${plainText(pattern)} is not judged: it is not a regular expression.`,
      ...(isPattern && {
        hint: 'Write it without back-references, without lookarounds except at its start (^(?=…)), and without repetitions above 1000.',
      }),
      place: placeOfMark(mark, part),
    };
  });
}
