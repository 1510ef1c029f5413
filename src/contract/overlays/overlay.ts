import { dirname, join, resolve } from 'node:path';
import { isInside } from '../../files/containment.ts';
import type { Provenance } from '../../schema/schema-document.ts';
import { sortedText } from '../../text/sorted-text.ts';
import { checkInfo } from '../check-document.ts';
import type { Notice, OverlaySource } from '../contract.ts';
import {
  childOf,
  entriesOf,
  faultAt,
  isContainer,
  isMapping,
  type Key,
  type Mark,
  type MutableJson,
  type MutableObject,
  placeOfMark,
  provenanceIn,
  type Tree,
} from '../document-tree.ts';
import type { ContractFolder } from '../folder.ts';
import { parseSource, readText, shownPath } from '../source.ts';
import { type CompileJsonPath, compilerFor, type Query } from './json-path.ts';
import { type RecordedHead, recordedHead, wholeLines } from './recorded-head.ts';

export interface OverlayAction {
  readonly target: string;
  readonly query: Query;
  readonly update?: { readonly value: MutableJson; readonly mark: Mark };
  readonly copy?: { readonly query: Query; readonly mark: Mark };
  readonly remove: boolean;
  /** True from Overlay 1.1 on: the target may be a plain value. */
  readonly takesPlain: boolean;
  readonly mark: Mark;
}

export interface Overlay {
  readonly file: string;
  /** The provenance of its facts: `x-provenance` of its root, `documented` by default. */
  readonly provenance: Provenance;
  readonly actions: readonly OverlayAction[];
  readonly head?: RecordedHead | undefined;
  readonly tree: Tree;
  /** Actions that are valid, but not meant so. */
  readonly notices: readonly Notice[];
}

/**
 * Reads an overlay and checks it by its declared specification (OpenAPI Overlay 1.0 or 1.1).
 * @param root path of its document
 * @param folder its contract folder
 * @throws ToolError `overlay-invalid` with file, line and column; `file-missing`, `file-unreadable`.
 */
export async function readOverlay(
  source: string | OverlaySource,
  root: string,
  folder: ContractFolder,
  signal?: AbortSignal,
): Promise<Overlay> {
  const { file, text } = typeof source === 'string' ? { file: source, text: undefined } : source;
  const written = text ?? (await readText(file, 'overlay-invalid', folder));
  const { tree, path } = await parseSource(file, wholeLines(written), 'overlay-invalid', folder, signal);
  const document = tree.root;
  if (!isMapping(document)) throw faultAt(tree.rootMark, 'An overlay must be an object.');
  const takesPlain = versionOf(document, tree) !== '1.0';
  checkFields(document, tree, tree.rootMark, ['overlay', 'info', 'extends', 'actions'], 'An overlay');
  checkInfo(tree, 'An overlay needs an info object with title and version.');
  const info = document.info as MutableObject;
  checkFields(info, tree, tree.nearest(['info']), ['title', 'version', 'description'], 'info');
  checkDescription(info, tree, tree.nearest(['info']));
  checkExtends(document, tree, path, root, folder);
  const provenance = provenanceOf(document, tree);
  const head = recordedHead(tree);
  // the last action of a truncated recording is incomplete
  const actions = await actionsOf(document, tree, takesPlain, head?.complete === false);
  return { file: shownPath(path, folder), provenance, actions, head, tree, notices: oddActions(document, tree) };
}

function markOf(tree: Tree, container: MutableObject | MutableJson[], key: Key, otherwise: Mark): Mark {
  return tree.mark(container, key) ?? otherwise;
}

