import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ContractFolder } from '../../src/contract/folder.ts';
import { readContractFolder } from '../../src/contract/read-folder.ts';
import type { JsonObject } from '../../src/schema/json.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** An OpenAPI document with these paths, and more members at its root. */
export function api(paths: object, more: object = {}): JsonObject {
  return { openapi: '3.1.1', info: { title: 'T', version: '1' }, paths, ...more } as JsonObject;
}

/** Responses with this schema, or without content. */
export function answers(schema?: unknown): { responses: object } {
  const content = { 'application/json': { schema } };
  return { responses: { 200: { description: 'D', ...(schema !== undefined && { content }) } } };
}

/** Writes a contract of a name and a document, and more files. Objects become JSON. Returns the folder. */
export async function folderOf(
  document: object | string,
  more: Readonly<Record<string, object | string>> = {},
): Promise<string> {
  const folder = await temporaryFolder();
  const files = { 'contract.yaml': 'contract: 1\nname: t\n', 'spec/openapi.yaml': document, ...more };
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return folder;
}

/** The same, as a handed contract folder. */
export async function contractFolder(...files: Parameters<typeof folderOf>): Promise<ContractFolder> {
  return readContractFolder(await folderOf(...files));
}
