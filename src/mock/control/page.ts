import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../../package-root.ts';
import { type Answer, answer } from '../message/answer.ts';
import type { ReceivedRequest } from '../message/call.ts';
import { problem } from '../message/problem.ts';

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
};

/** The page loads and contacts only the mock, and no other page may frame it (rules H2, H5). */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** A file of the page, by its path below `/__mock`; undefined for other paths. `scripts/page.ts` builds the files. */
export async function pageFile(call: ReceivedRequest, path: string): Promise<Answer | undefined> {
  if (path === '') return answer(308, null, 'assumed', ['location', `${call.path}/`]);
  const name = path === '/' ? 'index.html' : path.slice(1);
  const [, extension = ''] = /^[\w-]+\.(html|css|js)$/.exec(name) ?? [];
  const type = TYPES[extension];
  if (type === undefined) return undefined;
  let bytes: Buffer;
  try {
    bytes = await readFile(join(packageRoot, 'dist', 'page', name));
  } catch {
    return problem(
      'no-such-control',
      `the page has no file ${name}; where the package was not built, npm run build makes the page`,
    );
  }
  return answer(200, { type, bytes }, 'assumed', [
    ...['content-security-policy', POLICY, 'x-content-type-options', 'nosniff', 'referrer-policy', 'no-referrer'],
    // a chunk's name contains a hash of its content
    ...[
      'x-frame-options',
      'DENY',
      'cache-control',
      name.startsWith('page-') ? 'max-age=31536000, immutable' : 'no-cache',
    ],
  ]);
}
