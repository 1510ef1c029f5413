import { isObject, type Json, type JsonObject } from '../../schema/json.ts';
import type { Provenance } from '../../schema/schema-document.ts';
import { type Kind, kindOfChild, mayExtend } from '../../schema/structure.ts';
import { joinPointer } from '../../text/pointer.ts';
import type { Contract } from '../contract.ts';
import {
  entriesOf,
  isContainer,
  isMapping,
  type MutableJson,
  type MutableObject,
  provenanceIn,
  type Tree,
} from '../document-tree.ts';

const STAMP = 'x-provenance';
/** Beside a stamp: parts of the object with another provenance that cannot carry a stamp, by relative JSON pointer. */
const PARTS = 'x-provenance-parts';

/**
 * The bundle with `x-provenance` in every object where OpenAPI or JSON Schema allows extensions. Parts that cannot
 * carry a stamp (examples, defaults, enums, maps of names) are listed in `x-provenance-parts` if they differ.
 */
export function stampProvenance(contract: Contract): JsonObject {
  return stamp(contract, contract.document, 'document', '', undefined) as JsonObject;
}

interface Around {
  readonly pointer: string;
  readonly provenance: Provenance;
  readonly parts: { [pointer: string]: Json };
}

function stamp(contract: Contract, value: Json, kind: Kind, pointer: string, around: Around | undefined): Json {
  const provenance = contract.provenanceOf(pointer);
  const isStamped = isObject(value) && mayExtend(kind, typeof value.$ref === 'string');
  if (!isStamped && around && provenance !== around.provenance)
    around.parts[pointer.slice(around.pointer.length)] = provenance;
  if (typeof value !== 'object' || value === null) return value;
  // Below a listed part, only differences from that part are listed again.
  const here: Around | undefined = isStamped ? { pointer, provenance, parts: {} } : around && { ...around, provenance };
  const below = (child: Json, key: string | number): Json =>
    stamp(contract, child, kindOfChild(kind, key), joinPointer(pointer, key), here);
  if (Array.isArray(value)) return value.map(below);
  const members = Object.fromEntries(Object.entries(value).map(([key, child]) => [key, below(child as Json, key)]));
  if (here === undefined || !isStamped) return members;
  return { ...members, [STAMP]: provenance, ...(Object.keys(here.parts).length > 0 ? { [PARTS]: here.parts } : {}) };
}

/**
 * Moves the stamps of {@link stampProvenance} from a document back into its marks. Changes the tree.
 * @throws ToolError `spec-invalid` for an unknown provenance
 */
export function readStamps(tree: Tree): void {
  const provenance = stampOf(tree, tree.root, 'document');
  if (provenance) tree.rootMark = { ...tree.rootMark, provenance };
  readInto(tree, tree.root, 'document', { pointer: '', provenance, parts: new Map() });
}

interface Given {
  readonly pointer: string;
  readonly provenance: Provenance | undefined;
  readonly parts: ReadonlyMap<string, Provenance>;
}

function readInto(tree: Tree, value: MutableJson, kind: Kind, given: Given): void {
  if (!isContainer(value)) return;
  const own = isMapping(value) ? takeStamp(tree, value, kind) : undefined;
  const above: Given = own ? { pointer: '', ...own } : given;
  for (const [key, child] of entriesOf(value)) {
    const childKind = kindOfChild(kind, key);
    const pointer = joinPointer(above.pointer, key);
    const provenance = stampOf(tree, child, childKind) ?? above.parts.get(pointer) ?? above.provenance;
    const mark = tree.mark(value, key);
    if (provenance && mark) tree.setMark(value, key, { ...mark, provenance });
    readInto(tree, child, childKind, { pointer, provenance, parts: above.parts });
  }
}

function takeStamp(tree: Tree, value: MutableObject, kind: Kind): Omit<Given, 'pointer'> | undefined {
  const provenance = stampOf(tree, value, kind);
  if (provenance === undefined) return undefined;
  const noted = value[PARTS];
  const parts = new Map(
    (isMapping(noted) ? Object.entries(noted) : []).map(([pointer, word]): [string, Provenance] => [
      pointer,
      provenanceIn(word, tree.mark(noted as MutableObject, pointer) ?? tree.rootMark),
    ]),
  );
  tree.remove(value, new Set([STAMP, PARTS]));
  return { provenance, parts };
}

function stampOf(tree: Tree, value: MutableJson, kind: Kind): Provenance | undefined {
  if (!isMapping(value) || !Object.hasOwn(value, STAMP) || !mayExtend(kind, typeof value.$ref === 'string'))
    return undefined;
  return provenanceIn(value[STAMP], tree.mark(value, STAMP) ?? tree.rootMark);
}
