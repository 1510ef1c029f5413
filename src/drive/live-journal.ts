import type { Audited, RecordedJournal } from '../audit/judge-caller.ts';
import { GIVEN_UP } from '../audit/times.ts';
import { createReducer } from '../audit/traffic.ts';
import { ToolError } from '../errors.ts';
import { FileTooLarge } from '../files/read.ts';
import { entryParser, linesIn } from '../journal/read.ts';
import type { JournalEntry } from '../journal/write.ts';

/** The current journal, and the time by the clock that wrote it. */
export interface JournalSnapshot extends Pick<RecordedJournal, 'callers'> {
  readonly entries: readonly JournalEntry[];
  readonly now: number;
  /** Older exchanges that the mock has dropped. */
  readonly forgotten?: number;
}

export interface SettleOptions {
  readonly read: () => Promise<JournalSnapshot>;
  readonly judge: (recording: RecordedJournal) => Promise<Audited>;
  /** Resolves after `ms`, or early when the signal aborts. */
  readonly sleep: (ms: number) => Promise<void>;
  readonly monotonic: () => number;
  readonly signal: AbortSignal;
  /** Called after the first read. */
  readonly onRead?: (snapshot: JournalSnapshot) => void;
  readonly onWait?: () => void;
}

/** Milliseconds between two reads of a journal with open exchanges. */
const AGAIN = 1_000;

/**
 * Judges a journal that may still grow. While a retry may be in flight, it is reread, for at most {@link GIVEN_UP}.
 * Time counts by the clock of the journal (a mock's clock may be stopped or moved), and by the time without new
 * entries.
 */
export async function judgeSettled(options: SettleOptions): Promise<Audited> {
  const { read, judge, sleep, monotonic, signal } = options;
  const began = monotonic();
  let known = -1;
  let since = began;
  for (let isAnnounced = false; ; isAnnounced = true) {
    const { now, forgotten, ...recording } = await read();
    if (!isAnnounced) options.onRead?.({ now, ...(forgotten && { forgotten }), ...recording });
    const { entries } = recording;
    if (entries.length !== known) {
      known = entries.length;
      since = monotonic();
    }
    // a clock that was moved back may have ended earlier exchanges later
    const last = Date.parse(entries.at(-1)?.endedAt ?? '') || 0;
    const readAt = Math.max(now, last + (monotonic() - since));
    const audited = await judge({ ...recording, readAt });
    if (!audited.open || monotonic() - began > GIVEN_UP || signal.aborted) return audited;
    if (!isAnnounced) options.onWait?.();
    await sleep(AGAIN);
    if (signal.aborted) return audited;
  }
}

/** Timeout of the control API, in milliseconds. */
const PATIENCE = 20_000;

/** @param options.header a header field to keep, beside those that every audit needs */
export async function fetchMockJournal(
  url: string,
  { header, interrupted }: { readonly header?: string | undefined; readonly interrupted?: AbortSignal } = {},
): Promise<JournalSnapshot> {
  const address = journalAddress(url);
  const within = (patience: number): AbortSignal =>
    AbortSignal.any([AbortSignal.timeout(patience), ...(interrupted === undefined ? [] : [interrupted])]);
  // read the clock first: later entries in the journal happened after it
  const health = await healthOf(address.replace(/journal$/, 'health'), within(PATIENCE / 4));
  try {
    return { entries: await entriesOf(address, header, within(PATIENCE)), ...health };
  } catch (cause) {
    if (interrupted?.aborted) throw new ToolError('interrupted', 'Interrupted.');
    if (cause instanceof ToolError) throw cause;
    const hint = 'Is the mock running? It prints its address when it starts.';
    throw new ToolError('target-unusable', failureOf(cause, address), { hint, cause });
  }
}

function failureOf(cause: unknown, address: string): string {
  if (cause instanceof FileTooLarge) return `${address}: ${cause.message}`;
  const isLate = cause instanceof Error && cause.name === 'TimeoutError';
  return isLate
    ? `${address} did not send a whole journal within ${PATIENCE / 1000} s.`
    : `Nothing answers at ${address}.`;
}

/** Read line by line: the answer may be anything and endless. */
async function entriesOf(address: string, header: string | undefined, signal: AbortSignal): Promise<JournalEntry[]> {
  const response = await get(address, 'application/x-ndjson', signal);
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new ToolError('target-unusable', `${address} returned ${response.status} instead of a journal.`, {
      hint: 'Start the mock with --journal FILE and give that file to audit.',
    });
  }
  const parse = await entryParser(address);
  const reduce = createReducer(header);
  const entries: JournalEntry[] = [];
  let number = 0;
  for await (const { line } of linesIn(textOf(response))) {
    number += 1;
    if (line.trim() !== '') entries.push(reduce(parse(line, number)));
  }
  return entries;
}

function get(address: string, accept: string, signal: AbortSignal): Promise<Response> {
  return fetch(address, { headers: { accept }, redirect: 'manual', signal });
}

async function* textOf({ body }: Response): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const chunk of body ?? []) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

const LONGEST_HEALTH = 1024 * 1024;

/** The clock of this machine if the mock does not state its own. */
async function healthOf(address: string, signal: AbortSignal): Promise<Omit<JournalSnapshot, 'entries'>> {
  const before = Date.now();
  try {
    let text = '';
    for await (const part of textOf(await get(address, 'application/json', signal))) {
      text += part;
      if (text.length > LONGEST_HEALTH) return { now: before };
    }
    const health = JSON.parse(text) as Partial<Record<'callers' | 'forgotten', unknown>> & {
      clock?: { now?: unknown };
    };
    const now = Date.parse(String(health.clock?.now));
    const callers = (['one', 'by-connection'] as const).find((whose) => whose === health.callers);
    const { forgotten } = health;
    const known = { ...(callers && { callers }), ...(typeof forgotten === 'number' && { forgotten }) };
    return { now: Number.isNaN(now) ? before : now, ...known };
  } catch {
    // reading the journal shows whether the server answers
    return { now: before };
  }
}

function journalAddress(url: string): string {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new ToolError('usage', `--mock must be the URL of a running mock (got ${JSON.stringify(url)}).`);
  }
  const parsed = new URL(url);
  return `${parsed.origin}${parsed.pathname.replace(/\/+$/, '')}/__mock/journal`;
}
