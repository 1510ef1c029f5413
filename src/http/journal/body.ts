import type { Json } from '../../spec/contract.ts';
import { type Body, type HeaderFields, header } from '../exchange.ts';
import type { Redactor } from '../redact.ts';

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

/** Redacts a body for the journal; null where there is none. `limit` in bytes. */
export function journalBody(
  bytes: Uint8Array | null,
  state: Body['state'],
  headers: HeaderFields,
  redactor: Redactor,
  limit: number,
): JournalBody | null {
  if (bytes === null || (bytes.length === 0 && state === 'complete')) return null;
  const size = { bytes: bytes.length, state };
  if (bytes.length > limit) return { kind: 'omitted', ...size };
  const text = decode(bytes);
  if (text === undefined || state === 'undecodable') return { kind: 'binary', ...size };
  const type = (header(headers, 'content-type') ?? '').toLowerCase();
  if (type.startsWith('application/x-www-form-urlencoded')) {
    return { kind: 'form', ...size, fields: redactor.fields(new URLSearchParams(text)) };
  }
  if (/json/.test(type) || /^\s*[[{]/.test(text)) {
    try {
      return { kind: 'json', ...size, json: redactor.json(JSON.parse(text)) };
    } catch {
      // broken JSON is kept as text, so that one can see how it is broken
    }
  }
  return { kind: 'text', ...size, text: redactor.text(text) };
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}
