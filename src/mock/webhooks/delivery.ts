import { setTimeout as sleep } from 'node:timers/promises';
import type { WebhookPolicy } from './address.ts';
import { type Outcome, post } from './send.ts';
import { sign } from './signature.ts';

/** One try of a delivery. */
export interface Try {
  /** ISO 8601 date-time, UTC, by the mock's clock. */
  readonly at: string;
  /** Null where there was no answer. */
  readonly status: number | null;
  /** Why there was no answer, or why there was no try; null where there was one. */
  readonly failure: string | null;
}

/** What became of one event at one webhook. */
export interface Delivery {
  readonly id: string;
  readonly webhook: string;
  readonly url: string;
  readonly outcome: 'delivered' | 'failed';
  readonly tries: readonly Try[];
  /** The payload as it was sent. */
  readonly body: string;
}

export interface DeliverOptions {
  readonly id: string;
  readonly webhook: string;
  readonly url: string;
  readonly body: string;
  readonly key: Buffer | undefined;
  readonly policy: WebhookPolicy;
  readonly clock: () => number;
  /** Bytes. */
  readonly largest: number;
  /** Milliseconds. */
  readonly backoff: number;
  readonly signal: AbortSignal;
}

const TRIES = 3;
/** Milliseconds that a `Retry-After` is honoured for. */
const LONGEST = 30_000;

/** Sends an event, three times at most. Only 2xx is success; a redirect is a failure and is not followed; 410 is final (Standard Webhooks). */
export async function deliver(options: DeliverOptions): Promise<Delivery> {
  const { id, webhook, url, body, key, policy, clock, signal } = options;
  const tries: Try[] = [];
  const ended = (outcome: Delivery['outcome']): Delivery => ({ id, webhook, url, outcome, tries, body });
  const at = (): string => new Date(clock()).toISOString();
  const bytes = Buffer.from(body);
  if (bytes.length > options.largest) {
    tries.push({ at: at(), status: null, failure: 'payload-too-large' });
    return ended('failed');
  }
  for (let count = 1; count <= TRIES; count += 1) {
    // every try is signed anew: its timestamp is that of the try
    const timestamp = Math.floor(clock() / 1000);
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'banking-api-mock',
      'x-mock-provenance': 'assumed',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      ...(key ? { 'webhook-signature': sign(key, id, timestamp, body) } : {}),
    };
    const startedAt = at();
    const outcome = await post(url, headers, bytes, policy, signal);
    tries.push(tryOf(outcome, startedAt));
    if ('status' in outcome && outcome.status >= 200 && outcome.status < 300) return ended('delivered');
    if (count === TRIES || isFinal(outcome)) return ended('failed');
    const waited = await sleep(pause(outcome, options.backoff, count), true, { signal }).catch(() => false);
    if (!waited) return ended('failed');
  }
  return ended('failed');
}

function tryOf(outcome: Outcome, at: string): Try {
  if ('status' in outcome) return { at, status: outcome.status, failure: null };
  return { at, status: null, failure: outcome.failure };
}

/** A redirect would be one again, and so would a refused address. */
function isFinal(outcome: Outcome): boolean {
  if ('failure' in outcome) return outcome.failure === 'address-refused' || outcome.failure === 'AbortError';
  return outcome.status === 410 || (outcome.status >= 300 && outcome.status < 400);
}

/** Milliseconds: half to all of the doubled backoff, and what the receiver asks for. */
function pause(outcome: Outcome, backoff: number, count: number): number {
  const own = backoff * 2 ** (count - 1) * (0.5 + Math.random() / 2);
  const asked = 'status' in outcome ? afterOf(outcome.retryAfter) : 0;
  return Math.max(own, Math.min(asked, LONGEST));
}

/** Milliseconds of a Retry-After in seconds or as an HTTP date; 0 where there is none. */
function afterOf(value: string | undefined): number {
  if (value === undefined) return 0;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? 0 : Math.max(0, date - Date.now());
}
