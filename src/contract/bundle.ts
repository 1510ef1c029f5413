import { dirname, resolve } from 'node:path';
import { ToolError } from '../errors.ts';
import { isInside, realPathBelow } from '../files/containment.ts';
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
import { readSource, type SourceFile } from './source.ts';
import { COMPONENT_KINDS, type Kind, kindOfChild, mayRefer } from './structure.ts';

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
  /** References that are being inlined, the outermost first. */
  readonly open: readonly string[];
}

/**
 * Reads the root document and every file that it refers to, and bundles them into one document.
 *
 * Components of the root keep their names. References to them become `#/components/<kind>/<Name>`. Other targets in
 * other files are inlined, path items included. Each node keeps its original position.
 *
 * @throws ToolError `file-missing`, `file-unreadable`, `spec-invalid` with the place of the fault
 */
export async function bundle(root: string, folder: ContractFolder, signal?: AbortSignal): Promise<Tree> {
  const source = await readSource(root, 'spec-invalid', folder, signal);
  // a document beside the contract may refer to files next to it
  const outermost = root === folder.spec || isInside(folder.root, source.path) ? folder.root : dirname(source.path);
  const files = await readAll(source, async (path) => {
    await realPathBelow(outermost, path);
    return readSource(path, 'spec-invalid', folder, signal);
  });
  return new Bundler(source, files).run();
}

type Files = ReadonlyMap<string, SourceFile | ToolError>;

/** Reads all reachable files in parallel. An unreadable file is reported where a reference names it. */
async function readAll(root: SourceFile, read: (path: string) => Promise<SourceFile>): Promise<Files> {
  const files = new Map<string, SourceFile | ToolError>([[root.path, root]]);
  let fresh: readonly (SourceFile | ToolError)[] = [root];
  while (fresh.length > 0) {
    const sources = fresh.filter((file): file is SourceFile => !(file instanceof ToolError));
    const paths = new Set(sources.flatMap((source) => [...filesReferredTo(source)]).filter((path) => !files.has(path)));
    fresh = await Promise.all([...paths].map((path) => read(path).catch(asToolError)));
    for (const [index, path] of [...paths].entries()) files.set(path, fresh[index] as SourceFile | ToolError);
  }
  return files;
}

function asToolError(error: unknown): ToolError {
  if (error instanceof ToolError) return error;
  throw error;
}

class Bundler {
  private readonly root: SourceFile;
  private readonly files: Files;
  /** `file#fragment` -> segments of the component in the bundle. */
  private readonly homes: ReadonlyMap<string, readonly string[]>;
  private readonly result: Tree;

  constructor(root: SourceFile, files: Files) {
    this.root = root;
    this.files = files;
    this.homes = findHomes(root);
    this.result = new Tree(null, root.tree.rootMark);
  }

  run(): Tree {
    const { root, rootMark } = this.root.tree;
    if (!isMapping(root)) throw faultAt(rootMark, 'An OpenAPI document must be an object.');
    this.result.root = this.copy(root, rootMark, { source: this.root, kind: 'document', at: [], open: [] }).value;
    return this.result;
  }

  private copy(value: MutableJson, mark: Mark, walk: Walk): Copied {
    if (!isContainer(value)) return { value, mark };
    if (isMapping(value) && typeof value.$ref === 'string' && mayRefer(walk.kind))
      return this.reference(value, value.$ref, mark, walk);
    return { value: this.members(value, walk), mark };
  }

  private members(value: MutableObject | MutableJson[], walk: Walk, omit?: string): MutableObject | MutableJson[] {
    const result: MutableObject | MutableJson[] = Array.isArray(value) ? [] : {};
    for (const [key, child] of entriesOf(value)) {
      if (key === omit) continue;
      const mark = walk.source.tree.mark(value, key) ?? walk.source.tree.rootMark;
      const copied = this.copy(child, mark, { ...walk, kind: kindOfChild(walk.kind, key), at: [...walk.at, key] });
      this.result.set(result, key, copied.value, copied.mark);
    }
    return result;
  }

