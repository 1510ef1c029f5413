import type { Contract } from '../../contract/contract.ts';
import { createMatcher } from '../../contract/paths.ts';
import { secretNames } from '../../contract/secrets.ts';
import { serverHosts } from '../../contract/services.ts';
import { ToolError } from '../../errors.ts';
import { jsonFaultPosition } from '../../files/json.ts';
import { readTextFile } from '../../files/read.ts';
import { createRedactor } from '../../redact/redact.ts';
import { parseJson } from '../../text/decode.ts';
import { createPseudonym, type JournalEntry, journalEntry } from '../entry.ts';
import { type Captured, exchangeOfHar, type HarEntry } from './exchange.ts';

/** Bytes; larger bodies are left out. */
const LARGEST_BODY = 1024 * 1024;

export interface Capture {
  /** Redacted, with new pseudonyms for tokens. */
  readonly entries: readonly JournalEntry[];
  /** Base address of the API, for instance `https://api.example/sandbox`; empty if it was not found. */
  readonly baseUrl: string;
  /** Redacted exchanges with the same address whose first path segment is not in the contract. */
  readonly others: readonly JournalEntry[];
  /** Exchanges outside of {@link entries}: other addresses, {@link others}, and unreadable ones. */
  readonly skipped: number;
}

/**
 * Reads a HAR 1.2 capture of a browser or a proxy, without other hosts. Missing sizes, times, bodies and credentials
 * count as unknown. Throws `ToolError` `file-missing`, `file-unreadable`, or `journal-invalid` with its place.
 */
export async function readHar(file: string, contract: Contract): Promise<Capture> {
  const entries = parseHar(await readTextFile(file), file);
  const addresses = findBaseAddresses(contract, entries);
  const find = createMatcher(contract.operations);
  const connections = new Map<string, number>();
  const known: JournalEntry[] = [];
  const others: JournalEntry[] = [];
  const redactor = createRedactor();
  redactor.learnNames(secretNames(contract));
  const options = { redactor, pseudonym: createPseudonym(), bodyLimit: LARGEST_BODY };
  const sent = entries.flatMap((entry) => {
    const below = addresses.below(entry.request?.url);
    if (below === null) return [];
    const match = find(String(entry.request?.method ?? '').toUpperCase(), below.target);
    const operationId = match?.kind === 'operation' ? match.operation.operationId : null;
    const captured = exchangeOfHar(entry, { target: below.target, operationId, connections });
    return captured === null ? [] : [{ ...captured, into: below.known ? known : others }];
  });
  sent.sort((a, b) => a.exchange.startedAt - b.exchange.startedAt);
  for (const one of sent) {
    const entry = journalEntry({ ...one.exchange, seq: one.into.length + 1 }, options);
    one.into.push(withOmitted(entry, one));
  }
  return { entries: known, others, baseUrl: addresses.first, skipped: entries.length - known.length };
}

/** A body that the capture dropped does not count as empty. */
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
  const har = parseJson(clean);
  if (har === undefined) throw invalid('This is no JSON.', jsonFaultPosition(clean));
  const entries = (har as { log?: { entries?: unknown } } | null)?.log?.entries;
  if (!Array.isArray(entries)) throw invalid('This JSON has no log.entries.');
  return entries.filter((entry): entry is HarEntry => typeof entry === 'object' && entry !== null);
}

const LONGEST_PREFIX = 4;

/** Finds the base addresses of the API, origins with a path prefix, by requests that match an operation. */
function findBaseAddresses(contract: Contract, entries: readonly HarEntry[]) {
  const { operations } = contract;
  const find = createMatcher(operations);
  const paths = operations.flatMap(({ path }) => path ?? []);
  const areas = new Set(paths.map((path) => path.split('/')[1] ?? ''));
  const beginnings = new Set(paths.map(beginningOf));
  const basesWhere = (takes: (path: string, method: string) => boolean): string[] => {
    const bases = entries.flatMap(({ request }) => {
      const url = parse(request?.url);
      const method = String(request?.method).toUpperCase();
      const prefix = prefixesOf(url?.pathname ?? '').find((one) =>
        takes(url?.pathname.slice(one.length) ?? '', method),
      );
      return prefix === undefined ? [] : [`${url?.origin}${prefix}`];
    });
    return [...Map.groupBy(bases, (base) => base).values()]
      .sort((a, b) => b.length - a.length)
      .map(([base = '']) => base);
  };
  const taken = basesWhere((path, method) => find(method, path)?.kind === 'operation');
  // If no request matches an operation, compare only the first two segments of the path, as in `/orders/v2/`.
  const found = taken.length > 0 ? taken : basesWhere((path) => beginnings.has(beginningOf(path)));
  // Another API may have the same paths. A capture of a test environment contains none of the contract's servers.
  const hosts = serverHosts(contract);
  const own = found.filter((base) => hosts.has(new URL(base).host));
  const bases = own.length > 0 ? own : found;
  return {
    first: bases[0] ?? '',
    /** Path and query of a request below its base address; null for another address. */
    below(address: unknown): { readonly target: string; readonly known: boolean } | null {
      const url = parse(address);
      const path = `${url?.origin}${url?.pathname}`;
      const base = bases.find((candidate) => path.startsWith(`${candidate}/`));
      if (url === null || base === undefined) return null;
      const rest = path.slice(base.length);
      // the same origin may serve a web application
      return { target: `${rest}${url.search}`, known: areas.has(rest.split('/')[1] ?? '') };
    },
  };
}

function beginningOf(path: string): string {
  return path.split('/').slice(0, 3).join('/');
}

function prefixesOf(path: string): string[] {
  const segments = path.split('/').slice(0, -1);
  return segments.slice(0, LONGEST_PREFIX).map((_, index) => segments.slice(0, index + 1).join('/'));
}

function parse(address: unknown): URL | null {
  const url = typeof address === 'string' && URL.canParse(address) ? new URL(address) : null;
  return url !== null && /^https?:$/.test(url.protocol) ? url : null;
}
