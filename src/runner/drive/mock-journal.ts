import { ToolError } from '../../errors.ts';
import { schemaCheck } from '../../files/schema.ts';
import type { JournalEntry } from '../../http/journal.ts';

export interface MockJournalOptions {
  readonly fetch?: (input: string, init: RequestInit) => Promise<Response>;
  readonly signal?: AbortSignal;
  /** Milliseconds; 20 000 by default. */
  readonly timeout?: number;
}

/**
 * Fetches the journal of a running mock from its control API (`GET {url}/__mock/journal`, NDJSON).
 * Throws `ToolError` `target-unusable` where there is none, with what to do instead; `journal-invalid` with the line.
 */
export async function fetchMockJournal(url: string, options: MockJournalOptions = {}): Promise<JournalEntry[]> {
  const address = journalAddress(url);
  const timeout = AbortSignal.timeout(options.timeout ?? 20_000);
  const signal = options.signal === undefined ? timeout : AbortSignal.any([options.signal, timeout]);
  let response: Response;
  let text: string;
  try {
    response = await (options.fetch ?? fetch)(address, {
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
  return text.split('\n').flatMap((line, index): JournalEntry[] => {
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
