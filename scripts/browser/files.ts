/** The package's own data, the only files in a browser. */
import { Buffer } from './buffer.ts';

declare const EMBEDDED: Readonly<Record<string, string>>;

/** Replaces the package's folder. */
export const packageRoot = '/banking-api-contract';
export const modulePath = (name: string): string => `${packageRoot}/${name}`;

async function embedded(): Promise<Readonly<Record<string, string>>> {
  // @ts-expect-error made by the bundler
  return ((await import('embedded:files')) as { readonly default: typeof EMBEDDED }).default;
}

function missing(path: string): Error {
  return Object.assign(new Error(`there are no files in a browser: ${path}`), { code: 'ENOENT' });
}

export async function readFile(path: string, encoding?: string): Promise<string | Buffer> {
  const text = (await embedded())[path];
  if (text === undefined) throw missing(path);
  return encoding === undefined ? Buffer.from(text) : text;
}

export async function open(path: string) {
  let rest = (await readFile(path)) as Buffer;
  const size = rest.length;
  return {
    stat: async () => ({ size, isFIFO: () => false }),
    async read(buffer: Buffer) {
      const bytesRead = rest.copy(buffer);
      rest = rest.subarray(bytesRead) as Buffer;
      return { bytesRead, buffer };
    },
    async close() {},
  };
}

/** There are no links. */
export async function realpath(path: string): Promise<string> {
  return path;
}

export async function readdir(path: string, { withFileTypes = false } = {}): Promise<readonly unknown[]> {
  const names = Object.keys(await embedded())
    .filter((name) => name.startsWith(`${path}/`))
    .map((name) => name.slice(path.length + 1).split('/')[0] ?? '');
  if (names.length === 0) throw missing(path);
  const unique = [...new Set(names)];
  return withFileTypes ? unique.map((name) => ({ name, isSymbolicLink: () => false })) : unique;
}
