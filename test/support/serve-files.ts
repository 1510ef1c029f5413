import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { type LoopbackServer, serveOnLoopback } from './loopback.ts';

/** Serves HTML by path, and files for all other paths: scripts and styles for a browser. */
export function serveFiles(
  pages: Readonly<Record<string, string>>,
  fileOf: (path: string) => string,
): Promise<LoopbackServer> {
  return serveOnLoopback(async ({ path }, response) => {
    const { pathname } = new URL(path, 'http://localhost');
    const html = pages[pathname];
    const body = html ?? (await readFile(fileOf(pathname)).catch(() => undefined));
    const type = html !== undefined ? 'html' : extname(pathname) === '.css' ? 'css' : 'javascript';
    if (body === undefined) response.writeHead(404).end();
    else response.setHeader('content-type', `text/${type}; charset=utf-8`).end(body);
  });
}
