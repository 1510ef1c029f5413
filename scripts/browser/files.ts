/** The package's own data as the only files that a browser has. */
import { Buffer } from './buffer.ts';

declare const EMBEDDED: Readonly<Record<string, string>>;

/** Stands in for the package's folder. */
export const packageRoot = '/banking-api-contract';

function missing(path: string): Error {
  return Object.assign(new Error(`there are no files in a browser: ${path}`), { code: 'ENOENT' });
}

async function embedded(): Promise<Readonly<Record<string, string>>> {
  // @ts-expect-error made by the bundler
  return ((await import('embedded:files')) as { readonly default: typeof EMBEDDED }).default;
}

export async function readFile(path: string, encoding?: string): Promise<string | Buffer> {
  const text = (await embedded())[path];
  if (text === undefined) throw missing(path);
  return encoding === undefined ? Buffer.from(text) : text;
}

/** What is embedded is of a known size. */
export class FileTooLarge extends Error {}

export async function readBounded(path: string): Promise<string | Buffer> {
  return readFile(path);
}

export async function readdir(path: string): Promise<readonly string[]> {
  const names = Object.keys(await embedded())
    .filter((name) => name.startsWith(`${path}/`))
    .map((name) => name.slice(path.length + 1).split('/')[0] ?? '');
  if (names.length === 0) throw missing(path);
  return [...new Set(names)];
}
