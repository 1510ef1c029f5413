import type { Exchange } from '../../model/exchange.ts';

/** The used parts of a HAR entry. Each may be missing or have another type. */
export interface HarEntry {
  readonly startedDateTime?: unknown;
  readonly time?: unknown;
  readonly connection?: unknown;
  readonly request?: {
    readonly method?: unknown;
    readonly url?: unknown;
    readonly headers?: unknown;
    readonly bodySize?: unknown;
    readonly postData?: {
      readonly mimeType?: unknown;
      readonly text?: unknown;
      readonly params?: unknown;
      readonly encoding?: unknown;
    };
  };
  readonly response?: {
    readonly status?: unknown;
    readonly headers?: unknown;
    readonly bodySize?: unknown;
    readonly content?: {
      readonly size?: unknown;
      readonly text?: unknown;
      readonly encoding?: unknown;
      readonly mimeType?: unknown;
    };
    readonly _error?: unknown;
  };
}

export interface Known {
  readonly target: string;
  readonly operationId: string | null;
  readonly connections: Map<string, number>;
}

/** An exchange of a capture, and which of its bodies the capture has dropped. */
export interface Captured {
  readonly exchange: Exchange;
  readonly lacksBody: boolean;
  readonly lacksAnswer: boolean;
}

/** Milliseconds: no exchange takes a year. */
const LONGEST = 365 * 24 * 3_600_000;

/** An exchange of a capture; null if it has no time. */
export function exchangeOfHar(entry: HarEntry, known: Known): Captured | null {
  const { request, response } = entry;
  const startedAt = Date.parse(String(entry.startedDateTime));
  if (Number.isNaN(startedAt) || typeof request?.method !== 'string') return null;
  const time = typeof entry.time === 'number' && entry.time > 0 && entry.time < LONGEST ? entry.time : 0;
  const headers = headersOf(request.headers);
  const body = requestBody(request.postData);
  if (
    body !== null &&
    typeof request.postData?.mimeType === 'string' &&
    !headers.some(([name]) => name === 'content-type')
  ) {
    headers.push(['content-type', request.postData.mimeType]);
  }
  const length = Number(headers.find(([name]) => name === 'content-length')?.[1] ?? request.bodySize ?? 0);
  // browsers write 0 for a blocked, aborted or cut request
  const status = typeof response?.status === 'number' && response.status >= 100 ? response.status : null;
  return {
    lacksBody: body === null && length > 0,
    lacksAnswer: request.method.toUpperCase() !== 'HEAD' && lacksAnswer(response),
    exchange: {
      seq: 0,
      startedAt,
      endedAt: Math.round(startedAt + time),
      connection: connectionOf(entry.connection, known.connections),
      operationId: known.operationId,
      request: { method: request.method.toUpperCase(), target: known.target, headers, body },
      response:
        status === null
          ? null
          : {
              status,
              headers: headersOf(response?.headers),
              body: { bytes: contentOf(response?.content), state: 'complete' },
            },
      failure: status === null ? { kind: 'aborted', message: 'The capture has no answer.' } : null,
      token: null,
    },
  };
}

/** Lower-case names, without the pseudo fields of HTTP/2 and HTTP/3. */
function headersOf(headers: unknown): [string, string][] {
  if (!Array.isArray(headers)) return [];
  return headers.flatMap((field: { name?: unknown; value?: unknown } | null): [string, string][] => {
    if (typeof field?.name !== 'string' || field.name.startsWith(':')) return [];
    return [[field.name.toLowerCase(), String(field.value ?? '')]];
  });
}

function requestBody(data: NonNullable<HarEntry['request']>['postData']): Uint8Array | null {
  if (typeof data?.text === 'string' && data.text !== '') {
    return Buffer.from(data.text, data.encoding === 'base64' ? 'base64' : 'utf8');
  }
  if (!Array.isArray(data?.params) || data.params.length === 0) return null;
  const form = new URLSearchParams();
  for (const field of data.params as ({ name?: unknown; value?: unknown } | null)[]) {
    if (typeof field?.name === 'string') form.append(field.name, String(field.value ?? ''));
  }
  return Buffer.from(form.toString());
}

function contentOf(content: NonNullable<HarEntry['response']>['content']): Uint8Array {
  if (typeof content?.text !== 'string') return new Uint8Array();
  return Buffer.from(content.text, content.encoding === 'base64' ? 'base64' : 'utf8');
}

/** True if the answer had a body that the browser has discarded or never kept. */
function lacksAnswer(response: HarEntry['response']): boolean {
  const { status, content, bodySize } = response ?? {};
  if (status === 204 || status === 205 || status === 304) return false;
  if (typeof content?.text === 'string' && content.text !== '') return false;
  const length = headersOf(response?.headers).find(([name]) => name === 'content-length')?.[1];
  return [content?.size, bodySize, length].some((size) => Number(size ?? 0) > 0);
}

function connectionOf(name: unknown, connections: Map<string, number>): number | null {
  if ((typeof name !== 'string' && typeof name !== 'number') || name === '') return null;
  const key = String(name);
  const number = connections.get(key) ?? connections.size + 1;
  connections.set(key, number);
  return number;
}
