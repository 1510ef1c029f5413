import { createPseudonym, type JournalEntry, journalEntry } from '../../journal/entry.ts';
import { type Body, type Exchange, fieldsOf } from '../../model/exchange.ts';
import { createRedactor, type Redactor } from '../../redact/redact.ts';
import type { PlannedOperation } from '../compile/plan.ts';
import { type Head, toCall } from '../http/read-request.ts';
import type { RecordedExchange } from '../http/recorder.ts';
import type { Answer } from '../message/answer.ts';
import type { ReceivedRequest } from '../message/call.ts';
import { RecordRing, type RingRecord } from '../message/ring.ts';
import type { JournalFilter, MockCredentials } from '../mock.ts';
import type { Trail } from '../pipeline/pipeline.ts';

export type Journal = ReturnType<typeof createJournal>;

interface JournalOptions {
  readonly credentials: MockCredentials;
  readonly toExchange: (recorded: RecordedExchange) => Exchange;
  readonly secrets: () => readonly string[];
}

/** Number of exchanges. */
const MOST = 1_000;
/** Bytes of all exchanges together. */
const MOST_BYTES = 16 * 1024 * 1024;
/** Bytes of one body, the same limit as for requests. A larger body is listed without its content. */
const BODY_LIMIT = 1024 * 1024;

/** A bounded log of exchanges. Entries are built and redacted only when read, so a request costs almost nothing. */
export function createJournal(options: JournalOptions) {
  const ring = new RecordRing(MOST, MOST_BYTES);
  /** The operation of each record in the ring. An operation lives as long as the contract. */
  const operations: (PlannedOperation | null)[] = [];
  const numbers = new Float64Array(MOST * NUMBERS);
  const listeners = new Set<{ recorded(): void; cleared(): void }>();
  const pseudonym = createPseudonym();
  let redactor: Redactor | undefined;
  /** The number of the first record since the last `clear`. */
  let start = 0;
  let clears = 0;

  const entryOf = (recorded: RecordedExchange): JournalEntry => {
    const { credentials } = options;
    redactor ??= createRedactor({ secrets: [credentials.password], credentials: [credentials] });
    redactor.learnNames(options.secrets());
    return journalEntry(options.toExchange(recorded), { redactor, pseudonym, bodyLimit: BODY_LIMIT });
  };

  const recordedAt = (number: number): RecordedExchange | undefined => {
    const record = ring.at(number);
    const slot = number % MOST;
    const own = numbers.subarray(slot * NUMBERS, (slot + 1) * NUMBERS);
    return record && decode(record, own, operations[slot] ?? null);
  };

  function* newestFirst(): Generator<RecordedExchange> {
    for (let number = ring.end - 1; number >= ring.first; number -= 1) {
      const recorded = recordedAt(number);
      if (recorded) yield recorded;
    }
  }

  return {
    add(recorded: RecordedExchange): void {
      const slot = ring.end % MOST;
      operations[slot] = recorded.trail.operation;
      numbers.set(numbersOf(recorded), slot * NUMBERS);
      ring.push(...encode(recorded));
      if (listeners.size > 0) for (const listener of listeners) listener.recorded();
    },
    entries(filter: JournalFilter = {}): readonly JournalEntry[] {
      const found: RecordedExchange[] = [];
      for (const recorded of newestFirst()) {
        if (found.length === filter.limit) break;
        if (matches(recorded, filter)) found.push(recorded);
      }
      return found.reverse().map(entryOf);
    },
    clear(): void {
      ring.clear();
      start = ring.end;
      clears += 1;
      for (const listener of listeners) listener.cleared();
    },
    /** The newest match that is still kept. */
    find(wanted: (recorded: RecordedExchange) => boolean): RecordedExchange | undefined {
      for (const recorded of newestFirst()) if (wanted(recorded)) return recorded;
      return undefined;
    },
    entryOf: (recorded: RecordedExchange): JournalEntry => entryOf(recorded),
    /** The nth exchange to end since the last `clear`, from 1. Undefined if it was dropped or has not ended yet. */
    nth: (order: number): RecordedExchange | undefined => recordedAt(start + order - 1),
    /** Number of exchanges that ended since the last `clear`. */
    get ended(): number {
      return ring.end - start;
    },
    get clears(): number {
      return clears;
    },
    /** Reports each new exchange and each `clear`, until the returned function is called. */
    listen(listener: { recorded(): void; cleared(): void }): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Number of exchanges dropped since the last `clear` because the journal was full. */
    get forgotten(): number {
      return ring.first - start;
    },
    get size(): number {
      return ring.end - ring.first;
    },
  };
}

