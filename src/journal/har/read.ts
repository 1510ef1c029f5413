import type { Operation } from '../../contract/contract.ts';
import { createMatcher } from '../../contract/paths.ts';
import { ToolError } from '../../errors.ts';
import { jsonFaultPosition } from '../../files/json.ts';
import { readTextFile } from '../../files/read.ts';
import { createRedactor } from '../../redact/redact.ts';
import { createPseudonym, type JournalEntry, journalEntry } from '../entry.ts';
import { type Captured, type HarEntry, toExchange } from './exchange.ts';

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
  } catch {
    throw invalid('This is no JSON.', jsonFaultPosition(clean));
  }
  const entries = (har as { log?: { entries?: unknown } } | null)?.log?.entries;
  if (!Array.isArray(entries)) throw invalid('This JSON has no log.entries.');
  return entries.filter((entry): entry is HarEntry => typeof entry === 'object' && entry !== null);
}

/** Where in a capture the API is: at which origins, and under which prefix of the path. */
interface Places {
  /** The one that most requests went to; empty where there is none. */
  readonly baseUrl: string;
  /** Where a request is below the base address; null for one with another address. */
  placeOf(url: string): Place | null;
}

interface Place {
  /** Path and query below the base address. */
  readonly target: string;
  /** False where the path begins as none of the contract does: a page or a script, or what the contract does not know. */
  readonly known: boolean;
}

const LONGEST_PREFIX = 4;

/** Finds the base addresses by the requests that some operation takes. */
function createPlaces(
  operations: readonly Operation[],
  requests: readonly { readonly method: string; readonly url: string }[],
): Places {
  const find = createMatcher(operations);
  const counts = new Map<string, number>();
  for (const { method, url } of requests) {
    const parsed = parse(url);
    if (parsed === null) continue;
    for (const prefix of prefixesOf(parsed.pathname)) {
      if (find(method, parsed.pathname.slice(prefix.length))?.kind !== 'operation') continue;
      const base = `${parsed.origin}${prefix}`;
      counts.set(base, (counts.get(base) ?? 0) + 1);
      break;
    }
  }
  // Where all is traffic that no operation takes, the beginnings of the paths still tell.
  if (counts.size === 0) countBeginnings(counts, operations, requests);
  const bases = [...counts].sort((a, b) => b[1] - a[1]).map(([base]) => base);
  const areas = new Set(operations.flatMap(({ path }) => (path === null ? [] : [path.split('/')[1] ?? ''])));
  return {
    baseUrl: bases[0] ?? '',
    placeOf(url) {
      const parsed = parse(url);
      if (parsed === null) return null;
      const path = `${parsed.origin}${parsed.pathname}`;
      const base = bases.find((candidate) => path.startsWith(`${candidate}/`));
      if (base === undefined) return null;
      const below = path.slice(base.length);
      // a web application may be served from the same origin
      return { target: `${below}${parsed.search}`, known: areas.has(below.split('/')[1] ?? '') };
    },
  };
}

/** Counts base addresses by the first two segments of paths, such as `/orders/v2/`. */
function countBeginnings(
  counts: Map<string, number>,
  operations: readonly Operation[],
  requests: readonly { readonly url: string }[],
): void {
  const beginnings = new Set(operations.flatMap(({ path }) => (path === null ? [] : [beginningOf(path)])));
  for (const { url } of requests) {
    const parsed = parse(url);
    const prefix = prefixesOf(parsed?.pathname ?? '').find((one) =>
      beginnings.has(beginningOf(parsed?.pathname.slice(one.length) ?? '')),
    );
    if (parsed === null || prefix === undefined) continue;
    const base = `${parsed.origin}${prefix}`;
    counts.set(base, (counts.get(base) ?? 0) + 1);
  }
}

function beginningOf(path: string): string {
  return path.split('/').slice(0, 3).join('/');
}

function prefixesOf(path: string): string[] {
  const segments = path.split('/');
  const prefixes: string[] = [];
  for (let count = 1; count <= Math.min(LONGEST_PREFIX, segments.length - 1); count++) {
    prefixes.push(segments.slice(0, count).join('/'));
  }
  return prefixes;
}

function parse(url: string): URL | null {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  return parsed !== null && /^https?:$/.test(parsed.protocol) ? parsed : null;
}
