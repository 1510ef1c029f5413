import type { Notice } from './contract.ts';
import type { Action } from './overlay.ts';
import { placeOfMark, plainText, type Tree } from './tree.ts';

/**
 * What is said of an action whose target was not there when it was applied: it changed nothing.
 * @param final the document with all overlays applied, which shows whether a later one adds the target.
 */
export function unmatchedNotice(action: Action, final: Tree): Notice {
  const [message, hint] = isThere(action, final)
    ? ['matches nothing yet: a later overlay adds it.', 'Give that one before this one.']
    : [
        'matches nothing.',
        'Where an overlay adds it, such as one that locates the operation, give that before this one.',
      ];
  return {
    code: 'overlay-target-unmatched',
    message: plainText(`The target ${action.target} ${message}`),
    hint,
    place: placeOfMark(action.mark, 'value'),
  };
}

function isThere({ query }: Action, { root }: Tree): boolean {
  try {
    return query.select(root).length > 0;
  } catch {
    // what cannot be evaluated there is not found there
    return false;
  }
}
