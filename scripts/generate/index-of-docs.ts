/** Writes `llms.txt` from the list of pages in `docs/README.md`, which must have a line for each page. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Made } from '../../src/generate/files.ts';
import { packageRoot } from '../../src/package-root.ts';

const HEADING = /^## (.+)$/;
const ENTRY = /^(?:-|\d+\.) \[([^\]]+)\]\(([^)#]+)\): (.+)$/;

export async function indexOfDocs(): Promise<Made> {
  const docs = join(packageRoot, 'docs');
  const page = await readFile(join(docs, 'README.md'), 'utf8');
  const { name, description } = JSON.parse(await readFile(join(packageRoot, 'package.json'), 'utf8'));
  const listed = new Set<string>();
  const lines = page.split('\n').flatMap((line) => {
    if (HEADING.test(line)) return ['', line, ''];
    const [, title, path = '', text] = ENTRY.exec(line) ?? [];
    if (title === undefined || listed.has(path)) return [];
    listed.add(path);
    return [`- [${title}](docs/${path}): ${text}`];
  });
  const pages = (await readdir(docs)).filter((file) => file.endsWith('.md') && file !== 'README.md');
  const missing = pages.filter((file) => !listed.has(file));
  if (missing.length > 0) throw new Error(`docs/README.md has no line for ${missing.join(', ')}`);
  return { folder: '.', files: { 'llms.txt': `# ${name}\n\n> ${description}\n${lines.join('\n')}\n` } };
}
