import { readdir, readlink, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, parse, relative, resolve, sep } from 'node:path';
import { ToolError } from '../errors.ts';
import { unreadable } from './read.ts';

export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '' && !way.startsWith('..') && !isAbsolute(way);
}

/**
 * The real path of a file, with all links resolved.
 * @throws ToolError `spec-invalid` if it lies outside `root`; `file-missing`, `file-unreadable`.
 */
export async function realPathBelow(root: string, path: string): Promise<string> {
  const [limit, real] = await Promise.all([realPath(root), realPath(path)]);
  if (real === limit || isInside(limit, real)) return real;
  throw outside(root, path);
}

/**
 * Patterns of everything below a folder for Node's permission model, which follows links. Package managers write links
 * that lead out of it into `node_modules`. The patterns leave out these links, and links that lead to them.
 *
 * @throws ToolError `spec-invalid` if another link leads out; `config` for the root of the file system;
 * `file-missing`, `file-unreadable`
 */
export async function readableBelow(root: string): Promise<string[]> {
  const limit = await realPath(root);
  if (limit === parse(limit).root) {
    throw new ToolError('config', 'Code of a contract folder could read every file.', {
      place: { file: root },
      hint: 'Name a narrower folder with contractRoot in the configuration.',
    });
  }
  const entries = await readdir(limit, { recursive: true, withFileTypes: true }).catch((cause) => {
    throw unreadable(root, cause);
  });
  /** Real targets, by link; null outside of the folder. */
  const links = new Map<string, string | null>();
  for (const entry of entries) {
    if (!entry.isSymbolicLink()) continue;
    const link = join(entry.parentPath, entry.name);
    const real = await realpath(link).catch(async () => resolve(entry.parentPath, await readlink(link)));
    const isOut = real !== limit && !isInside(limit, real);
    if (isOut && !relative(limit, link).split(sep).includes('node_modules')) throw outside(root, link);
    links.set(link, isOut ? null : real);
  }
  const left = new Set<string>();
  /** Folders with such a link at any depth. */
  const holders = new Set<string>();
  for (let before = -1; before < left.size; ) {
    before = left.size;
    for (const [link, real] of links) {
      if (left.has(link) || (real !== null && !holders.has(real))) continue;
      left.add(link);
      for (let at = dirname(link); at === limit || isInside(limit, at); at = dirname(at)) holders.add(at);
    }
  }
  if (left.size === 0) return [join(root, '*')];
  const readable: string[] = [];
  for (const holder of holders) {
    for (const name of await readdir(holder)) {
      const path = join(holder, name);
      const shown = join(root, relative(limit, path));
      // a star in a name would match its neighbours
      if (!left.has(path) && !holders.has(path) && !name.includes('*')) readable.push(shown, join(shown, '*'));
    }
  }
  return readable;
}

function outside(root: string, file: string): ToolError {
  return new ToolError('spec-invalid', `The file lies outside ${root}.`, {
    place: { file },
    hint: 'Move it into the contract folder, or name a wider folder with contractRoot in the configuration.',
  });
}

async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (cause) {
    throw unreadable(path, cause);
  }
}
