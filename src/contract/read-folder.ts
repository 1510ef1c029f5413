import { dirname, join, resolve } from 'node:path';
import { ToolError } from '../errors.ts';
import { realPathBelow } from '../files/containment.ts';
import { PART, unlessMissing } from '../files/read.ts';
import { readChecked, readPlaced } from './checked-file.ts';
import { confine } from './confine.ts';
import { assumedIn, type ContractFile } from './contract-file.ts';
import { documentIn } from './document-folder.ts';
import { type ContractFolder, folderParts } from './folder.ts';

/**
 * Reads `contract.yaml` of a folder.
 *
 * @param root a folder around it that must contain everything the contract refers to; the contract folder by default
 * @throws ToolError `file-missing` without the file; `spec-invalid` if it is invalid or a part lies outside `root`.
 */
export async function readContractFolder(dir: string, root: string = dir): Promise<ContractFolder> {
  const file = join(resolve(dir), 'contract.yaml');
  const reading = realPathBelow(root, file).then(() => readChecked<ContractFile>(file, 'contract', PART));
  const checked = await unlessMissing(reading, null);
  if (checked === null) {
    const document = await documentIn(dirname(file));
    if (document !== undefined) return document;
    throw new ToolError('file-missing', `${file} does not exist.`, {
      hint: 'A contract folder has a contract.yaml, or one OpenAPI document, at its root; docs/contracts.md describes it.',
    });
  }
  const { value } = checked;
  const parts = { ...folderParts(value, dirname(file)), root: resolve(root) };
  await confine(parts);
  // the rest of that file is checked by the code that reads the whole file
  const entities = await unlessMissing(readPlaced(parts.entities, PART), { value: {} });
  return { ...parts, assumed: assumedIn(entities.value) };
}
