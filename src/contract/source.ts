import { dirname, join, relative, resolve } from 'node:path';
import { type ErrorCode, ToolError } from '../errors.ts';
import { isInside } from '../files/containment.ts';
import { DOCUMENT, FileTooLarge, readBounded, unreadable } from '../files/read.ts';
import { decodeUtf8 } from '../text/decode.ts';
import type { Tree } from './document-tree.ts';
import { type ContractFolder, ownFolder } from './folder.ts';
import { inSlices } from './time-slices.ts';

export interface SourceFile {
  readonly path: string;
  readonly tree: Tree;
}

export function shownPath(
  path: string,
  { dir, spec, assumptions, isDocument, fetched }: ContractFolder = ownFolder,
): string {
  const absolute = resolve(path);
  if (fetched !== undefined && absolute === spec) return fetched.url;
  const parts = [dirname(spec), dirname(assumptions)];
  const ofContract = absolute === join(dir, 'contract.yaml') || parts.some((part) => isInside(part, absolute));
  const roots = ofContract && !isDocument ? [dir] : [resolve(), dir];
  const root = roots.find((folder) => isInside(folder, absolute));
  return root === undefined ? absolute : relative(root, absolute).replaceAll('\\', '/');
}

/** Reads a text file. @throws ToolError `file-missing`, `file-unreadable`, or `code` if too large or not UTF-8 */
export async function readText(path: string, code: ErrorCode, folder: ContractFolder): Promise<string> {
  const { fetched, spec } = folder;
  if (fetched !== undefined && resolve(path) === spec) return fetched.text;
  const file = shownPath(path, folder);
  let bytes: Uint8Array;
  try {
    bytes = await readBounded(path, DOCUMENT);
  } catch (cause) {
    if (cause instanceof FileTooLarge) throw new ToolError(code, cause.message, { place: { file }, cause });
    throw unreadable(file, cause);
  }
  const text = decodeUtf8(bytes);
  if (text === undefined) throw new ToolError(code, 'The file is not UTF-8 text.', { place: { file } });
  return text;
}

/** Reads and parses a file. @throws ToolError like {@link readText} and {@link parseSource} */
export async function readSource(
  path: string,
  code: ErrorCode,
  folder: ContractFolder,
  signal?: AbortSignal,
): Promise<SourceFile> {
  return parseSource(path, await readText(path, code, folder), code, folder, signal);
}

/**
 * Parses YAML 1.2 or JSON into a tree with positions.
 * @throws ToolError `code` with file, line, column: bad syntax, duplicate or forbidden keys, alias bombs, non-JSON data
 */
export async function parseSource(
  path: string,
  text: string,
  code: ErrorCode,
  folder: ContractFolder,
  signal?: AbortSignal,
): Promise<SourceFile> {
  const file = shownPath(path, folder);
  const { parsingTree } = await import('./parse-tree.ts');
  const tree = await inSlices(parsingTree(file, text, code, folder.maxValues), () => endIfInterrupted(signal));
  return { path: resolve(path), tree };
}

/** @throws ToolError `interrupted` */
export function endIfInterrupted(signal: AbortSignal | undefined): void {
  if (!signal?.aborted) return;
  throw new ToolError('interrupted', 'Interrupted while the contract was loaded.');
}
