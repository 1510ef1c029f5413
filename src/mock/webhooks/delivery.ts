import { lookup } from 'node:dns';
import { request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { retryAfterSeconds } from '../../client/token-response.ts';
import { is2xx } from '../../model/exchange.ts';
import { hostName } from '../../net/host.ts';
import type { WebhookPolicy } from './address.ts';
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
  /** Milliseconds before the second try. */
  readonly backoff: number;
  readonly signal: AbortSignal;
  /** Takes it in place of the network. */
  readonly receive?: (headers: Readonly<Record<string, string>>, body: string) => Outcome;
}

const TRIES = 3;
/** Bytes of a payload (rule M17). */
const LARGEST = 64 * 1024;
/** Milliseconds for one try. */
const TIMEOUT = 15_000;
/** Milliseconds that a `Retry-After` is honoured for. */
const LONGEST = 30_000;

/** Sends an event, three times at most. Only 2xx is success; a redirect is a failure and is not followed; 410 is final (Standard Webhooks). */
export async function deliver(options: DeliverOptions): Promise<Delivery> {
  const { id, webhook, url, body, key, policy, clock, signal } = options;
  const tries: Try[] = [];
  const ended = (outcome: Delivery['outcome']): Delivery => ({ id, webhook, url, outcome, tries, body });
  const at = (): string => new Date(clock()).toISOString();
  const bytes = Buffer.from(body);
  if (bytes.length > LARGEST) {
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
    const outcome = options.receive ? options.receive(headers, body) : await post(url, headers, bytes, policy, signal);
    tries.push(tryOf(outcome, startedAt));
    if ('status' in outcome && is2xx(outcome.status)) return ended('delivered');
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
  const asked = 'status' in outcome ? (retryAfterSeconds(outcome.retryAfter ?? null, Date.now()) ?? 0) : 0;
  return Math.max(own, Math.min(asked * 1000, LONGEST));
}

/** What became of one try. */
export type Outcome =
  | { readonly status: number; readonly retryAfter: string | undefined }
  /** No answer: a word that says why. */
  | { readonly failure: string };

/**
 * Posts a body once (rule M17): a connection of its own, to an address that was judged as it was resolved, no redirect followed.
 * Never rejects. What is answered is read and forgotten.
 */
export function post(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: Buffer,
  policy: WebhookPolicy,
  signal: AbortSignal,
): Promise<Outcome> {
  const target = new URL(url);
  const host = hostName(target.host) ?? '';
  // an address is connected to without a lookup
  if (isIP(host) !== 0 && !policy.mayConnect(host, host)) return Promise.resolve({ failure: 'address-refused' });
  return new Promise((resolve) => {
    const fail = (error: NodeJS.ErrnoException): void => resolve({ failure: error.code ?? error.name });
    const send = target.protocol === 'https:' ? secureRequest : plainRequest;
    const outgoing = send(
      target,
      {
        method: 'POST',
        agent: false,
        lookup: judgedLookup(policy),
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)]),
        headers: { ...headers, 'content-length': String(body.length) },
      },
      (incoming) => {
        const { 'retry-after': retryAfter } = incoming.headers;
        resolve({ status: incoming.statusCode ?? 0, retryAfter });
        incoming.on('error', () => {});
        // a receiver that answers without end is not listened to
        incoming.destroy();
      },
    );
    outgoing.on('error', fail);
    outgoing.end(body);
  });
}

/** Resolves a host and lets through only the addresses that may be connected to: the ones judged are the ones used. */
function judgedLookup(policy: WebhookPolicy): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) {
        callback(error, '', 0);
        return;
      }
      const good = addresses.filter(({ address }) => policy.mayConnect(address, hostname));
      const [first] = good;
      if (!first) {
        callback(
          Object.assign(new Error('the host has no address that is allowed'), { code: 'address-refused' }),
          '',
          0,
        );
      } else if (options.all) callback(null, good);
      else callback(null, first.address, first.family);
    });
  };
}