function versionOf(document: MutableObject, tree: Tree): '1.0' | '1.1' {
  const version = document.overlay;
  const known = typeof version === 'string' ? /^(1\.[01])\.\d+$/.exec(version)?.[1] : undefined;
  if (known !== undefined) return known === '1.0' ? '1.0' : '1.1';
  const mark = markOf(tree, document, 'overlay', tree.rootMark);
  if (version === undefined)
    throw faultAt(mark, 'The document does not say overlay: 1.1.0.', { hint: 'An overlay begins with that line.' });
  throw faultAt(mark, `overlay: ${JSON.stringify(version)} is neither 1.0.x nor 1.1.x.`, {
    part: 'value',
    hint: 'This tool reads Overlay 1.0 and 1.1.',
  });
}

function checkFields(value: MutableObject, tree: Tree, mark: Mark, known: readonly string[], what: string): void {
  const wrong = Object.keys(value).find((key) => !known.includes(key) && !key.startsWith('x-'));
  if (wrong !== undefined) {
    throw faultAt(markOf(tree, value, wrong, mark), `${what} has no field ${wrong}.`, {
      hint: `It has ${known.join(', ')} and x-….`,
    });
  }
}

function checkDescription(value: MutableObject, tree: Tree, mark: Mark): void {
  const { description = '' } = value;
  if (typeof description !== 'string')
    throw faultAt(markOf(tree, value, 'description', mark), 'description must be a string.', { part: 'value' });
}

