import { dirname, parse, resolve } from 'node:path';
import { ToolError } from '../errors.ts';
import { isInside, realPathBelow } from '../files/containment.ts';
import { COMPONENT_KINDS, type Kind, kindOfChild, mayRefer } from '../schema/structure.ts';
import { decodePercent } from '../text/decode.ts';
import { formatFragment, parseFragment } from '../text/pointer.ts';
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
  Tree,
} from './document-tree.ts';
import type { ContractFolder } from './folder.ts';
import { type Identify, identifiersIn } from './identifiers.ts';
import { readSource, type SourceFile } from './source.ts';

interface Referred {
  readonly source: SourceFile;
  readonly segments: readonly string[];
  readonly value: MutableJson;
  readonly mark: Mark;
}

interface Copied {
  readonly value: MutableJson;
  readonly mark: Mark;
}

interface Walk {
  readonly source: SourceFile;
  readonly kind: Kind;
  readonly at: readonly Key[];
  /** References that are being inlined, with the depth of each. */
  readonly open: ReadonlyMap<string, number>;
}

/**
 * Reads the root document and every file that it refers to, and bundles them into one document.
 *
 * Components of the root keep their names. References to them become `#/components/<kind>/<Name>`. Other targets in
 * other files are inlined, path items included. A schema that contains itself becomes a component instead. Each node
 * keeps its original position.
 *
 * @throws ToolError `file-missing`, `file-unreadable`, `spec-invalid` with the place of the fault
 */
export async function bundle(root: string, folder: ContractFolder, signal?: AbortSignal): Promise<Tree> {
  const source = await readSource(root, 'spec-invalid', folder, signal);
  // a document beside the contract may refer to files next to it
  const outermost = root === folder.spec || isInside(folder.root, source.path) ? folder.root : dirname(source.path);
  return bundleFrom(source, async (path) => {
    if (folder.fetched !== undefined && root === folder.spec) {
      throw new ToolError('spec-invalid', 'A document from a URL can refer only to itself.');
    }
    await realPathBelow(outermost, path);
    return readSource(path, 'spec-invalid', folder, signal);
  });
}

