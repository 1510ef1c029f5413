import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ContractFolder } from '../../contract/folder.ts';
import { ToolError } from '../../errors.ts';
import type { Hooks } from '../state/hooks.ts';

/** @throws ToolError `spec-invalid` if a module cannot be loaded */
export async function hooksOf({ hooks, confined, root }: ContractFolder): Promise<Hooks> {
  const files = await hookFiles(hooks);
  if (files.length === 0) return {};
  if (!confined) return Object.assign({}, ...(await Promise.all(files.map(readModule)))) as Hooks;
  return (await import('./foreign-code.ts')).foreignHooks({ root, files });
}

export async function hookFiles(folder: string): Promise<string[]> {
  const files = await readdir(folder).catch(() => []);
  return files.filter((file) => /(?<!\.d)\.(?:[jt]s|mjs)$/.test(file)).map((file) => join(folder, file));
}

async function readModule(file: string): Promise<Hooks> {
  try {
    return (await import(pathToFileURL(file).href)) as Hooks;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ToolError('spec-invalid', `The hooks cannot be loaded: ${reason}`, { place: { file }, cause });
  }
}
