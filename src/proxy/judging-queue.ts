import { Worker } from 'node:worker_threads';
import type { Exchange } from '../model/exchange.ts';
import type { Report } from '../model/report.ts';
import { namesOfRequests } from '../net/own-headers.ts';
import { modulePath } from '../package-root.ts';
import type { guardsOf, Target } from '../run/target.ts';
import type { ProxyEvent, ProxyOptions } from './options.ts';

/** Most exchanges that may wait to be judged, and bytes of their bodies. Beyond either limit, requests also wait. */
const MOST = { exchanges: 10_000, bytes: 64 * 1024 * 1024 };
/** Milliseconds for which exchanges are collected before they are sent together. */
const GATHER = 25;
/** Most exchanges that are sent together. */
const BATCH = 256;

/** Options for the judging thread. They hold no functions, which cannot be passed to a thread. */
const PASSED_ON = ['folder', 'overlays', 'effects', 'parameters', 'failOn', 'requestIds', 'facts', 'severity'] as const;

export type Beginning = ReturnType<typeof beginningOf>;

/** Initial data for the judging thread. */
export function beginningOf(
  { kind, embedded, baseUrl, host, credentials, roles, failing }: Target,
  options: ProxyOptions,
  { own, redactor }: Pick<ReturnType<typeof guardsOf>, 'own' | 'redactor'>,
  startedAt: number,
) {
  const { parameters = {}, onJournal, journalShapes = false } = options;
  const given = PASSED_ON.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]]));
  return {
    opened: { kind, embedded, baseUrl, host, credentials, parameters, roles, failing },
    options: Object.fromEntries(given) as Pick<ProxyOptions, (typeof PASSED_ON)[number]>,
    journalOf: onJournal === undefined ? null : journalShapes ? ('shapes' as const) : ('values' as const),
    knowledge: redactor.knowledge(),
    sentIds: namesOfRequests(own),
    startedAt,
  };
}

export interface Passed {
  readonly exchange: Exchange;
  /** Who answered: the target, the mock or the proxy. The caller does not see a withheld answer of the target. */
  readonly by: 'target' | 'mock' | 'proxy' | 'withheld';
  /** Why the request was not sent to the target. */
  readonly refusal?: string;
}

export type JudgingRequest =
  | { readonly kind: 'batch'; readonly batch: readonly Passed[] }
  | { readonly kind: 'report'; readonly endedAt: number };

export type JudgingReply =
  | { readonly kind: 'event'; readonly event: ProxyEvent }
  | { readonly kind: 'lines'; readonly lines: string }
  | { readonly kind: 'done'; readonly exchanges: number; readonly bytes: number }
  | { readonly kind: 'report'; readonly report: Report };

/**
 * Sends exchanges to a separate thread for recording and judging, so that this work does not slow the proxy. The thread
 * starts with the first exchange or the first report.
 */
export function createJudgingQueue(
  { clock = Date.now, onEvent, onJournal }: Pick<ProxyOptions, 'clock' | 'onEvent' | 'onJournal'>,
  begin: () => Beginning,
  most: Readonly<Record<'exchanges' | 'bytes', number>> = MOST,
) {
  const reports: PromiseWithResolvers<Report>[] = [];
  let roomy = Promise.withResolvers<void>();
  let worker: Worker | undefined;
  let last: Promise<Report> | undefined;
  let failure: Error | undefined;
  let batch: Passed[] = [];
  let gathering: NodeJS.Timeout | undefined;
  let exchanges = 0;
  let bytes = 0;
  let delayed = 0;

  const isFull = (): boolean => failure === undefined && (exchanges >= most.exchanges || bytes >= most.bytes);
  const release = (): void => {
    if (isFull()) return;
    roomy.resolve();
    roomy = Promise.withResolvers();
  };
  const fail = (error: Error): void => {
    failure ??= error;
    onEvent?.({ kind: 'fault', message: 'the thread that judges has ended; nothing is judged or recorded any more' });
    for (const { reject } of reports.splice(0)) reject(failure);
    release();
  };
  const onReply = (reply: JudgingReply): void => {
    if (reply.kind === 'event') onEvent?.(reply.event);
    else if (reply.kind === 'lines') onJournal?.(reply.lines);
    else if (reply.kind === 'report') reports.shift()?.resolve(withDelays(reply.report, delayed));
    else {
      exchanges -= reply.exchanges;
      bytes -= reply.bytes;
      release();
    }
  };
  const start = (): Worker => {
    const started = new Worker(modulePath('src/proxy/judging-thread'), { workerData: begin(), execArgv: [] });
    started.on('message', onReply).on('error', fail).unref();
    return started;
  };
  const ask = (request: JudgingRequest): void => {
    worker ??= start();
    worker.postMessage(request);
  };
  const flush = (): void => {
    clearTimeout(gathering);
    gathering = undefined;
    if (batch.length > 0) ask({ kind: 'batch', batch });
    batch = [];
  };
  const report = (): Promise<Report> => {
    if (failure) return Promise.reject(failure);
    const asked = Promise.withResolvers<Report>();
    reports.push(asked);
    flush();
    ask({ kind: 'report', endedAt: clock() });
    // from now on, the thread keeps the process alive
    worker?.ref();
    return asked.promise.finally(() => worker?.unref());
  };

  return {
    /** Resolves when the queue has room. Undefined if there is room now. */
    room(): Promise<void> | undefined {
      if (!isFull()) return undefined;
      delayed += 1;
      return roomy.promise;
    },
    add(passed: Passed): void {
      if (failure || last) return;
      exchanges += 1;
      bytes += sizeOf(passed.exchange);
      batch.push(passed);
      if (batch.length >= BATCH || isFull()) flush();
      else gathering ??= setTimeout(flush, GATHER);
    },
    /** The report of all exchanges so far. Waits until they are judged. */
    report: (): Promise<Report> => last ?? report(),
    /** Judges the remaining exchanges, then ends the thread. */
    async close(): Promise<void> {
      if (!worker && batch.length === 0) return;
      last ??= report();
      await last.catch(() => undefined);
      await worker?.terminate();
    },
  };
}

/** Size of both bodies of an exchange in bytes. */
export function sizeOf({ request, response }: Exchange): number {
  return (request.body?.length ?? 0) + (response?.body.bytes.length ?? 0);
}

function withDelays(report: Report, delayed: number): Report {
  if (delayed === 0) return report;
  const message = `${delayed} requests waited until earlier exchanges were judged. Nothing was left out.`;
  return { ...report, notices: [...(report.notices ?? []), { code: 'judging-behind', message, location: null }] };
}