async function bundleFrom(root: SourceFile, read: (path: string) => Promise<SourceFile>): Promise<Tree> {
  const files = new Map([[root.path, Promise.resolve(root)]]);
  /** `file#fragment` -> segments of the component in the bundle. */
  const homes = findHomes(root);
  /** Schemas in other files that contain themselves, by the names of their new components. */
  const recursive = new Map<string, Referred>();
  const { root: given, rootMark } = root.tree;
  const result = new Tree(null, rootMark);
  if (!isMapping(given)) throw faultAt(rootMark, 'An OpenAPI document must be an object.');
  // a Reference Object "cannot be extended", and so is not in 3.1
  const isAlone = given.swagger !== undefined || String(given.openapi).startsWith('3.0');
  const isIgnored = ({ kind }: Walk, key: string): boolean =>
    isAlone && kind === 'schema' && key !== '$ref' && !key.startsWith('x-');
  const start: Walk = { source: root, kind: 'document', at: [], open: new Map() };
  const document = await copyMembers(given, start);
  result.root = document;
  // Copying one may add others.
  for (const [name, { source, value, mark }] of recursive) {
    const at = ['components', 'schemas', name];
    const copied = await copy(value, mark, { ...start, source, kind: 'schema', at });
    result.set(objectIn(objectIn(document, 'components'), 'schemas'), name, copied.value, copied.mark);
  }
  return result;

  function objectIn(parent: MutableObject, key: string): MutableObject {
    if (!isMapping(parent[key])) result.set(parent, key, {}, rootMark);
    return parent[key] as MutableObject;
  }

  async function copy(value: MutableJson, mark: Mark, walk: Walk): Promise<Copied> {
    if (!isContainer(value)) return { value, mark };
    if (isMapping(value) && typeof value.$ref === 'string' && mayRefer(walk.kind))
      return copyReference(value, value.$ref, mark, walk);
    return { value: await copyMembers(value, walk), mark };
  }

  async function copyMembers<T extends MutableObject | MutableJson[]>(
    value: T,
    walk: Walk,
    isLeftOut = (_: string) => false,
  ): Promise<T> {
    const made: MutableObject | MutableJson[] = Array.isArray(value) ? [] : {};
    for (const [key, child] of entriesOf(value)) {
      if (isLeftOut(String(key))) continue;
      const mark = walk.source.tree.mark(value, key) ?? walk.source.tree.rootMark;
      const copied = isContainer(child)
        ? await copy(child, mark, { ...walk, kind: kindOfChild(walk.kind, key), at: [...walk.at, key] })
        : { value: child, mark };
      result.set(made, key, copied.value, copied.mark);
    }
    return made as T;
  }

  async function copyReference(value: MutableObject, reference: string, mark: Mark, walk: Walk): Promise<Copied> {
    const at = walk.source.tree.mark(value, '$ref') ?? mark;
    const target = await targetOf(value, reference, at, walk);
    if (target === undefined) return { value: await copyMembers(value, walk), mark };
    const key = homeKey(target.source.path, target.segments);
    let internal = homeOf(target, walk.at);
    const depth = internal === undefined ? walk.open.get(key) : undefined;
    if (depth !== undefined) {
      if (depth === walk.at.length || walk.kind !== 'schema')
        throw faultAt(at, `The reference ${reference} leads back to itself.`, { part: 'value' });
      internal = newHome(target);
      homes.set(key, internal);
    }
    if (internal && walk.kind !== 'pathItem') {
      const kept = await copyMembers(value, walk, (key) => isIgnored(walk, key));
      kept.$ref = formatFragment(internal);
      return { value: kept, mark };
    }
    return inline(value, target, { ...walk, open: new Map(walk.open).set(key, walk.at.length) });
  }

  /** Named by the last segment of its pointer, or by its file. */
  function newHome(target: Referred): readonly string[] {
    const base = (target.segments.at(-1) ?? parse(target.source.path).name).replace(/[^A-Za-z0-9._-]/g, '_');
    const isTaken = (name: string): boolean =>
      recursive.has(name) || root.tree.find(['components', 'schemas', name]) !== undefined;
    let name = base;
    for (let number = 2; isTaken(name); number += 1) name = `${base}${number}`;
    recursive.set(name, target);
    return ['components', 'schemas', name];
  }

  async function inline(value: MutableObject, target: Referred, walk: Walk): Promise<Copied> {
    const content = await copy(target.value, target.mark, { ...walk, source: target.source });
    const siblings = await copyMembers(value, walk, (key) => key === '$ref' || isIgnored(walk, key));
    if (Object.keys(siblings).length === 0 || !isMapping(content.value)) return content;
    if (walk.kind === 'schema') {
      // In a schema, the siblings of a reference apply together with its target.
      const list: MutableJson[] = [];
      result.push(list, content.value, content.mark);
      result.set(siblings, 'allOf', list, content.mark);
      return { value: siblings, mark: content.mark };
    }
    for (const [key, member] of Object.entries(siblings)) {
      result.set(content.value, key, member, result.mark(siblings, key) ?? content.mark);
    }
    return content;
  }

  /** Segments of a reference's target in the bundle; undefined if the target must be inlined. */
  function homeOf(target: Referred, at: readonly Key[]): readonly string[] | undefined {
    if (target.source === root) return sameSegments(target.segments, at) ? undefined : target.segments;
    for (let length = target.segments.length; length >= 0; length -= 1) {
      const home = homes.get(homeKey(target.source.path, target.segments.slice(0, length)));
      if (!home) continue;
      return length === target.segments.length && sameSegments(home, at)
        ? undefined
        : [...home, ...target.segments.slice(length)];
    }
    return undefined;
  }

  /** Undefined for a reference of a schema that leads nowhere in its file: loading the schemas reports it. */
  async function targetOf(
    value: MutableObject,
    reference: string,
    mark: Mark,
    { source, kind }: Walk,
  ): Promise<Referred | undefined> {
    const identified = kind === 'schema' ? segmentsOf(source, value, reference) : undefined;
    const known = identified && source.tree.find(identified);
    if (identified && known) return { source, segments: identified.map(String), ...known };
    const fail = (message: string): undefined => {
      if (kind === 'schema') return undefined;
      throw faultAt(mark, message, { part: 'value' });
    };
    if (/^[a-z][a-z0-9+.-]+:/i.test(reference)) return fail(`The reference ${reference} leaves the file system.`);
    const [path, fragment] = split(reference, source);
    const segments = parseFragment(fragment);
    if (!segments) return fail(`The fragment of the reference ${reference} is no JSON pointer.`);
    const reading = files.get(path) ?? read(path);
    files.set(path, reading);
    const file = await reading.catch((cause: unknown) => {
      // a fault of the whole file is reported at the reference
      if (!(cause instanceof ToolError) || cause.code === 'interrupted' || cause.place?.line !== undefined) throw cause;
      throw faultAt(mark, `The reference ${reference}: ${cause.message}`, { part: 'value', hint: cause.hint, cause });
    });
    const found = file.tree.find(segments);
    if (!found) return fail(`The reference ${reference} names nothing.`);
    return { source: file, segments, value: found.value, mark: found.mark };
  }
}

const identifiers = new WeakMap<SourceFile, Identify>();

function segmentsOf(source: SourceFile, schema: MutableObject, reference: string): readonly Key[] | undefined {
  const { root } = source.tree;
  const isDocument = isMapping(root) && (root.openapi !== undefined || root.swagger !== undefined);
  const identify = identifiers.get(source) ?? identifiersIn(root, isDocument ? 'document' : 'schema');
  identifiers.set(source, identify);
  return identify(schema, reference);
}

function findHomes(root: SourceFile): Map<string, readonly string[]> {
  const homes = new Map<string, readonly string[]>();
  const components = childOf(root.tree.root, 'components');
  if (!isMapping(components)) return homes;
  for (const [collection, members] of Object.entries(components)) {
    if (!(collection in COMPONENT_KINDS) || !isMapping(members)) continue;
    for (const [name, member] of Object.entries(members)) {
      const reference = childOf(member, '$ref');
      if (typeof reference !== 'string' || reference.startsWith('#')) continue;
      const [path, fragment] = split(reference, root);
      const home = homeKey(path, parseFragment(fragment) ?? []);
      if (!homes.has(home)) homes.set(home, ['components', collection, name]);
    }
  }
  return homes;
}

function sameSegments(a: readonly Key[], b: readonly Key[]): boolean {
  return a.length === b.length && a.every((segment, index) => segment === b[index]);
}

function split(reference: string, source: SourceFile): [path: string, fragment: string] {
  const hash = reference.indexOf('#');
  const file = hash < 0 ? reference : reference.slice(0, hash);
  const fragment = hash < 0 ? '' : reference.slice(hash + 1);
  return [file === '' ? source.path : resolve(dirname(source.path), decodePercent(file) ?? file), fragment];
}

function homeKey(path: string, segments: readonly string[]): string {
  return `${path}${formatFragment(segments)}`;
}
