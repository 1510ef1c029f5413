import { ToolError } from '../errors.ts';
import { schemaCheck } from '../files/schema.ts';
import type { JournalEntry } from '../journal/write.ts';
import type { Reading } from './settled.ts';

export interface MockJournalOptions {
  readonly fetch?: (input: string, init: RequestInit) => Promise<Response>;
  readonly signal?: AbortSignal;
  /** Milliseconds; 20 000 by default. */
  readonly timeout?: number;
}

/** The journal of a running mock as it stands. */
export interface MockReading extends Reading {
  /** Whose it is, where the mock was started for one program. */
  readonly callers?: 'one';
}

/**
 * Fetches the journal of a running mock from its control API (`GET {url}/__mock/journal`, NDJSON), with the time by the mock's own clock.
 * Throws `ToolError` `target-unusable` where there is none, with what to do instead; `journal-invalid` with the line.
 */
export async function fetchMockJournal(url: string, options: MockJournalOptions = {}): Promise<MockReading> {
  const address = journalAddress(url);
  const timeout = AbortSignal.timeout(options.timeout ?? 20_000);
  const signal = options.signal === undefined ? timeout : AbortSignal.any([options.signal, timeout]);
  const ask = options.fetch ?? fetch;
  let response: Response;
  let text: string;
  // the clock first: what is in the journal happened before that, or more may follow
  const health = await healthOf(address.replace(/journal$/, 'health'), ask, signal);
  try {
    response = await ask(address, {
      headers: { accept: 'application/x-ndjson' },
      redirect: 'manual',
      signal,
    });
    text = await response.text();
  } catch (cause) {
    if (options.signal?.aborted) throw new ToolError('interrupted', 'Interrupted.');
    throw unusable(
      `Nothing answers at ${address}.`,
      'Is the mock running? It prints its address when it starts.',
      cause,
    );
  }
  if (response.status !== 200) {
    throw unusable(
      `${address} answers ${response.status}: there is no journal to fetch.`,
      'Start the mock with --journal FILE and give that file to audit.',
    );
  }
  if (/^\s*</.test(text)) throw unusable(`${address} answers a page, not a journal.`, 'Is it the address of a mock?');
  const check = await schemaCheck('journal');
  const entries = text.split('\n').flatMap((line, index): JournalEntry[] => {
    if (line.trim() === '') return [];
    const place = { file: address, line: index + 1 };
    let entry: unknown;
    try {
      entry = JSON.parse(line);
    } catch (cause) {
      throw new ToolError('journal-invalid', 'This line is no JSON.', { place, cause });
    }
    const [problem] = check(entry);
    if (problem !== undefined) {
      throw new ToolError('journal-invalid', problem.message, { place: { ...place, pointer: problem.pointer } });
    }
    return [entry as JournalEntry];
  });
  return { entries, ...health };
}

/** What the mock says of itself; the clock of this machine where it says nothing. */
async function healthOf(
  address: string,
  ask: NonNullable<MockJournalOptions['fetch']>,
  signal: AbortSignal,
): Promise<Omit<MockReading, 'entries'>> {
  const before = Date.now();
  try {
    const response = await ask(address, { headers: { accept: 'application/json' }, redirect: 'manual', signal });
    const health = (await response.json()) as {
      readonly clock?: { readonly now?: unknown };
      readonly callers?: unknown;
    };
    const now = Date.parse(String(health.clock?.now));
    return { now: Number.isNaN(now) ? before : now, ...(health.callers === 'one' ? { callers: 'one' } : {}) };
  } catch {
    // whether anything answers is for the journal to say
    return { now: before };
  }
}

function journalAddress(url: string): string {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new ToolError('usage', `--mock wants the URL of a running mock, not ${JSON.stringify(url)}.`);
  }
  const parsed = new URL(url);
  return `${parsed.origin}${parsed.pathname.replace(/\/+$/, '')}/__mock/journal`;
}

function unusable(message: string, hint: string, cause?: unknown): ToolError {
  return new ToolError('target-unusable', message, { hint, cause });
}
