import { preparePatterns } from '../patterns/pattern.ts';
import { entriesOf, faultAt, isContainer, isObject, type Mark, type MutableJson, type Tree } from './document-tree.ts';
import { type Kind, kindOfChild } from './structure.ts';

/**
 * Makes every pattern of the schemas of a document ready, and refuses one that a single text could keep busy for longer than anyone waits.
 * @throws ToolError `spec-invalid` or `overlay-invalid`, by who wrote it, at its place.
 */
export async function checkPatterns(tree: Tree): Promise<void> {
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
  for (const pattern of await preparePatterns(places.keys())) {
    const { mark, part } = places.get(pattern) as { readonly mark: Mark; readonly part: 'key' | 'value' };
    const hint =
      'Write it without back-references, without looking around but at its start (^(?=…)), and with no repetition above 1000.';
    throw faultAt(
      mark,
      `The pattern ${pattern} may take for ever: no way is known to match it in one pass over a text.`,
      {
        part,
        hint,
      },
    );
  }
}
