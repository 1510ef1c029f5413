import { bodyText } from '../../journal/body-text.ts';
import { callerTime, type JournalBody, type JournalEntry } from '../../journal/entry.ts';

/** Journal entries as HAR 1.2, equally redacted. Tokens keep their pseudonyms, so that an audit can follow them. */
export function toHar(entries: readonly JournalEntry[], baseUrl: string): object {
  return {
    log: {
      version: '1.2',
      creator: { name: 'banking-api-contract', version: '1' },
      entries: entries.map((entry) => harEntry(withPseudonym(entry), baseUrl)),
    },
  };
}

function withPseudonym(entry: JournalEntry): JournalEntry {
  const { token, request, response } = entry;
  if (token === null) return entry;
  const headers = request.headers.map(([name, value]): readonly [string, string] => [
    name,
    name === 'authorization' && /^bearer /i.test(value) ? `Bearer ${token.id}` : value,
  ]);
  const named = { ...entry, request: { ...request, headers } };
  if (response?.body?.kind !== 'json') return named;
  const { body } = response;
  const isIssue = typeof body.json === 'object' && body.json !== null && 'access_token' in body.json;
  const json = isIssue ? { ...(body.json as object), access_token: token.id } : body.json;
  return { ...named, response: { ...response, body: { ...body, json } } };
}

function harEntry(entry: JournalEntry, baseUrl: string): object {
  const { request, response, startedAt, endedAt, connection, failure } = entry;
  const time = Math.max(0, Date.parse(endedAt) - Date.parse(startedAt));
  const url = `${baseUrl}${entry.path}`;
  return {
    // a capture has the times of the caller
    startedDateTime: new Date(callerTime(entry, startedAt)).toISOString(),
    time,
    ...(connection === null ? {} : { connection: String(connection) }),
    request: {
      method: entry.method,
      url,
      ...messageOf(request),
      queryString: pairs(URL.canParse(url) ? [...new URL(url).searchParams] : []),
      ...(request.body ? { postData: postData(request.body, typeOf(request)) } : {}),
    },
    response: {
      status: response?.status ?? 0,
      statusText: '',
      ...messageOf(response),
      content: {
        size: response?.body?.bytes ?? 0,
        mimeType: typeOf(response),
        ...(response?.body ? { text: bodyText(response.body) ?? '' } : {}),
      },
      redirectURL: '',
      ...(failure ? { _error: failure.message } : {}),
    },
    cache: {},
    timings: { send: 0, wait: time, receive: 0 },
  };
}

type Message = Pick<JournalEntry['request'], 'headers' | 'body'> | null;

function messageOf(message: Message): object {
  const headers = pairs(message?.headers ?? []);
  return { httpVersion: 'HTTP/1.1', cookies: [], headers, headersSize: -1, bodySize: message?.body?.bytes ?? 0 };
}

function typeOf(message: Message): string {
  return message?.headers.find(([name]) => name === 'content-type')?.[1] ?? '';
}

function postData(body: JournalBody, mimeType: string): object {
  return { mimeType, text: bodyText(body) ?? '', ...(body.kind === 'form' ? { params: pairs(body.fields) } : {}) };
}

function pairs(fields: readonly (readonly [string, string])[]): object[] {
  return fields.map(([name, value]) => ({ name, value }));
}
