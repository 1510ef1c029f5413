import { joinPointer } from '../../pointer.ts';
import { type Notice, PROVENANCES, type Provenance } from '../contract.ts';
import {
  childOf,
  entriesOf,
  faultAt,
  isContainer,
  isObject,
  type Key,
  type Mark,
  type MutableJson,
  type MutableObject,
  placeOfMark,
  sameJson,
  type Tree,
} from '../document-tree.ts';
import { isMethod } from '../structure.ts';
import { type Action, nodeAt, type Overlay, selectedBy } from './overlay.ts';

/** Arrays that OpenAPI and JSON Schema treat as sets: saying an entry again does not make it stand there twice. */
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
 * Applies an overlay to a copy of a document, by the OpenAPI Overlay Specification 1.0.0: objects are merged, arrays are appended to,
 * primitives are replaced, `remove` wins over `update`. What it adds or changes takes its provenance and its place.
 *
 * @returns The new tree (the given one is left alone), what the user should know, and the actions whose target is not there.
 * @throws ToolError `overlay-invalid`
 */
export function applyOverlay(
  document: Tree,
  overlay: Overlay,
): { readonly tree: Tree; readonly notices: readonly Notice[]; readonly unmatched: readonly Action[] } {
  const application = new Application(document.clone(), overlay);
  for (const action of overlay.actions) application.apply(action);
  const { tree, notices, unmatched } = application;
  return { tree, notices, unmatched };
}

/** The stronger of what two sources say of the same fact. */
export function strongest(a: Provenance, b: Provenance): Provenance {
  return PROVENANCES.find((provenance) => provenance === a || provenance === b) ?? a;
}

class Application {
  readonly tree: Tree;
  readonly notices: Notice[] = [];
  readonly unmatched: Action[] = [];
  private readonly overlay: Overlay;

  constructor(tree: Tree, overlay: Overlay) {
    this.tree = tree;
    this.overlay = overlay;
  }

  apply(action: Action): void {
    const locations = selectedBy(action, this.tree);
    if (locations.length === 0) this.unmatched.push(action);
    if (action.remove) this.remove(locations, action);
    else if (action.update) for (const location of locations) this.update(location, action.update);
  }

  /** The mark that a node of the overlay has in the document. */
  private remark = (mark: Mark): Mark => ({ ...mark, provenance: this.overlay.provenance });

  private update(location: readonly Key[], update: { readonly value: MutableJson; readonly mark: Mark }): void {
    const target = nodeAt(this.tree, location);
    if (Array.isArray(target)) {
      const { value, mark } = update;
      this.append(target, Array.isArray(value) ? this.entriesIn(value, mark) : [[value, mark]], location);
    } else if (isObject(target)) {
      if (!isObject(update.value))
        throw faultAt(update.mark, 'An object can only be updated by an object.', { part: 'value' });
      this.merge(target, update.value, location);
    }
  }

  /** The entries of a list of the overlay, with their marks. */
  private entriesIn(list: readonly MutableJson[], otherwise: Mark): [MutableJson, Mark][] {
    return list.map((entry, index) => [entry, this.overlay.tree.mark(list as MutableJson[], index) ?? otherwise]);
  }

  private merge(target: MutableObject, update: MutableObject, at: readonly Key[]): void {
    for (const [key, value] of Object.entries(update)) {
      const mark = this.overlay.tree.mark(update, key) as Mark;
      const there = childOf(target, key);
      const below = [...at, key];
      if (there === undefined)
        this.tree.set(target, key, this.tree.copy(value, this.overlay.tree, this.remark), this.remark(mark));
      else if (isObject(there) && isObject(value)) {
        if (this.settled(target, key, there, value, mark, below)) continue;
        this.confirm(target, key, mark);
        this.merge(there, value, below);
      } else if (Array.isArray(there) && Array.isArray(value)) {
        this.append(there, this.entriesIn(value, mark), below);
      } else this.replace(target, key, there, value, mark, below);
    }
  }

