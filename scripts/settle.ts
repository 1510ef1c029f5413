import { join } from 'node:path';
import { staleFiles, withMark, writeFiles } from '../src/generate/files.ts';
import type { Files } from '../src/generate/validators.ts';
import { packageRoot } from '../src/package-root.ts';

/** Brings a folder of `generated/` up to date; with `--check` it says what is stale instead, and the process ends with 1. */
export async function settle(script: string, name: string, files: Files): Promise<void> {
  const folder = join(packageRoot, name);
  const marked = withMark(`scripts/${script}`, files);
  const stale = await staleFiles(folder, marked);
  if (stale.length === 0) console.log(`${name} is up to date`);
  else if (process.argv.includes('--check')) {
    console.error(`${name} is stale (${stale.join(', ')}); run node scripts/${script}`);
    process.exitCode = 1;
  } else {
    await writeFiles(folder, marked, stale);
    console.log(`written: ${stale.map((file) => `${name}/${file}`).join(', ')}`);
  }
}

/** A value as it is written in a module. */
export function literal(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
