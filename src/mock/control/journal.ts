import { createPseudonym, type JournalEntry, journalEntry } from '../../journal/entry.ts';
import { type Body, type Exchange, fieldsOf } from '../../model/exchange.ts';
import { createRedactor, type Redactor } from '../../redact/redact.ts';
import type { PlannedOperation } from '../compile/plan.ts';
import { type Head, toCall } from '../http/read-request.ts';
import type { Heard } from '../http/recorder.ts';
import type { Answer } from '../message/answer.ts';
import type { ReceivedRequest } from '../message/call.ts';
import type { JournalFilter, MockCredentials } from '../mock.ts';
import type { Trail } from '../pipeline/pipeline.ts';
import { RecordRing, type RingRecord } from './ring.ts';

export type Journal = ReturnType<typeof createJournal>;

interface JournalOptions {
  readonly credentials: MockCredentials;
  readonly toExchange: (heard: Heard) => Exchange;
  readonly secrets?: () => readonly string[];
  /** Number of exchanges; 1 000 by default. */
  readonly most?: number;
  /** Bytes of all exchanges together; 16 MiB by default. */
  readonly bytes?: number;
}

/** Bytes of one body, the same limit as for requests. A larger body is listed without its content. */
const BODY_LIMIT = 1024 * 1024;

/** A bounded log of exchanges. Entries are built and redacted only when read, so a request costs almost nothing. */
export function createJournal(options: JournalOptions) {
  const { most = 1_000, bytes = 16 * 1024 * 1024 } = options;
  const ring = new RecordRing(most, bytes);
  /** The operation of each record in the ring. An operation lives as long as the contract. */
  const operations: (PlannedOperation | null)[] = [];
  const listeners = new Set<{ heard(): void; cleared(): void }>();
  const pseudonym = createPseudonym();
  let redactor: Redactor | undefined;
  /** The number of the first record since the last `clear`. */
  let start = 0;
  let clears = 0;

  const entryOf = (heard: Heard): JournalEntry => {
    const { credentials } = options;
    redactor ??= createRedactor({ secrets: [credentials.password], credentials: [credentials] });
    redactor.learnNames(options.secrets?.() ?? []);
    return journalEntry(options.toExchange(heard), { redactor, pseudonym, bodyLimit: BODY_LIMIT });
  };

  const heardAt = (number: number): Heard | undefined => {
    const record = ring.at(number);
    return record && decode(record, operations[number % most] ?? null);
  };

  function* newestFirst(): Generator<Heard> {
    for (let number = ring.end - 1; number >= ring.first; number -= 1) {
      const heard = heardAt(number);
      if (heard) yield heard;
    }
  }

  return {
    add(heard: Heard): void {
      operations[ring.end % most] = heard.trail.operation;
      ring.push(...encode(heard));
      if (listeners.size > 0) for (const listener of listeners) listener.heard();
    },
    entries(filter: JournalFilter = {}): readonly JournalEntry[] {
      const found: Heard[] = [];
      for (const heard of newestFirst()) {
        if (found.length === filter.limit) break;
        if (matches(heard, filter)) found.push(heard);
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
    find(wanted: (heard: Heard) => boolean): Heard | undefined {
      for (const heard of newestFirst()) if (wanted(heard)) return heard;
      return undefined;
    },
    entryOf: (heard: Heard): JournalEntry => entryOf(heard),
    /** The nth exchange to end since the start, from 1. Undefined if it was dropped or has not ended yet. */
    nth: (order: number): Heard | undefined => heardAt(order - 1),
    get ended(): number {
      return ring.end;
    },
    get clears(): number {
      return clears;
    },
    /** Reports each new exchange and each `clear`, until the returned function is called. */
    listen(listener: { heard(): void; cleared(): void }): () => void {
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

/** Details that only a few exchanges have, as JSON. */
interface Rare {
  readonly trail?: Omit<Trail, 'operation' | 'parameters' | 'seq'>;
  readonly issued?: Answer['issued'];
  readonly left?: (Omit<Body, 'bytes'> & { readonly bytes?: undefined }) | null | undefined;
  /** Header fields joined as in Node; absent if no field is repeated. */
  readonly headers?: ReceivedRequest['headers'] | undefined;
}

/**
 * An exchange as lines, without its operation, parameters and bodies. Method, target and header fields contain no line
 * feed (RFC 9112, 2.2). Writing the fields as JSON would take most of the journal's time per request.
 */
function encode(heard: Heard): [text: string, parts: RingRecord['parts']] {
  const { seq, startedAt, endedAt, connection, isGone, target, call, trail, answer, left } = heard;
  const { rawHeaders } = call;
  const { ownStatus, scenarios } = trail;
  const headers = Object.keys(call.headers).length * 2 === rawHeaders.length ? undefined : call.headers;
  const isPlain = !headers && !answer.issued && left === undefined && !scenarios && ownStatus === undefined;
  const rare: Rare | undefined = isPlain
    ? undefined
    : { trail: { ownStatus, scenarios }, issued: answer.issued, left: left && { ...left, bytes: undefined }, headers };
  const numbers = `${seq} ${startedAt} ${endedAt} ${connection} ${Number(isGone)} ${answer.status} ${rawHeaders.length}`;
  const start = `${numbers}\n${rare ? JSON.stringify(rare) : '{}'}\n${call.method}\n${target}`;
  const text = [start, ...rawHeaders, ...answer.headers].join('\n');
  return [text, [call.body, left ? Buffer.from(left.bytes) : answer.body]];
}

function decode({ text, parts: [sent, answered] }: RingRecord, operation: PlannedOperation | null): Heard {
  const [numbers = '', json = '', method = '', target = '', ...fields] = text.split('\n');
  const [seq = 0, startedAt = 0, endedAt = 0, connection = 0, gone, status = 0, count = 0] = numbers
    .split(' ')
    .map(Number);
  const { trail, issued, left, headers } = JSON.parse(json) as Rare;
  const rawHeaders = fields.slice(0, count);
  const head: Head = {
    ...{ method, url: target, httpVersion: '1.1', rawHeaders },
    headers: headers ?? Object.fromEntries(fieldsOf(rawHeaders)),
  };
  return {
    ...{ seq, startedAt, endedAt, connection, target, isGone: gone === 1 },
    // it was a valid call when it arrived
    call: toCall(head, sent) as ReceivedRequest,
    trail: { ...trail, seq, operation },
    answer: { status, headers: fields.slice(count), body: answered, issued },
    left: left && { ...left, bytes: answered ?? new Uint8Array() },
  };
}

function matches(heard: Heard, { operationId, method, status, path, since }: JournalFilter): boolean {
  return (
    (operationId === undefined || (heard.trail.operation?.operationId ?? null) === operationId) &&
    (method === undefined || heard.call.method === method.toUpperCase()) &&
    (status === undefined || isStatus(heard.answer.status, status)) &&
    (path === undefined || heard.call.path.includes(path)) &&
    (since === undefined || heard.seq > since)
  );
}

function isStatus(actual: number, wanted: string): boolean {
  return /^\dxx$/i.test(wanted) ? String(actual)[0] === wanted[0] : String(actual) === wanted;
}
