import { type ErrorCode, type Place, ToolError } from '../errors.ts';
import type { Position } from '../files/json.ts';
import { PROVENANCES, type Provenance } from '../schema/schema-document.ts';
import { joinPointer } from '../text/pointer.ts';

export interface Origin {
  readonly file: string;
  readonly code: ErrorCode;
  /** Line and column (from 1) of an offset into the text. */
  locate(offset: number): Position;
}

export interface Mark {
  readonly origin: Origin;
  /** Offset of the key, or of the value if there is no key. */
  readonly at: number;
  readonly value: number;
  readonly provenance: Provenance;
  readonly up: Mark | null;
  readonly name: string | number;
}

export type Key = string | number;
export type MutableObject = { [key: string]: MutableJson };
export type MutableJson = null | boolean | number | string | MutableJson[] | MutableObject;

type Kids = Map<Key, Mark>;

/** A JSON document with a {@link Mark} for each node. Marks are stored separately, so the document stays plain JSON. */
export class Tree {
  root: MutableJson;
  rootMark: Mark;
  private readonly kids = new Map<object, Kids>();

  constructor(root: MutableJson, rootMark: Mark) {
    this.root = root;
    this.rootMark = rootMark;
  }

  mark(container: MutableJson, key: Key): Mark | undefined {
    return isContainer(container) ? this.kids.get(container)?.get(key) : undefined;
  }

  setMark(container: MutableObject | MutableJson[], key: Key, mark: Mark): void {
    const kids = this.kids.get(container) ?? new Map<Key, Mark>();
    kids.set(key, mark);
    this.kids.set(container, kids);
  }

  set(container: MutableObject | MutableJson[], key: Key, value: MutableJson, mark: Mark): void {
    (container as MutableObject)[key] = value;
    this.setMark(container, key, mark);
  }

  push(container: MutableJson[], value: MutableJson, mark: Mark): void {
    container.push(value);
    this.setMark(container, container.length - 1, mark);
  }

  remove(container: MutableObject | MutableJson[], keys: ReadonlySet<Key>): void {
    const kids = this.kids.get(container);
    if (!Array.isArray(container)) {
      for (const key of keys) {
        delete container[key];
        kids?.delete(key);
      }
      return;
    }
    const kept = container.map((value, index) => ({ value, mark: kids?.get(index), index }));
    container.length = 0;
    kids?.clear();
    for (const { value, mark, index } of kept) {
      if (keys.has(index)) continue;
      container.push(value);
      if (mark) kids?.set(container.length - 1, mark);
    }
  }

  /** A deep copy of a node of any tree, with its marks changed by `remark`. */
  copy(value: MutableJson, from: Tree, remark: (mark: Mark) => Mark = (mark) => mark): MutableJson {
    if (!isContainer(value)) return value;
    const result: MutableJson[] | MutableObject = Array.isArray(value) ? [] : {};
    for (const [key, child] of entriesOf(value)) {
      const copied = this.copy(child, from, remark);
      if (Array.isArray(result)) result.push(copied);
      else result[key] = copied;
      const mark = from.mark(value, key);
      if (mark) this.setMark(result, key, remark(mark));
    }
    return result;
  }

  clone(): Tree {
    const tree = new Tree(null, this.rootMark);
    tree.root = tree.copy(this.root, this);
    return tree;
  }

  find(segments: readonly Key[]): { readonly value: MutableJson; readonly mark: Mark } | undefined {
    const walked = this.walk(segments);
    return walked.value === undefined ? undefined : { value: walked.value, mark: walked.mark };
  }

  nearest(segments: readonly Key[]): Mark {
    return this.walk(segments).mark;
  }

  private walk(segments: readonly Key[]): { value: MutableJson | undefined; mark: Mark } {
    let value: MutableJson = this.root;
    let mark = this.rootMark;
    for (const segment of segments) {
      const child = childOf(value, segment);
      if (child === undefined) return { value: undefined, mark };
      mark = this.mark(value, Array.isArray(value) ? Number(segment) : segment) ?? mark;
      value = child;
    }
    return { value, mark };
  }
}

export function isContainer(value: MutableJson | undefined): value is MutableObject | MutableJson[] {
  return typeof value === 'object' && value !== null;
}

export function isMapping(value: MutableJson | undefined): value is MutableObject {
  return isContainer(value) && !Array.isArray(value);
}

export function childOf(value: MutableJson | undefined, key: Key): MutableJson | undefined {
  if (Array.isArray(value)) return /^(?:0|[1-9]\d*)$/.test(String(key)) ? value[Number(key)] : undefined;
  return isMapping(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

export function entriesOf(value: MutableObject | MutableJson[]): [Key, MutableJson][] {
  return Array.isArray(value) ? value.map((child, index) => [index, child]) : Object.entries(value);
}

export function textOf(value: MutableJson | undefined): string {
  return typeof value === 'string' ? value : '';
}

export function placeOfMark(mark: Mark, part: 'key' | 'value' = 'key'): Place {
  const names: Key[] = [];
  for (let at: Mark | null = mark; at?.up; at = at.up) names.push(at.name);
  const pointer = joinPointer('', ...names.reverse());
  const position = mark.origin.locate(part === 'key' ? mark.at : mark.value);
  return { file: mark.origin.file, ...position, ...(pointer === '' ? {} : { pointer }) };
}

/** The error of a fault at a node. Its code shows whether the spec or an overlay is at fault. */
export function faultAt(
  mark: Mark,
  message: string,
  options: { part?: 'key' | 'value'; hint?: string | undefined; cause?: unknown } = {},
): ToolError {
  const { part = 'key', hint, cause } = options;
  return new ToolError(mark.origin.code, plainText(message), { place: placeOfMark(mark, part), hint, cause });
}

export function formatMark(mark: Mark): string {
  const { line, column } = mark.origin.locate(mark.at);
  return `${mark.origin.file}:${line}:${column}`;
}

/** Messages may quote a document, so control characters are replaced. */
export function plainText(message: string): string {
  return message.replace(/\p{Cc}+/gu, ' ');
}

/** The value of a keyword like `x-provenance: observed`. @throws ToolError if the value is invalid */
export function provenanceIn(word: MutableJson | undefined, mark: Mark): Provenance {
  const known = PROVENANCES.find((provenance) => provenance === word);
  if (known) return known;
  throw faultAt(mark, `x-provenance: ${JSON.stringify(word)} is not one of ${PROVENANCES.join(', ')}.`, {
    part: 'value',
  });
}

export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const child of Object.values(value)) deepFreeze(child);
  }
  return value;
}
