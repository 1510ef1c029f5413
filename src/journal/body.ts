import type { Json } from '../contract/contract.ts';
import { type Body, type HeaderFields, header } from '../model/exchange.ts';
import type { Redactor } from '../redact/redact.ts';

/** A body as a journal keeps it: redacted, `bytes` being its true size. */
export type JournalBody =
  | { readonly kind: 'json'; readonly bytes: number; readonly state: Body['state']; readonly json: Json }
  | {
      readonly kind: 'form';
      readonly bytes: number;
      readonly state: Body['state'];
      readonly fields: readonly (readonly [name: string, value: string])[];
    }
  | { readonly kind: 'text'; readonly bytes: number; readonly state: Body['state']; readonly text: string }
  /** `omitted`: above the limit of the journal, or not in the capture that it was read from. */
  | { readonly kind: 'binary' | 'omitted'; readonly bytes: number; readonly state: Body['state'] };

/** A body as far as it can be read, not redacted yet. */
export type ReadBody =
  | { readonly kind: 'json'; readonly value: unknown; readonly size: Size }
  | { readonly kind: 'form'; readonly fields: URLSearchParams; readonly size: Size }
  | { readonly kind: 'text'; readonly text: string; readonly size: Size }
  | { readonly kind: 'binary' | 'omitted'; readonly size: Size };

interface Size {
  readonly bytes: number;
  readonly state: Body['state'];
}

/** Reads a body for the journal; null where there is none. `limit` in bytes. */
export function readBody(
  bytes: Uint8Array | null,
  state: Body['state'],
  headers: HeaderFields,
  limit: number,
): ReadBody | null {
  if (bytes === null || (bytes.length === 0 && state === 'complete')) return null;
  const size = { bytes: bytes.length, state };
  if (bytes.length > limit) return { kind: 'omitted', size };
  const text = decode(bytes);
  if (text === undefined || state === 'undecodable') return { kind: 'binary', size };
  const type = (header(headers, 'content-type') ?? '').toLowerCase();
  if (type.startsWith('application/x-www-form-urlencoded')) {
    return { kind: 'form', size, fields: new URLSearchParams(text) };
  }
  if (/json/.test(type) || /^\s*[[{]/.test(text)) {
    try {
      return { kind: 'json', size, value: JSON.parse(text) };
    } catch {
      // broken JSON is kept as text, so that one can see how it is broken
    }
  }
  return { kind: 'text', size, text };
}

/** Teaches a redactor the secrets that a body names as such. */
export function learnFromBody(body: ReadBody | null, redactor: Redactor): void {
  if (body?.kind === 'json') redactor.learnFrom(body.value);
  else if (body?.kind === 'form') redactor.learnFrom(Object.fromEntries(body.fields));
}

/** The body as it may be shown. */
export function journalBody(body: ReadBody | null, redactor: Redactor): JournalBody | null {
  if (body === null) return null;
  const { size } = body;
  switch (body.kind) {
    case 'json':
      return { kind: 'json', ...size, json: redactor.json(body.value) };
    case 'form':
      return { kind: 'form', ...size, fields: redactor.fields(body.fields) };
    case 'text':
      return { kind: 'text', ...size, text: redactor.text(body.text) };
    default:
      return { kind: body.kind, ...size };
  }
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}
