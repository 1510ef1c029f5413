import { bodyText } from '../../src/journal/body-text.ts';
import type { JournalEntry } from '../../src/journal/entry.ts';

/** Header fields that a client writes by itself. */
const OWN = /^(?:host|connection|content-length|accept-encoding|user-agent|sec-.*|origin|referer|transfer-encoding)$/i;

/** A request as a line for a POSIX shell. Secrets are masked in the journal: the token is to be put into `$TOKEN`. */
export function curlOf({ method, request }: JournalEntry, url: string): string {
  const body = bodyText(request.body);
  const way = method === 'HEAD' ? '--head ' : method === 'GET' && body === null ? '' : `-X ${method} `;
  // brackets and dots of the path are meant as they stand
  const parts = [`curl ${way}--globoff --path-as-is ${quoted(url)}`];
  for (const [name, value] of request.headers) {
    if (OWN.test(name)) continue;
    parts.push(
      isBearer(name, value)
        ? '-H "Authorization: Bearer $TOKEN"'
        : isBasic(name, value)
          ? '-u "$USERNAME:$PASSWORD"'
          : // without a value curl takes a field away, unless a semicolon ends it
            `-H ${quoted(value === '' ? `${name};` : `${name}: ${value}`)}`,
    );
  }
  if (body !== null) {
    if (!request.headers.some(([name]) => name.toLowerCase() === 'content-type')) parts.push("-H 'content-type:'");
    parts.push(`--data-raw ${quoted(body)}`);
  }
  return parts.join(' \\\n  ');
}

function isBearer(name: string, value: string): boolean {
  return name.toLowerCase() === 'authorization' && /^bearer/i.test(value);
}

function isBasic(name: string, value: string): boolean {
  return name.toLowerCase() === 'authorization' && /^basic/i.test(value);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
