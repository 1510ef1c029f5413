import { unlessMissing } from '../files/read.ts';
import { applyOverlay } from './apply.ts';
import { bundle } from './bundle.ts';
import type { Contract, Json, JsonObject, LoadOptions, Notice } from './contract.ts';
import { type ContractFolder, ownFolder } from './folder.ts';
import { locateOperations } from './locate.ts';
import { indexOperations, tenantOf, tokenOf } from './operations.ts';
import { type Action, type Overlay, readOverlay } from './overlay.ts';
import { parsePointer } from './pointer.ts';
import { checkReferences } from './references.ts';
import { checkPaths, checkRoot } from './shape.ts';
import { readStamps } from './stamp.ts';
import { type Key, placeOfMark, type Tree } from './tree.ts';
import { unmatchedNotice } from './unmatched.ts';

/**
 * Loads the contract: the root document with all it refers to as one bundle, the overlays applied in their order, the operations that
 * they locate, and beside it what each part rests on and where it was written.
 *
 * @throws ToolError `spec-invalid` or `overlay-invalid` (exit 3) with file, line and column; `file-missing` or `file-unreadable` (exit 2).
 */
export async function loadContract(options: LoadOptions = {}): Promise<Contract> {
  const { folder = ownFolder, root = folder.spec, overlays: given = [], assumed = false } = options;
  const [base, below, ...above] = await Promise.all([
    bundle(root, folder),
    // a contract need not assume anything
    assumed ? unlessMissing(readOverlay(folder.assumptions, root, folder), null) : null,
    ...given.map((overlay) => readOverlay(overlay, root, folder)),
  ]);
  checkRoot(base);
  readStamps(base);
  checkReferences(base);
  checkPaths(base);
  return contractOf(folder, ...withOverlays(base, below === null ? above : [below, ...above]));
}

function withOverlays(base: Tree, overlays: readonly Overlay[]): [tree: Tree, notices: readonly Notice[]] {
  if (overlays.length === 0) return [base, []];
  const notices: Notice[] = [];
  const unmatched: Action[] = [];
  let tree = base;
  for (const overlay of overlays) {
    const applied = applyOverlay(tree, overlay);
    tree = applied.tree;
    notices.push(...applied.notices);
    unmatched.push(...applied.unmatched);
  }
  checkRoot(tree);
  checkReferences(tree);
  notices.push(...locateOperations(tree));
  checkPaths(tree);
  const missed = unmatched.map((action) => unmatchedNotice(action, tree));
  return [tree, [...missed, ...notices]];
}

function contractOf(folder: ContractFolder, tree: Tree, notices: readonly Notice[]): Contract {
  const operations = indexOperations(tree);
  const byId = new Map(operations.map((operation) => [operation.operationId, operation]));
  const tokensOf = (pointer: string): readonly Key[] => parsePointer(pointer) ?? [];
  return Object.freeze({
    folder,
    document: deepFreeze(tree.root) as JsonObject,
    operations: Object.freeze(operations),
    notices: Object.freeze(notices),
    token: tokenOf(tree, operations),
    tenant: tenantOf(tree, operations),
    operation: (operationId: string) => byId.get(operationId),
    provenanceOf: (pointer: string) => tree.nearest(tokensOf(pointer)).provenance,
    placeOf: (pointer: string) => placeOfMark(tree.nearest(tokensOf(pointer))),
    at: (pointer: string): Json | undefined => tree.find(tokensOf(pointer))?.value,
  });
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const child of Object.values(value)) deepFreeze(child);
  }
  return value;
}
