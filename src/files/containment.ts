import { readdir, readlink, realpath } from 'node:fs/promises';
import { isAbsolute, join, parse, relative, resolve } from 'node:path';
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
 * Checks that every link in a folder points into it, because Node's permission model follows links.
 * @throws ToolError `spec-invalid`; `config` for the root of the file system; `file-missing`, `file-unreadable`
 */
export async function refuseLinksOut(root: string): Promise<void> {
  const limit = await realPath(root);
  if (limit === parse(limit).root) {
    throw new ToolError('config', 'Code of a contract folder could read every file.', {
      place: { file: root },
      hint: 'Name a narrower folder with contractRoot in the configuration.',
    });
  }
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch((cause) => {
    throw unreadable(root, cause);
  });
  for (const entry of entries) {
    if (!entry.isSymbolicLink()) continue;
    const link = join(entry.parentPath, entry.name);
    const real = await realpath(link).catch(async () => resolve(entry.parentPath, await readlink(link)));
    if (real !== limit && !isInside(limit, real)) throw outside(root, link);
  }
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
