import type { Notice } from './contract.ts';
import { mergeDocumented } from './inherit.ts';
import { locatedIn, nameOnlyIn } from './operations.ts';
import { settleRivals } from './rivals.ts';
import { placeOfMark, type Tree } from './tree.ts';

/**
 * Makes operations of what overlays put under `paths`: an operation with the operationId of one that is known by name only inherits
 * what is documented of that; any other is reported as unknown, and is an operation all the same. Changes the tree.
 * @throws ToolError `overlay-invalid` where overlays contradict each other.
 */
export function locateOperations(tree: Tree): Notice[] {
  settleRivals(tree);
  const named = nameOnlyIn(tree);
  const notices: Notice[] = [];
  for (const spot of locatedIn(tree)) {
    if (tree.nearest(spot.tokens).origin.code !== 'overlay-invalid') continue;
    const operationId = String(spot.value.operationId);
    const known = named.has(operationId);
    mergeDocumented(tree, spot, known ? operationId : undefined);
    if (known) continue;
    notices.push({
      code: 'unknown-operation',
      message: `The reference knows no operation ${operationId}.`,
      place: placeOfMark(tree.nearest([...spot.tokens, 'operationId']), 'value'),
    });
  }
  return notices;
}