/** A network address cannot be checked here. A relative one must name the current document. */
function checkExtends(document: MutableObject, tree: Tree, path: string, root: string, folder: ContractFolder): void {
  const target = document.extends;
  if (target === undefined) return;
  const mark = markOf(tree, document, 'extends', tree.rootMark);
  if (typeof target !== 'string') throw faultAt(mark, 'extends must be a string.', { part: 'value' });
  if (/^[a-z][a-z0-9+.-]+:/i.test(target)) return;
  const named = resolve(dirname(path), target.replace(/#.*$/, ''));
  const homes = [dirname(folder.spec), join(folder.dir, 'dist')];
  const ours = (file: string): boolean => homes.some((home) => isInside(home, file));
  if (named === resolve(root) || (ours(named) && ours(resolve(root)))) return;
  throw faultAt(mark, `The overlay extends ${shownPath(named, folder)}, not ${shownPath(root, folder)}.`, {
    part: 'value',
  });
}

function provenanceOf(document: MutableObject, tree: Tree): Provenance {
  const word = document['x-provenance'];
  if (word === undefined) return 'documented';
  return provenanceIn(word, markOf(tree, document, 'x-provenance', tree.rootMark));
}

async function actionsOf(
  document: MutableObject,
  tree: Tree,
  takesPlain: boolean,
  isCut: boolean,
): Promise<OverlayAction[]> {
  const mark = markOf(tree, document, 'actions', tree.rootMark);
  const actions = document.actions;
  if (!Array.isArray(actions) || actions.length === 0) throw faultAt(mark, 'An overlay needs at least one action.');
  const paths = actions.flatMap((action) => [childOf(action, 'target') ?? null, childOf(action, 'copy') ?? null]);
  const compile = await compilerFor(paths);
  return (isCut ? actions.slice(0, -1) : actions).map((action, index) => {
    return { ...actionOf(action, tree, markOf(tree, actions, index, mark), compile), takesPlain };
  });
}

function actionOf(
  action: MutableJson,
  tree: Tree,
  mark: Mark,
  compile: CompileJsonPath,
): Omit<OverlayAction, 'takesPlain'> {
  if (!isMapping(action)) throw faultAt(mark, 'An action must be an object.', { part: 'value' });
  checkFields(action, tree, mark, ['target', 'description', 'update', 'copy', 'remove'], 'An action');
  const at = markOf(tree, action, 'target', mark);
  const { target, copy, remove = false } = action;
  if (typeof target !== 'string') throw faultAt(at, 'An action needs a target, a JSONPath.', { part: 'value' });
  if (typeof remove !== 'boolean')
    throw faultAt(markOf(tree, action, 'remove', mark), 'remove must be true or false.', { part: 'value' });
  checkDescription(action, tree, mark);
  const hasUpdate = Object.hasOwn(action, 'update');
  const query = attempt(at, 'The target is no JSONPath (RFC 9535)', () => compile(target));
  if (remove && query.location?.length === 0)
    throw faultAt(at, 'The root of the document cannot be removed.', { part: 'value' });
  if (remove) return { target, query, remove, mark: at };
  if (copy !== undefined) {
    const from = markOf(tree, action, 'copy', mark);
    if (hasUpdate) throw faultAt(from, 'An action either updates or copies.');
    if (typeof copy !== 'string') throw faultAt(from, 'copy must be a JSONPath.', { part: 'value' });
    const source = attempt(from, 'copy is no JSONPath (RFC 9535)', () => compile(copy));
    return { target, query, remove, mark: at, copy: { query: source, mark: from } };
  }
  if (!hasUpdate) return { target, query, remove, mark: at };
  const update = { value: action.update as MutableJson, mark: markOf(tree, action, 'update', mark) };
  refuseStamps(update.value, tree);
  return { target, query, remove, mark: at, update };
}

/** An action with a target alone, and an action that stands twice (`uniqueItems` in the schema of the specification). */
function oddActions(document: MutableObject, tree: Tree): Notice[] {
  const seen = new Set<string>();
  return entriesOf(document.actions as MutableJson[]).flatMap(([index, action]) => {
    const text = sortedText(action);
    const isRepeated = seen.has(text);
    seen.add(text);
    const isIdle = ['update', 'copy'].every((word) => childOf(action, word) === undefined);
    const place = placeOfMark(tree.nearest(['actions', index]));
    const notice = (message: string): Notice => ({ code: 'overlay-action-odd', message, place });
    return [
      ...(isIdle && childOf(action, 'remove') !== true
        ? [notice('The action has a target alone, so it changes nothing.')]
        : []),
      ...(isRepeated ? [notice('The same action stands twice in the overlay.')] : []),
    ];
  });
}

function attempt<T>(mark: Mark, what: string, act: () => T): T {
  try {
    return act();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw faultAt(mark, `${what}: ${reason.replace(/\.?$/, '.')}`, { part: 'value', cause });
  }
}

/** Only the root of an overlay may state its provenance. */
function refuseStamps(value: MutableJson, tree: Tree): void {
  if (!isContainer(value)) return;
  for (const [key, child] of entriesOf(value)) {
    if (key === 'x-provenance') {
      const hint = 'Move facts with another provenance to a separate overlay.';
      throw faultAt(markOf(tree, value, key, tree.rootMark), 'x-provenance belongs at the root of an overlay.', {
        hint,
      });
    }
    refuseStamps(child, tree);
  }
}

/** Locations of the selected nodes. @throws ToolError `overlay-invalid` if one of them must not be selected */
export function selectedBy({ mark, query, remove, takesPlain }: OverlayAction, tree: Tree): Key[][] {
  const nodes = attempt(mark, 'The target cannot be evaluated', () => query.select(tree.root));
  if (!takesPlain && !remove && nodes.some(({ value }) => !isContainer(value))) {
    throw faultAt(mark, 'The target selects a value that is neither an object nor an array.', {
      part: 'value',
      hint: 'Select the object that holds it, or begin with overlay: 1.1.0, which replaces plain values.',
    });
  }
  const kinds = new Set(nodes.map(({ value }) => jsonKind(value)));
  if (!remove && kinds.size > 1) {
    const found = [...kinds].join(' as well as ');
    throw faultAt(mark, `The target selects ${found}. One value cannot fit both.`, { part: 'value' });
  }
  return nodes.map(({ location }) => [...location]);
}

export function jsonKind(value: MutableJson | undefined): 'an array' | 'an object' | 'a plain value' {
  if (Array.isArray(value)) return 'an array';
  return isMapping(value) ? 'an object' : 'a plain value';
}
