import type { Operation } from '../contract/contract.ts';
import { createMatcher } from '../contract/match.ts';
import { ToolError } from '../errors.ts';
import { jsonErrorPosition } from '../files/place.ts';
import { readTextFile } from '../files/read.ts';
import { createRedactor } from '../redact/redact.ts';
import { createPseudonym, type JournalEntry, journalEntry } from './entry.ts';
import { type Captured, type HarEntry, toExchange } from './har/exchange.ts';
import { createPlaces } from './har/places.ts';

/** Bytes; what is larger is left out. */
const LARGEST_BODY = 1024 * 1024;

/** What of a HAR capture is traffic with the API. */
export interface Capture {
  /** Redacted; the pseudonyms of tokens are made here. */
  readonly entries: readonly JournalEntry[];
  /** Where the API was found, such as `https://api.example/sandbox`; empty where it was not. */
  readonly baseUrl: string;
  /** Redacted exchanges with the same address whose paths begin as none of the contract does. */
  readonly others: readonly JournalEntry[];
  /** Exchanges that are none of {@link entries}: those with other addresses, {@link others}, and such as cannot be read. */
  readonly skipped: number;
}

/**
 * Reads a HAR 1.2 capture of a browser or a proxy. Other hosts are left out, and what a capture often lacks (sizes, times, bodies,
 * credentials) is taken as not known. Throws `ToolError` `file-missing`, `file-unreadable`, or `journal-invalid` with its place.
 */
export async function readHar(
  file: string,
  operations: readonly Operation[],
  secrets: readonly string[] = [],
): Promise<Capture> {
  const entries = parseHar(await readTextFile(file), file);
  const places = createPlaces(
    operations,
    entries.flatMap(({ request }) =>
      typeof request?.url === 'string' ? [{ method: String(request.method).toUpperCase(), url: request.url }] : [],
    ),
  );
  const find = createMatcher(operations);
  const connections = new Map<string, number>();
  const known: JournalEntry[] = [];
  const others: JournalEntry[] = [];
  const redactor = createRedactor();
  redactor.learnNames(secrets);
  const options = { redactor, pseudonym: createPseudonym(), bodyLimit: LARGEST_BODY };
  const sent = entries.flatMap((entry) => {
    const place = typeof entry.request?.url === 'string' ? places.placeOf(entry.request.url) : null;
    if (place === null) return [];
    const match = find(String(entry.request?.method ?? '').toUpperCase(), place.target);
    const operationId = match?.kind === 'operation' ? match.operation.operationId : null;
    const captured = toExchange(entry, { target: place.target, operationId, connections });
    return captured === null ? [] : [{ ...captured, into: place.known ? known : others }];
  });
  sent.sort((a, b) => a.exchange.startedAt - b.exchange.startedAt);
  for (const one of sent) {
    const entry = journalEntry({ ...one.exchange, seq: one.into.length + 1 }, options);
    one.into.push(withOmitted(entry, one));
  }
  return { entries: known, others, baseUrl: places.baseUrl, skipped: entries.length - known.length };
}

/** A body that the capture left out is not an empty one. */
function withOmitted(entry: JournalEntry, { lacksBody, lacksAnswer }: Captured): JournalEntry {
  const { request, response } = entry;
  const body = { kind: 'omitted', bytes: 0, state: 'complete' } as const;
  return {
    ...entry,
    request: lacksBody && request.body === null ? { ...request, body } : request,
    response: lacksAnswer && response?.body === null ? { ...response, body } : response,
  };
}

function parseHar(text: string, file: string): readonly HarEntry[] {
  const invalid = (message: string, position = { line: 1, column: 1 }): ToolError =>
    new ToolError('journal-invalid', message, {
      place: { file, ...position },
      hint: 'A capture is a HAR 1.2 file, as browsers and proxies export it ("Save all as HAR").',
    });
  const clean = text.replace(/^\uFEFF/, '');
  let har: unknown;
  try {
    har = JSON.parse(clean);
  } catch (error) {
    throw invalid('This is no JSON.', jsonErrorPosition(clean, error));
  }
  const entries = (har as { log?: { entries?: unknown } } | null)?.log?.entries;
  if (!Array.isArray(entries)) throw invalid('This JSON has no log.entries.');
  return entries.filter((entry): entry is HarEntry => typeof entry === 'object' && entry !== null);
}
