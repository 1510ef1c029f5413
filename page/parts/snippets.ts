import type { JournalBody, JournalEntry } from '../../src/journal/entry.ts';

/** Header fields that a client writes by itself. */
const OWN = /^(?:host|connection|content-length|accept-encoding|user-agent|sec-.*|origin|referer|transfer-encoding)$/i;

/** A request as a line for a POSIX shell. Secrets are masked in the journal: the token is to be put into `$TOKEN`. */
export function curlOf({ method, request }: JournalEntry, url: string): string {
  const parts = [`curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(url)}`];
  for (const [name, value] of request.headers) {
    if (OWN.test(name)) continue;
    parts.push(
      isBearer(name, value)
        ? '-H "Authorization: Bearer $TOKEN"'
        : isBasic(name, value)
          ? '-u "$USERNAME:$PASSWORD"'
          : `-H ${quoted(`${name}: ${value}`)}`,
    );
  }
  const body = bodyText(request.body);
  if (body !== null) parts.push(`--data-raw ${quoted(body)}`);
  return parts.join(' \\\n  ');
}

/** A request as a call of `fetch`. */
export function fetchOf({ method, request }: JournalEntry, url: string): string {
  const headers = request.headers
    .filter(([name]) => !OWN.test(name))
    .map(
      ([name, value]) =>
        `    ${JSON.stringify(name)}: ${isBearer(name, value) ? JSON.stringify('Bearer ').replace(/"$/, '" + token') : JSON.stringify(value)},`,
    );
  const body = bodyText(request.body);
  return [
    `const response = await fetch(${JSON.stringify(url)}, {`,
    `  method: ${JSON.stringify(method)},`,
    ...(headers.length > 0 ? ['  headers: {', ...headers, '  },'] : []),
    ...(body === null ? [] : [`  body: ${JSON.stringify(body)},`]),
    '});',
  ].join('\n');
}

function isBearer(name: string, value: string): boolean {
  return name.toLowerCase() === 'authorization' && /^bearer/i.test(value);
}

function isBasic(name: string, value: string): boolean {
  return name.toLowerCase() === 'authorization' && /^basic/i.test(value);
}

function bodyText(body: JournalBody | null): string | null {
  switch (body?.kind) {
    case 'json':
      return JSON.stringify(body.json);
    case 'form':
      return new URLSearchParams(body.fields.map(([name, value]) => [name, value])).toString();
    case 'text':
      return body.text;
    default:
      return null;
  }
}

/** A word of a POSIX shell that is nothing but the text. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
