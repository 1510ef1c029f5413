import type { JournalBody } from './entry.ts';

/** The body of a journal entry as it would be sent; null if it is missing or not kept as text. */
export function bodyText(body: JournalBody | null): string | null {
  switch (body?.kind) {
    case 'json':
      return JSON.stringify(body.json);
    case 'form':
      return new URLSearchParams(body.fields.map(([name, value]): [string, string] => [name, value])).toString();
    case 'text':
      return body.text;
    default:
      return null;
  }
}
