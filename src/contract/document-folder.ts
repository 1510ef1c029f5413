import { readdir } from 'node:fs/promises';
import { basename, dirname, join, parse, resolve } from 'node:path';
import { ToolError } from '../errors.ts';
import { DOCUMENT, readTextFile } from '../files/read.ts';
import { PARTS } from './contract-file.ts';
import { type ContractFolder, folderParts } from './folder.ts';

const DOCUMENT_NAME = /\.(?:ya?ml|json)$/i;

/** One OpenAPI document as a contract. Everything in the document is documented, and nothing else is. */
export function documentFolder(file: string): ContractFolder {
  const path = resolve(file);
  const dir = dirname(path);
  // no file can lie below a file, so the other parts are always missing
  const parts = Object.keys(PARTS).map((part) => [part, join(basename(path), part)]);
  return {
    ...folderParts({ contract: 1, name: parse(path).name, ...Object.fromEntries(parts) }, dir),
    spec: path,
    root: dir,
    policy: join(path, 'policy.yaml'),
    isDocument: true,
    assumed: { conditions: {}, limits: { currency: null } },
  };
}

/**
 * The only OpenAPI document at the top of a folder without `contract.yaml`; undefined if there is no document.
 * @throws ToolError `spec-invalid` if there are several
 */
export async function documentIn(dir: string): Promise<ContractFolder | undefined> {
  const names = (await readdir(dir).catch(() => [])).filter((name) => DOCUMENT_NAME.test(name)).sort();
  const found: string[] = [];
  for (const name of names) if (await isDocument(join(dir, name))) found.push(name);
  const [only, ...others] = found;
  if (only === undefined) return undefined;
  if (others.length === 0) return documentFolder(join(dir, only));
  throw new ToolError('spec-invalid', `The folder has several OpenAPI documents: ${found.join(', ')}.`, {
    place: { file: dir },
    hint: 'Name one with --spec.',
  });
}

/** Looks for the version at the root without parsing, because a document may be large. */
async function isDocument(file: string): Promise<boolean> {
  const text = await readTextFile(file, DOCUMENT).catch(() => '');
  if (/^\s*\{/.test(text)) return isMappingWithVersion(text);
  return /^["']?(?:openapi|swagger)["']?[^\S\n]*:/m.test(text);
}

function isMappingWithVersion(text: string): boolean {
  try {
    const value = JSON.parse(text) as Record<string, unknown>;
    return value.openapi !== undefined || value.swagger !== undefined;
  } catch {
    return /"(?:openapi|swagger)"\s*:/.test(text);
  }
}
