import { hash } from 'node:crypto';
// Not a named import: on a Node without `glob`, that import would fail before the version check could report it.
import * as fs from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { ErrorCode } from '../errors.ts';
import { packageRoot } from '../package-root.ts';
import { entriesOf, isContainer, type Mark, type MutableJson, originOf, Tree } from './document-tree.ts';

/** The package's own YAML, parsed by the build, because parsing is slow. A changed text is parsed again. */
export const parseCacheFile: string = join(packageRoot, 'dist', 'contract.parsed.json');

type ParseCache = Readonly<Record<string, CachedFile>>;

interface CachedFile {
  readonly sha256: string;
  readonly value: MutableJson;
  /** Offsets of key and value of each node, the root first, then in the order of the members. */
  readonly offsets: readonly number[];
  readonly lineStarts: readonly number[];
}

const read = new Map<string, Promise<ParseCache | undefined>>();

export async function cachedTree(
  path: string,
  shown: string,
  text: string,
  code: ErrorCode,
  from: string = parseCacheFile,
): Promise<Tree | undefined> {
  const name = nameOf(path);
  if (!/^(?:spec|mocks)\//.test(name)) return undefined;
  const reading = read.get(from) ?? readParseCache(from);
  read.set(from, reading);
  const entry = (await reading)?.[name];
  return entry?.sha256 === hash('sha256', text) ? restore(entry, shown, code) : undefined;
}

/**
 * Parses the YAML of the package's contract ahead of time.
 * @param to output file; it is read from {@link parseCacheFile}
 */
export async function writeParseCache(to: string): Promise<void> {
  const { parseTree } = await import('./parse-tree.ts');
  const files: Record<string, CachedFile> = {};
  for (const file of await Array.fromAsync(fs.glob('{spec,mocks}/**/*.{yaml,yml}', { cwd: packageRoot }))) {
    if (file.endsWith('ruleset.yaml')) continue;
    const path = join(packageRoot, file);
    const text = await fs.readFile(path, 'utf8');
    const { tree, lineStarts } = parseTree(nameOf(path), text, 'spec-invalid');
    const offsets: number[] = [];
    const visit = (value: MutableJson, mark: Mark): void => {
      offsets.push(mark.at, mark.value);
      if (!isContainer(value)) return;
      for (const [key, child] of entriesOf(value)) visit(child, tree.mark(value, key) as Mark);
    };
    visit(tree.root, tree.rootMark);
    files[nameOf(path)] = { sha256: hash('sha256', text), value: tree.root, offsets, lineStarts };
  }
  await fs.writeFile(to, JSON.stringify(files));
}

function nameOf(path: string): string {
  return relative(packageRoot, path).replaceAll('\\', '/');
}

/** A missing or foreign file is no fault, because the cache is optional. */
async function readParseCache(from: string): Promise<ParseCache | undefined> {
  try {
    return JSON.parse(await fs.readFile(from, 'utf8')) as ParseCache;
  } catch {
    return undefined;
  }
}

function restore(entry: CachedFile, file: string, code: ErrorCode): Tree {
  const origin = originOf(file, code, entry.lineStarts);
  let next = 0;
  const markOf = (up: Mark | null, name: string | number): Mark => {
    const [at = 0, value = 0] = [entry.offsets[next], entry.offsets[next + 1]];
    next += 2;
    return { origin, at, value, provenance: 'documented', up, name };
  };
  const rootMark = markOf(null, '');
  const tree = new Tree(null, rootMark);
  // Each load gets its own tree, which it may change.
  const visit = (value: MutableJson, up: Mark): MutableJson => {
    if (!isContainer(value)) return value;
    const copy = Array.isArray(value) ? [] : {};
    for (const [key, child] of entriesOf(value)) {
      const mark = markOf(up, key);
      tree.set(copy, key, visit(child, mark), mark);
    }
    return copy;
  };
  tree.root = visit(entry.value, rootMark);
  return tree;
}
