import { bodyText } from '../../src/journal/body-text.ts';
import type { JournalEntry } from '../../src/journal/entry.ts';
import { quoted } from '../../src/report/shell.ts';

/** Header fields that a client or this page sets itself. */
export const OWN: RegExp =
  /^(?:x-mock-page|host|connection|content-length|accept-encoding|user-agent|sec-.*|origin|referer|transfer-encoding)$/i;

/** A request as a command for a POSIX shell. The journal masks secrets; the command reads the token from `$TOKEN`. */
export function curlOf({ method, request }: JournalEntry, url: string): string {
  const body = bodyText(request.body);
  const way = method === 'HEAD' ? '--head ' : method === 'GET' && body === null ? '' : `-X ${method} `;
  // curl must not interpret brackets and dots of the path
  const parts = [`curl ${way}--globoff --path-as-is ${quoted(url)}`];
  for (const [name, value] of request.headers) {
    if (OWN.test(name)) continue;
    const field = `${name}: ${value}`;
    if (/^authorization: bearer/i.test(field)) parts.push('-H "Authorization: Bearer $TOKEN"');
    else if (/^authorization: basic/i.test(field)) parts.push('-u "$USERNAME:$PASSWORD"');
    // without a value curl removes a field, unless a semicolon ends it
    else parts.push(`-H ${quoted(value === '' ? `${name};` : field)}`);
  }
  if (body !== null) {
    if (!request.headers.some(([name]) => name.toLowerCase() === 'content-type')) parts.push("-H 'content-type:'");
    parts.push(`--data-raw ${quoted(body)}`);
  }
  return parts.join(' \\\n  ');
}