/** Details that only a few exchanges have, as JSON. The body of a plain token response states its token. */
interface Rare {
  readonly trail?: Omit<Trail, 'operation' | 'parameters' | 'seq'>;
  readonly issued?: Answer['issued'];
  readonly left?: (Omit<Body, 'bytes'> & { readonly bytes?: undefined }) | null | undefined;
  /** Header fields joined as in Node; absent if no field is repeated. */
  readonly headers?: ReceivedRequest['headers'] | undefined;
}

/** How many numbers an exchange has. */
const NUMBERS = 8;

/** The numbers of an exchange. Writing them as text would take as long as the rest of the record. */
function numbersOf(recorded: RecordedExchange): readonly number[] {
  const { seq, startedAt, endedAt, clockAhead, connection, isGone, answer, call } = recorded;
  return [seq, startedAt, endedAt, clockAhead, connection, Number(isGone), answer.status, call.rawHeaders.length];
}

/**
 * An exchange as lines, without its numbers, operation, parameters and bodies. Method, target and header fields contain
 * no line feed (RFC 9112, 2.2). Writing the fields as JSON would take most of the journal's time per request.
 */
function encode(recorded: RecordedExchange): [text: string, parts: RingRecord['parts']] {
  const { target, call, trail, answer, left } = recorded;
  const { rawHeaders } = call;
  const { ownStatus, scenarios, refused } = trail;
  const headers = Object.keys(call.headers).length * 2 === rawHeaders.length ? undefined : call.headers;
  const isPlain = !headers && left === undefined && !scenarios && ownStatus === undefined && !refused;
  const rare: Rare | undefined = isPlain
    ? undefined
    : {
        trail: { ownStatus, scenarios, refused },
        issued: answer.issued,
        left: left && { ...left, bytes: undefined },
        headers,
      };
  let text = `${rare ? JSON.stringify(rare) : '{}'}\n${call.method}\n${target}`;
  for (const field of rawHeaders) text += `\n${field}`;
  for (const field of answer.headers) text += `\n${field}`;
  return [text, [call.body, left ? Buffer.from(left.bytes) : answer.body]];
}

function decode(
  { text, parts: [sent, answered] }: RingRecord,
  [seq = 0, startedAt = 0, endedAt = 0, clockAhead = 0, connection = 0, gone, status = 0, count = 0]: Float64Array,
  operation: PlannedOperation | null,
): RecordedExchange {
  const [json = '', method = '', target = '', ...fields] = text.split('\n');
  const { trail, issued, left, headers } = JSON.parse(json) as Rare;
  const rawHeaders = fields.slice(0, count);
  const head: Head = {
    ...{ method, url: target, httpVersion: '1.1', rawHeaders },
    headers: headers ?? Object.fromEntries(fieldsOf(rawHeaders)),
  };
  return {
    ...{ seq, startedAt, endedAt, clockAhead, connection, target, isGone: gone === 1 },
    // it was a valid call when it arrived
    call: toCall(head, sent) as ReceivedRequest,
    trail: { ...trail, seq, operation },
    answer: { status, headers: fields.slice(count), body: answered, issued },
    left: left && { ...left, bytes: answered ?? new Uint8Array() },
  };
}

function matches(recorded: RecordedExchange, { operationId, method, status, path, since }: JournalFilter): boolean {
  return (
    (operationId === undefined || (recorded.trail.operation?.operationId ?? null) === operationId) &&
    (method === undefined || recorded.call.method === method.toUpperCase()) &&
    (status === undefined || isStatus(recorded.answer.status, status)) &&
    (path === undefined || recorded.call.path.includes(path)) &&
    (since === undefined || recorded.seq > since)
  );
}

function isStatus(actual: number, wanted: string): boolean {
  return /^\dxx$/i.test(wanted) ? String(actual)[0] === wanted[0] : String(actual) === wanted;
}
