import type { JournalBody, JournalEntry } from '../../journal/write.ts';

interface NameValue {
  readonly name: string;
  readonly value: string;
}

/** A HAR 1.2 capture of journal entries: as redacted as they are. */
export function toHar(entries: readonly JournalEntry[], baseUrl: string): object {
  return {
    log: {
      version: '1.2',
      creator: { name: 'banking-api-contract', version: '1' },
      entries: entries.map((entry) => harEntry(entry, baseUrl)),
    },
  };
}

function harEntry(entry: JournalEntry, baseUrl: string): object {
  const { request, response, startedAt, endedAt, connection } = entry;
  const time = Math.max(0, Date.parse(endedAt) - Date.parse(startedAt));
  const url = `${baseUrl}${entry.path}`;
  const type = contentType(request.headers);
  return {
    startedDateTime: startedAt,
    time,
    ...(connection === null ? {} : { connection: String(connection) }),
    request: {
      method: entry.method,
      url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(request.headers),
      queryString: URL.canParse(url) ? [...new URL(url).searchParams].map(([name, value]) => ({ name, value })) : [],
      headersSize: -1,
      bodySize: request.body?.bytes ?? 0,
      ...(request.body ? { postData: postData(request.body, type) } : {}),
    },
    response: {
      status: response?.status ?? 0,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(response?.headers ?? []),
      content: {
        size: response?.body?.bytes ?? 0,
        mimeType: contentType(response?.headers ?? []),
        ...(response?.body ? { text: textOf(response.body) } : {}),
      },
      redirectURL: '',
      headersSize: -1,
      bodySize: response?.body?.bytes ?? 0,
      ...(entry.failure ? { _error: entry.failure.message } : {}),
    },
    cache: {},
    timings: { send: 0, wait: time, receive: 0 },
  };
}

function postData(body: JournalBody, mimeType: string): object {
  if (body.kind !== 'form') return { mimeType, text: textOf(body) };
  return { mimeType, text: textOf(body), params: body.fields.map(([name, value]) => ({ name, value })) };
}

function textOf(body: JournalBody): string {
  switch (body.kind) {
    case 'json':
      return JSON.stringify(body.json);
    case 'form':
      return new URLSearchParams(body.fields.map(([name, value]): [string, string] => [name, value])).toString();
    case 'text':
      return body.text;
    default:
      return '';
  }
}

function pairs(fields: readonly (readonly [string, string])[]): NameValue[] {
  return fields.map(([name, value]) => ({ name, value }));
}

function contentType(fields: readonly (readonly [string, string])[]): string {
  return fields.find(([name]) => name === 'content-type')?.[1] ?? '';
}
