import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { loadContract } from '../../src/contract/load.ts';
import { packageRoot } from '../../src/package-root.ts';

/** Sections whose names any reference could have. */
const PLAIN = new Set(['Introduction', 'Endpoints', 'Limits', 'Errors', 'Events', 'Resources', 'Versioning']);

/** Matches each word that only the bank's contract may bring into a text: its name, operations, paths and sections. */
export async function bankWords(): Promise<RegExp> {
  const { document, operations } = await loadContract();
  const ledger = parse(readFileSync(join(packageRoot, 'spec/ledger.yaml'), 'utf8')) as {
    readonly rows: readonly { readonly section: string }[];
  };
  const { title } = document.info as { readonly title: string };
  const paths = operations.flatMap(({ path }) => (path === null ? [] : [path.slice(0, path.indexOf('{'))]));
  const words = [
    title,
    // a token client has this method, too
    ...operations.map(({ operationId }) => operationId).filter((id) => id !== 'getToken'),
    ...paths.filter((path) => path.length > 3),
    ...ledger.rows.map(({ section }) => section).filter((section) => !PLAIN.has(section)),
  ];
  const exact = [...new Set(words)].map((word) => String.raw`(?<!\w)${word.replace(/[^\w ]/g, '\\$&')}(?!\w)`);
  return new RegExp([...exact, String.raw`\b(?:bank|customerId|beneficiar\w+)\b`].join('|'), 'g');
}

/** Lines of a text with such a word. */
export function linesWith(words: RegExp, text: string): string[] {
  return text.split('\n').filter((line) => line.search(words) >= 0);
}
