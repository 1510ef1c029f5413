import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { realPathBelow } from '../files/containment.ts';
import { unlessMissing } from '../files/read.ts';
import { PARTS } from './contract-file.ts';

interface Confined extends Readonly<Record<keyof typeof PARTS, string>> {
  readonly root: string;
  readonly policy: string;
}

/**
 * Checks that all parts of a folder lie below its root, also after resolving links.
 * Files that a document refers to are checked when they are read.
 * @throws ToolError `spec-invalid`
 */
export async function confine(folder: Confined): Promise<void> {
  const parts = Object.keys(PARTS).map((part) => folder[part as keyof typeof PARTS]);
  for (const path of [...parts, folder.policy, join(dirname(folder.spec), 'ruleset.yaml')]) {
    for (const file of [path, ...(await linksIn(path))]) await unlessMissing(realPathBelow(folder.root, file), null);
  }
}

async function linksIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isSymbolicLink()).map(({ name }) => join(folder, name));
}
