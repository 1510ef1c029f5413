import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ContractFolder } from '../../contract/folder.ts';
import type { Hooks } from '../state/hooks.ts';

/** @throws ToolError `spec-invalid` if code of another folder cannot be loaded */
export async function hooksOf({ hooks, confined, root }: ContractFolder): Promise<Hooks> {
  const files = await hookFiles(hooks);
  if (files.length === 0) return {};
  if (!confined)
    return Object.assign({}, ...(await Promise.all(files.map((file) => import(pathToFileURL(file).href)))));
  return (await import('./foreign-code.ts')).foreignHooks({ root, files });
}

export async function hookFiles(folder: string): Promise<string[]> {
  const files = await readdir(folder).catch(() => []);
  return files.filter((file) => /(?<!\.d)\.(?:[jt]s|mjs)$/.test(file)).map((file) => join(folder, file));
}