  private reference(value: MutableObject, reference: string, mark: Mark, walk: Walk): Copied {
    const at = walk.source.tree.mark(value, '$ref') ?? mark;
    const target = this.resolve(reference, walk.source, at);
    const internal = this.internal(target, walk.at);
    if (internal && walk.kind !== 'pathItem') {
      const kept = this.members(value, walk) as MutableObject;
      kept.$ref = formatFragment(internal);
      return { value: kept, mark };
    }
    const key = homeKey(target.source.path, target.segments);
    if (walk.open.includes(key))
      throw faultAt(at, `The reference ${reference} leads back to itself.`, { part: 'value' });
    return this.inline(value, target, { ...walk, open: [...walk.open, key] });
  }

  private inline(value: MutableObject, target: Referred, walk: Walk): Copied {
    const content = this.copy(target.value, target.mark, { ...walk, source: target.source });
    if (Object.keys(value).length === 1 || !isMapping(content.value)) return content;
    const siblings = this.members(value, walk, '$ref') as MutableObject;
    if (walk.kind === 'schema') {
      // In a schema, the siblings of a reference apply together with its target.
      const list: MutableJson[] = [];
      this.result.push(list, content.value, content.mark);
      this.result.set(siblings, 'allOf', list, content.mark);
      return { value: siblings, mark: content.mark };
    }
    for (const [key, member] of Object.entries(siblings)) {
      this.result.set(content.value, key, member, this.result.mark(siblings, key) ?? content.mark);
    }
    return content;
  }

  /** Segments of a reference's target in the bundle; undefined if the target must be inlined. */
  private internal(target: Referred, at: readonly Key[]): readonly string[] | undefined {
    if (target.source === this.root) return sameSegments(target.segments, at) ? undefined : target.segments;
    for (let length = target.segments.length; length >= 0; length -= 1) {
      const home = this.homes.get(homeKey(target.source.path, target.segments.slice(0, length)));
      if (!home) continue;
      return length === target.segments.length && sameSegments(home, at)
        ? undefined
        : [...home, ...target.segments.slice(length)];
    }
    return undefined;
  }

  private resolve(reference: string, source: SourceFile, mark: Mark): Referred {
    const fail = (message: string, cause?: unknown): never => {
      throw faultAt(mark, message, { part: 'value', cause });
    };
    if (/^[a-z][a-z0-9+.-]+:/i.test(reference)) return fail(`The reference ${reference} leaves the file system.`);
    const [path, fragment] = split(reference, source);
    const segments = parseFragment(fragment);
    if (!segments) return fail(`The fragment of the reference ${reference} is no JSON pointer.`);
    const file = this.files.get(path);
    if (!file) return fail(`The reference ${reference} names a file that is not there.`);
    if (file instanceof ToolError) {
      // a fault of the whole file is reported at the reference
      if (file.place?.line === undefined)
        throw faultAt(mark, `The reference ${reference}: ${file.message}`, {
          part: 'value',
          hint: file.hint,
          cause: file,
        });
      throw file;
    }
    const found = file.tree.find(segments);
    if (!found) return fail(`The reference ${reference} names nothing.`);
    return { source: file, segments, value: found.value, mark: found.mark };
  }
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

/** Files of all string `$ref`s. A `$ref` in data may cause a useless read. */
function filesReferredTo(source: SourceFile): Set<string> {
  const paths = new Set<string>();
  const visit = (value: MutableJson): void => {
    if (!isContainer(value)) return;
    if (
      isMapping(value) &&
      typeof value.$ref === 'string' &&
      !value.$ref.startsWith('#') &&
      !value.$ref.includes(':')
    ) {
      paths.add(split(value.$ref, source)[0]);
    }
    for (const [, child] of entriesOf(value)) visit(child);
  };
  visit(source.tree.root);
  return paths;
}
