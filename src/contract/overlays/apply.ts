import { PROVENANCES, type Provenance } from '../../schema/schema-document.ts';
import { isMethod } from '../../schema/structure.ts';
import { joinPointer } from '../../text/pointer.ts';
import { sortedText } from '../../text/sorted-text.ts';
import type { Notice } from '../contract.ts';
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
  Tree,
} from '../document-tree.ts';
import { jsonKind, type Overlay, type OverlayAction, selectedBy } from './overlay.ts';

/** Arrays that OpenAPI and JSON Schema treat as sets: an equal entry is not appended again. */
const SETS: ReadonlySet<Key> = new Set([
  'required',
  'enum',
  'type',
  'tags',
  'security',
  'parameters',
  'x-parameters',
  'x-not-shown',
]);

/**
 * Applies an overlay to a copy of a document (OpenAPI Overlay Specification 1.1.0). Objects are merged, arrays are
 * appended to, plain values are replaced, `remove` wins. Changed nodes get the overlay's provenance and position.
 *
 * @returns the new tree, notices for the user, and the actions without a target
 * @throws ToolError `overlay-invalid`
 */
export function applyOverlay(
  document: Tree,
  overlay: Overlay,
): { readonly tree: Tree; readonly notices: readonly Notice[]; readonly unmatched: readonly OverlayAction[] } {
  const result = document.clone();
  const notices: Notice[] = [...overlay.notices];
  const unmatched: OverlayAction[] = [];
  let added = 0;
  for (const action of overlay.actions) apply(action);
  return { tree: result, notices, unmatched };

  function apply(action: OverlayAction): void {
    const locations = selectedBy(action, result);
    if (action.update === undefined && action.copy === undefined && !action.remove) return;
    if (locations.length === 0) unmatched.push(action);
    if (action.remove) remove(locations, action);
    else if (locations.length > 0) {
      const written = writtenBy(action);
      for (const location of locations) update(location, written);
    }
  }

  /** The value of an action: its update, or a copy of a node as earlier actions left it, with the new provenance. */
  function writtenBy({ update, copy, mark }: OverlayAction): Written {
    if (update) return { ...update, tree: overlay.tree };
    const found = copy?.query.select(result.root) ?? [];
    const at = copy?.mark ?? mark;
    const [one] = found;
    if (one === undefined || found.length > 1) {
      const many = found.length === 0 ? 'nothing' : `${found.length} nodes`;
      throw faultAt(at, `copy selects ${many}, and one node can be copied.`, { part: 'value' });
    }
    const tree = new Tree(null, at);
    tree.root = tree.copy(one.value, result, () => at);
    return { value: tree.root, mark: at, tree };
  }

  /** The mark of an overlay's node in the document. Each added node gets its own. */
  function remark(mark: Mark): Mark {
    added += 1;
    if (added > MOST_ADDED) {
      throw faultAt(mark, `The overlay makes more than ${MOST_ADDED} nodes: it matches its own additions.`);
    }
    return { ...mark, provenance: overlay.provenance };
  }

  function update(location: readonly Key[], { value, mark, tree }: Written): void {
    const target = result.find(location)?.value;
    if (Array.isArray(target)) {
      append(target, Array.isArray(value) ? entriesIn(value, mark, tree) : [[value, mark]], location, tree);
    } else if (isMapping(target)) {
      if (!isMapping(value)) throw faultAt(mark, 'An object can only be updated by an object.', { part: 'value' });
      merge(target, value, location, tree);
    } else {
      const holder = result.find(location.slice(0, -1))?.value;
      if (isContainer(value))
        throw faultAt(mark, 'A plain value can only be replaced by a plain value.', { part: 'value' });
      if (isContainer(holder) && target !== undefined) {
        replace(holder, location.at(-1) as Key, target, { value, mark, tree }, location);
      }
    }
  }

  function merge(target: MutableObject, update: MutableObject, at: readonly Key[], tree: Tree): void {
    for (const [key, value] of Object.entries(update)) {
      const mark = tree.mark(update, key) as Mark;
      const there = childOf(target, key);
      const below = [...at, key];
      const written: Written = { value, mark, tree };
      if (there === undefined) put(target, key, written);
      else if (isMapping(there) && isMapping(value)) {
        if (settled(target, key, there, written, below)) continue;
        confirm(target, key, mark);
        merge(there, value, below, tree);
      } else if (Array.isArray(there) && Array.isArray(value)) {
        append(there, entriesIn(value, mark, tree), below, tree);
      } else replace(target, key, there, written, below);
    }
  }

  function put(target: MutableObject | MutableJson[], key: Key, { value, mark, tree }: Written): void {
    result.set(target, key, result.copy(value, tree, remark), remark(mark));
  }

  /** An assumed operation is replaced as a whole, so that its assumptions do not apply to the new one. */
  function settled(
    target: MutableObject,
    key: string,
    there: MutableObject,
    written: Written,
    at: readonly Key[],
  ): boolean {
    if (at.length !== 3 || at[0] !== 'paths' || !isMethod(key)) return false;
    const operationId = childOf(written.value, 'operationId');
    if (typeof operationId !== 'string' || there.operationId === operationId) return false;
    const was = result.mark(target, key)?.provenance;
    const is = overlay.provenance;
    if (was === 'observed' && is === 'assumed') return true;
    if (was !== 'assumed' || is === 'assumed') return false;
    put(target, key, written);
    return true;
  }

  function replace(
    target: MutableObject | MutableJson[],
    key: Key,
    there: MutableJson,
    written: Written,
    at: readonly Key[],
  ): void {
    const { value, mark } = written;
    if (there === value) {
      confirm(target, key, mark);
      return;
    }
    if (isContainer(there)) {
      const hint = 'Remove it first, by an action before this one.';
      const what = `${joinPointer('', ...at)} is ${jsonKind(there)} and cannot be merged with ${jsonKind(value)}.`;
      throw faultAt(mark, what, { part: 'value', hint });
    }
    const was = result.mark(target, key);
    // An assumption yields to an observation, in either order of the overlays.
    if (was?.provenance === 'observed' && overlay.provenance === 'assumed') return;
    if (was) changed(was, mark, `changes ${joinPointer('', ...at)}`);
    put(target, key, written);
  }

  function append(
    target: MutableJson[],
    entries: readonly (readonly [MutableJson, Mark])[],
    at: readonly Key[],
    tree: Tree,
  ): void {
    const isSet = SETS.has(at.at(-1) ?? '');
    const known = isSet ? target.map(sortedText) : [];
    for (const [entry, mark] of entries) {
      const same = isSet ? known.indexOf(sortedText(entry)) : -1;
      if (same >= 0) confirm(target, same, mark);
      else {
        put(target, target.length, { value: entry, mark, tree });
        known.push(sortedText(entry));
      }
    }
  }

  /** The overlay repeats an existing value: the fact keeps the stronger provenance. */
  function confirm(target: MutableObject | MutableJson[], key: Key, mark: Mark): void {
    const there = result.mark(target, key);
    if (!there || strongest(there.provenance, overlay.provenance) === there.provenance) return;
    result.setMark(target, key, remark(mark));
  }

  function remove(locations: readonly (readonly Key[])[], action: OverlayAction): void {
    const byParent = new Map<MutableObject | MutableJson[], Set<Key>>();
    for (const location of locations) {
      const parent = result.find(location.slice(0, -1))?.value;
      const key = location.at(-1);
      if (!isContainer(parent) || key === undefined) {
        throw faultAt(action.mark, 'The root of the document cannot be removed.', { part: 'value' });
      }
      const keys = byParent.get(parent) ?? new Set<Key>();
      byParent.set(parent, keys.add(key));
      const documented = documentedIn(parent, key);
      if (documented) changed(documented, action.mark, `removes ${joinPointer('', ...location)}`);
    }
    for (const [parent, keys] of byParent) result.remove(parent, keys);
  }

  function documentedIn(container: MutableObject | MutableJson[], key: Key): Mark | undefined {
    const mark = result.mark(container, key);
    if (mark?.provenance === 'documented') return mark;
    const value = childOf(container, key);
    if (!isContainer(value)) return undefined;
    for (const [inner] of entriesOf(value)) {
      const found = documentedIn(value, inner);
      if (found) return found;
    }
    return undefined;
  }

  function changed(was: Mark, mark: Mark, what: string): void {
    if (was.provenance !== 'documented') return;
    if (overlay.provenance === 'assumed') {
      throw faultAt(mark, `An assumption may not contradict the reference: it ${what}.`, { part: 'value' });
    }
    notices.push({
      code: 'overlay-changes-documented',
      message: `The overlay ${what}, which is documented.`,
      place: placeOfMark(mark, 'value'),
    });
  }
}

export function strongest(a: Provenance, b: Provenance): Provenance {
  return PROVENANCES.find((provenance) => provenance === a || provenance === b) ?? a;
}

/** Limit for the nodes that one overlay adds, because an action that copies may double the document each time. */
const MOST_ADDED = 1_000_000;

interface Written {
  readonly value: MutableJson;
  readonly mark: Mark;
  readonly tree: Tree;
}

function entriesIn(list: MutableJson[], otherwise: Mark, tree: Tree): [MutableJson, Mark][] {
  return list.map((entry, index) => [entry, tree.mark(list, index) ?? otherwise]);
}