  /**
   * Another operation where one is already: the one that is only assumed to be there goes as a whole, so that nothing that was assumed of it
   * is said of the other. True where that settled it.
   */
  private settled(
    target: MutableObject,
    key: string,
    there: MutableObject,
    value: MutableObject,
    mark: Mark,
    at: readonly Key[],
  ): boolean {
    if (at.length !== 3 || at[0] !== 'paths' || !isMethod(key)) return false;
    if (typeof value.operationId !== 'string' || there.operationId === value.operationId) return false;
    const was = this.tree.mark(target, key)?.provenance;
    const is = this.overlay.provenance;
    if (was === 'observed' && is === 'assumed') return true;
    if (was !== 'assumed' || is === 'assumed') return false;
    this.tree.set(target, key, this.tree.copy(value, this.overlay.tree, this.remark), this.remark(mark));
    return true;
  }

  private replace(
    target: MutableObject,
    key: string,
    there: MutableJson,
    value: MutableJson,
    mark: Mark,
    at: readonly Key[],
  ): void {
    if (there === value) {
      this.confirm(target, key, mark);
      return;
    }
    if (isContainer(there)) {
      const [was, is] = [there, value].map((json) =>
        Array.isArray(json) ? 'an array' : isObject(json) ? 'an object' : 'a plain value',
      );
      const hint = 'Remove it first, by an action before this one.';
      throw faultAt(mark, `${joinPointer('', ...at)} is ${was} and cannot be merged with ${is}.`, {
        part: 'value',
        hint,
      });
    }
    const was = this.tree.mark(target, key);
    // A guess yields to what was observed, whichever comes first.
    if (was?.provenance === 'observed' && this.overlay.provenance === 'assumed') return;
    if (was) this.changed(was, mark, `changes ${joinPointer('', ...at)}`);
    this.tree.set(target, key, this.tree.copy(value, this.overlay.tree, this.remark), this.remark(mark));
  }

  private append(target: MutableJson[], entries: readonly (readonly [MutableJson, Mark])[], at: readonly Key[]): void {
    const isSet = SETS.has(at.at(-1) ?? '');
    for (const [entry, mark] of entries) {
      const same = isSet ? target.findIndex((there) => sameJson(there, entry)) : -1;
      if (same >= 0) this.confirm(target, same, mark);
      else this.tree.push(target, this.tree.copy(entry, this.overlay.tree, this.remark), this.remark(mark));
    }
  }

  /** The overlay says what is there already: the fact rests on the stronger of the two. */
  private confirm(target: MutableObject | MutableJson[], key: Key, mark: Mark): void {
    const there = this.tree.mark(target, key);
    if (!there || strongest(there.provenance, this.overlay.provenance) === there.provenance) return;
    this.tree.setMark(target, key, this.remark(mark));
  }

  private remove(locations: readonly (readonly Key[])[], action: Action): void {
    const byParent = new Map<MutableObject | MutableJson[], Set<Key>>();
    for (const location of locations) {
      const parent = nodeAt(this.tree, location.slice(0, -1));
      const key = location.at(-1);
      if (!isContainer(parent) || key === undefined) {
        throw faultAt(action.mark, 'The root of the document cannot be removed.', { part: 'value' });
      }
      const keys = byParent.get(parent) ?? new Set<Key>();
      byParent.set(parent, keys.add(key));
      const documented = this.documentedIn(parent, key);
      if (documented) this.changed(documented, action.mark, `removes ${joinPointer('', ...location)}`);
    }
    for (const [parent, keys] of byParent) this.tree.remove(parent, keys);
  }

  /** Mark of the node, or of the first one in it, that is documented. */
  private documentedIn(container: MutableObject | MutableJson[], key: Key): Mark | undefined {
    const mark = this.tree.mark(container, key);
    if (mark?.provenance === 'documented') return mark;
    const value = childOf(container, key);
    if (!isContainer(value)) return undefined;
    for (const [inner] of entriesOf(value)) {
      const found = this.documentedIn(value, inner);
      if (found) return found;
    }
    return undefined;
  }

  /** The overlay contradicts what stands at `was`. */
  private changed(was: Mark, mark: Mark, what: string): void {
    if (was.provenance !== 'documented') return;
    if (this.overlay.provenance === 'assumed') {
      throw faultAt(mark, `An assumption may not contradict the reference: it ${what}.`, { part: 'value' });
    }
    this.notices.push({
      code: 'overlay-changes-documented',
      message: `The overlay ${what}, which is documented.`,
      place: placeOfMark(mark, 'value'),
    });
  }
}
