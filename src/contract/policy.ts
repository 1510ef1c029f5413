import { unlessMissing } from '../files/read.ts';
import type { Json } from '../schema/json.ts';
import { parsePointer } from '../text/pointer.ts';
import { didYouMean } from '../text/suggest.ts';
import { refuseWrong } from './checked-file.ts';
import { entriesOf, faultAt, type MutableObject, placeOfMark, type Tree, textOf } from './document-tree.ts';
import type { ContractFolder } from './folder.ts';
import { locatedIn, nameOnlyIn } from './operations.ts';
import { readSource } from './source.ts';

/** `policy.yaml` (`schemas/policy.schema.json`). */
interface PolicyFile extends MutableObject {
  readonly operations: Record<string, Record<'effect' | 'creates' | 'removes', string>>;
}

/**
 * Adds the words of the folder's `policy.yaml` to its document, as extensions. Does nothing without that file.
 *
 * @returns the operationIds that the policy declares a read
 * @throws ToolError `spec-invalid` if the file is invalid, names no operation, or repeats a word of the document
 */
export async function addPolicy(base: Tree, folder: ContractFolder): Promise<ReadonlySet<string>> {
  const source = await unlessMissing(readSource(folder.policy, 'spec-invalid', folder), null);
  if (source === null) return new Set();
  const { tree } = source;
  await refuseWrong(tree.root as Json, 'policy', 'spec-invalid', async (pointer, part) =>
    placeOfMark(tree.nearest(parsePointer(pointer) ?? []), part),
  );
  const { operations } = tree.root as PolicyFile;
  const byId = new Map([
    ...nameOnlyIn(base),
    ...locatedIn(base).map(({ value }) => [textOf(value.operationId), value] as const),
  ]);
  for (const [operationId, words] of Object.entries(operations)) {
    const operation = byId.get(operationId);
    if (operation === undefined) {
      const hint = didYouMean(operationId, [...byId.keys()]).trim();
      throw faultAt(tree.nearest(['operations', operationId]), `There is no operation ${operationId}.`, { hint });
    }
    for (const [name, word] of entriesOf(words)) {
      const mark = tree.nearest(['operations', operationId, name]);
      if (operation[`x-${name}`] !== undefined) {
        const hint = 'Remove one of the two.';
        throw faultAt(mark, `The document states x-${name} of ${operationId}, too.`, { hint });
      }
      base.set(operation, `x-${name}`, word, mark);
    }
  }
  return new Set(Object.keys(operations).filter((operationId) => operations[operationId]?.effect === 'read'));
}
