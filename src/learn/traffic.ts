import type { Contract, Operation } from '../contract/contract.ts';
import { createMatcher } from '../contract/paths.ts';
import { secretNames } from '../contract/secrets.ts';
import { type Capture, readHar } from '../journal/har/read.ts';
import { readJournal } from '../journal/read.ts';
import type { JournalEntry } from '../journal/write.ts';
import { candidatesFor, pathShape } from '../judge/unmatched-paths.ts';
import { header } from '../model/exchange.ts';
import { isJsonType, mediaType } from '../model/media.ts';
import { createRedactor } from '../redact/redact.ts';
import { compare } from '../text/words.ts';
import { makeRecording, type RecordingOptions } from './recording.ts';
import { createGatherer } from './sightings.ts';
import { createTrafficFilter } from './traffic-filter.ts';

export interface StrayTraffic {
  readonly method: string;
  readonly path: string;
  readonly count: number;
  readonly candidates: readonly string[];
}

/**
 * Learns from captured traffic: a HAR by its file name, otherwise a journal. Masked values teach only their type.
 * @param options `known` is the contract with the old recording: a notice contradicts its facts
 * @throws ToolError `file-missing`, `file-unreadable`, `journal-invalid`.
 */
export async function recordTraffic(
  file: string,
  contract: Contract,
  options: Omit<RecordingOptions, 'isValue' | 'kept'> & { readonly known?: Contract } = {},
) {
  const find = createMatcher(contract.operations);
  const isJournal = !/\.har(?:\.json)?$/i.test(file);
  const gatherer = createGatherer();
  const filter = createTrafficFilter(options.known ?? contract, gatherer.add);
  const ids = new Set<string>();
  const strays = new Map<string, StrayTraffic & { body: unknown }>();
  let exchanges = 0;
  let bodiless = 0;
  let torn: number | null = null;
  let elsewhere = 0;
  let pages = 0;

  const take = (entry: JournalEntry): void => {
    exchanges += 1;
    const match = find(entry.method, entry.path);
    if (match?.kind === 'operation') {
      for (const value of Object.values(match.pathParameters)) ids.add(value);
      if (entry.response?.body?.kind === 'omitted') bodiless += 1;
      filter.add(entry, { ...match, isTokenCheck: isJournal && isTokenCheck(entry, match.operation) });
      // a rejected method is no operation
    } else if (match?.kind !== 'path' || (entry.response?.status ?? 500) < 400) addStray(entry);
  };
  const addStray = (entry: JournalEntry): void => {
    // `OPTIONS *` and preflight requests
    if (!entry.path.startsWith('/') || entry.method === 'OPTIONS') return;
    const path = distinctNames(pathShape(contract, entry.path));
    const key = `${path} ${entry.method}`;
    const known = strays.get(key);
    const body = entry.response?.body;
    const json = body?.kind === 'json' && (entry.response?.status ?? 500) < 300 ? body.json : undefined;
    strays.set(key, {
      method: entry.method,
      path,
      count: (known?.count ?? 0) + 1,
      candidates: [],
      body: known?.body ?? json,
    });
  };

  if (!isJournal) {
    const capture: Capture = await readHar(file, contract);
    for (const entry of capture.entries) take(entry);
    const calls = capture.others.filter(isCall);
    for (const entry of calls) take(entry);
    pages = capture.others.length - calls.length;
    elsewhere = capture.skipped - capture.others.length;
  } else {
    const onTorn = (line: number): void => {
      torn = line;
    };
    for await (const entry of readJournal(file, { onTorn })) take(entry);
  }

  filter.end();

  const redactor = createRedactor();
  redactor.learnNames(secretNames(contract));
  const recording = makeRecording(contract, gatherer.sightings, {
    ...options,
    kept: filter.unanswered,
    isValue: (key) => ids.has(key) || redactor.text(key) !== key,
  });
  return {
    recording: recording.actions.some(({ operationId }) => operationId !== contract.token?.operationId)
      ? recording
      : null,
    strays: [...strays]
      .sort(([a], [b]) => compare(a, b))
      .map(([, { body, method, path, count }]) => ({
        method,
        path,
        count,
        candidates: candidatesFor(contract, { method, shape: path, ...(body === undefined ? {} : { body }) }),
      })),
    exchanges,
    // for captures: exchanges with other addresses; pages, scripts and images. They are neither learned nor listed
    elsewhere,
    pages,
    bodiless,
    leftOut: [...filter.leftOut].map(([operationId, reason]) => ({ operationId, reason: redactor.text(reason) })),
    torn,
  };
}

/** A request of `verify` without a valid token, or a success without a token. (Browsers omit the token in a capture.) */
function isTokenCheck({ request, response, token }: JournalEntry, { auth }: Operation): boolean {
  const status = response?.status ?? 500;
  if (auth !== 'bearer') return false;
  // the journal does not show how the token was issued
  if (status === 401) return token?.issuedAt == null;
  return status < 300 && header(request.headers, 'authorization') === undefined;
}

function isCall({ method, request, response }: JournalEntry): boolean {
  if (method !== 'GET' && method !== 'HEAD') return true;
  const type = mediaType(header(response?.headers ?? [], 'content-type'));
  return request.body !== null || response?.body?.kind === 'json' || isJsonType(type);
}

function distinctNames(shape: string): string {
  const seen = new Map<string, number>();
  return shape.replace(/\{([^}]*)\}/g, (_, name: string) => {
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return count === 1 ? `{${name}}` : `{${name}${count}}`;
  });
}

export function locatingActions(strays: readonly StrayTraffic[]): string {
  return strays.map(locatingAction).join('');
}

function locatingAction({ method, path, count, candidates }: StrayTraffic): string {
  const times = count === 1 ? 'once' : `${count} times`;
  const [first, ...others] = candidates;
  const usable = !path.includes('…') && /^(?:GET|PUT|POST|DELETE|PATCH)$/.test(method);
  if (first === undefined || !usable) {
    return `  # ${method} ${path} (${times}): no operation of the reference fits; the paths of the contract may be others.\n`;
  }
  const or = others.length === 0 ? '' : `, or ${others.join(', or ')}`;
  return [
    `  # ${method} ${path} (${times}): it may be ${first}${or}.`,
    '  - target: $.paths',
    '    update:',
    `      ${JSON.stringify(path)}:`,
    `        ${method.toLowerCase()}:`,
    `          operationId: ${first}`,
    '',
  ].join('\n');
}
