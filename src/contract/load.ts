import { unlessMissing } from '../files/read.ts';
import type { Json, JsonObject } from '../schema/json.ts';
import { parsePointer } from '../text/pointer.ts';
import { addTokenEndpoint, tokenOf } from './auth.ts';
import { bundle } from './bundle.ts';
import { checkPaths, checkRoot, nameOperations, readNumbersAsText, unreadParts } from './check-document.ts';
import { checkSchemas } from './check-schemas.ts';
import { confine } from './confine.ts';
import type { Contract, LoadOptions, Notice, Operation } from './contract.ts';
import { deepFreeze, type Key, placeOfMark, plainText, type Tree } from './document-tree.ts';
import { mayDeclareReads, type StatedEffects, statedEffects } from './effects.ts';
import { type ContractFolder, ownFolder } from './folder.ts';
import { locateOperations } from './locate.ts';
import { indexOperations, tenantOf } from './operations.ts';
import { applyOverlay } from './overlays/apply.ts';
import { type Overlay, type OverlayAction, readOverlay } from './overlays/overlay.ts';
import { type Applied, recordingNotices, unwatchedBy } from './overlays/recorded.ts';
import { readStamps } from './overlays/stamp.ts';
import { addPolicy } from './policy.ts';
import { checkReferences } from './references.ts';
import { endIfInterrupted } from './source.ts';
import { upgradeSwagger } from './swagger.ts';
import { pause } from './time-slices.ts';

/**
 * Loads a contract: bundles the root document, applies the overlays in order, and locates the operations. Keeps the
 * provenance and position of each part beside it.
 *
 * @throws ToolError `spec-invalid` or `overlay-invalid` (exit 3) with file, line and column; `file-missing` or
 * `file-unreadable` (exit 2).
 */
export async function loadContract(options: LoadOptions = {}): Promise<Contract> {
  const { folder = ownFolder, root = folder.spec, overlays: given = [], assumed = false, signal } = options;
  await confine(folder);
  const [base, below] = await Promise.all([
    bundle(root, folder, signal),
    // a contract may have no assumptions
    assumed ? unlessMissing(readOverlay(folder.assumptions, root, folder), null) : null,
  ]);
  const overlays: Overlay[] = below === null ? [] : [below];
  for (const overlay of given) {
    // sequentially, because each may be large
    await betweenStages(signal);
    overlays.push(await readOverlay(overlay, root, folder, signal));
  }
  const numbers = readNumbersAsText(base);
  upgradeSwagger(base);
  checkRoot(base);
  const renamed = nameOperations(base);
  addTokenEndpoint(base);
  readStamps(base);
  checkReferences(base);
  checkPaths(base);
  const reads = root === folder.spec ? await addPolicy(base, folder) : new Set<string>();
  const effects = statedEffects(base, mayDeclareReads(folder) ? reads : new Set());
  const [tree, noticed] = await withOverlays(base, overlays, effects, folder, signal);
  await betweenStages(signal);
  const notices = [
    ...fetchedNotices(folder),
    ...numbers,
    ...renamed,
    ...noticed,
    ...unreadParts(tree),
    ...(await checkSchemas(tree)),
  ];
  await betweenStages(signal);
  return contractOf(folder, tree, indexOperations(tree, effects), notices);
}

function fetchedNotices({ fetched }: ContractFolder): Notice[] {
  if (fetched === undefined) return [];
  const { url, sha256 } = fetched;
  return [{ code: 'document-fetched', message: `The document has the SHA-256 hash ${sha256}.`, place: { file: url } }];
}

async function betweenStages(signal: AbortSignal | undefined): Promise<void> {
  await pause();
  endIfInterrupted(signal);
}

async function withOverlays(
  base: Tree,
  overlays: readonly Overlay[],
  effects: StatedEffects,
  { name }: ContractFolder,
  signal: AbortSignal | undefined,
): Promise<[tree: Tree, notices: readonly Notice[]]> {
  if (overlays.length === 0) return [base, []];
  const notices: Notice[] = [];
  const applied: Applied[] = [];
  let tree = base;
  for (const overlay of overlays) {
    await betweenStages(signal);
    const { tree: next, notices: added, unmatched } = applyOverlay(tree, overlay);
    tree = next;
    effects.add(tree);
    notices.push(...added);
    applied.push({ overlay, unmatched });
  }
  await betweenStages(signal);
  checkRoot(tree);
  checkReferences(tree);
  notices.push(...locateOperations(tree));
  checkPaths(tree);
  const operations = indexOperations(tree, effects);
  const missed = applied.flatMap((each) =>
    each.unmatched.map((action): Notice => {
      const unwatched = unwatchedBy(action, each, operations);
      return { ...unmatchedNotice(action, tree), ...(unwatched.length > 0 && { unwatched }) };
    }),
  );
  const { info } = base.root as { readonly info?: { readonly version?: unknown } };
  const recorded = recordingNotices(applied, { name, version: String(info?.version ?? ''), operations });
  return [tree, [...missed, ...recorded, ...notices]];
}

function contractOf(
  folder: ContractFolder,
  tree: Tree,
  operations: readonly Operation[],
  notices: readonly Notice[],
): Contract {
  const byId = new Map(operations.map((operation) => [operation.operationId, operation]));
  const segmentsOf = (pointer: string): readonly Key[] => parsePointer(pointer) ?? [];
  // Only existing nodes, so that it is never larger than the document.
  const nodes = new Map<string, NonNullable<ReturnType<Tree['find']>>>();
  const find = (pointer: string): ReturnType<Tree['find']> => {
    const node = nodes.get(pointer) ?? tree.find(segmentsOf(pointer));
    if (node !== undefined) nodes.set(pointer, node);
    return node;
  };
  const markAt = (pointer: string) => find(pointer)?.mark ?? tree.nearest(segmentsOf(pointer));
  return Object.freeze({
    folder,
    document: deepFreeze(tree.root) as JsonObject,
    operations: Object.freeze(operations),
    notices: Object.freeze(notices),
    token: tokenOf(tree, operations),
    tenant: tenantOf(tree, operations),
    operation: (operationId: string) => byId.get(operationId),
    provenanceOf: (pointer: string) => markAt(pointer).provenance,
    placeOf: (pointer: string) => placeOfMark(markAt(pointer)),
    at: (pointer: string): Json | undefined => find(pointer)?.value,
  });
}

/**
 * The notice for an action without a target, which changed nothing.
 * @param final the document with all overlays: a later one may add the target
 */
function unmatchedNotice(action: OverlayAction, final: Tree): Notice {
  const [message, hint] = isThere(action, final)
    ? ['matches nothing yet: a later overlay adds it.', 'Give that one before this one.']
    : [
        'matches nothing.',
        'If another overlay adds it (for example, by locating the operation), pass that overlay first.',
      ];
  return {
    code: 'overlay-target-unmatched',
    message: plainText(`The target ${action.target} ${message}`),
    hint,
    place: placeOfMark(action.mark, 'value'),
  };
}

function isThere({ query }: OverlayAction, { root }: Tree): boolean {
  try {
    return query.select(root).length > 0;
  } catch {
    // a path that cannot be evaluated matches nothing
    return false;
  }
}
