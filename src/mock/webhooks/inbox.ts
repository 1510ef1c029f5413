import { timingSafeEqual } from 'node:crypto';
import type { Outcome } from './delivery.ts';
import { sign } from './signature.ts';

/** The URL of the mock's own inbox: what is sent to it leaves the process by no socket. */
export const INBOX = 'inbox:';

/** What the inbox received. */
export interface InboxMessage {
  /** From 1. */
  readonly number: number;
  readonly webhook: string;
  /** ISO 8601 date-time, UTC, by the mock's clock. */
  readonly at: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
  /** What a receiver that holds the secret finds (Standard Webhooks). */
  readonly signature: 'good' | 'bad' | 'none';
  /** How often a message of the same id came before. */
  readonly earlier: number;
}

export interface Inbox {
  /** Takes what a webhook sends, as a receiver with its key would. */
  receive(webhook: string, headers: Readonly<Record<string, string>>, body: string, key: Buffer | undefined): Outcome;
  /** The newest first. */
  messages(): readonly InboxMessage[];
  clear(): void;
}

const REMEMBERED = 500;

/** A receiver within the mock, for who has none yet. `clock` in milliseconds since the epoch. */
export function createInbox(clock: () => number): Inbox {
  let kept: InboxMessage[] = [];
  let last = 0;
  return {
    receive(webhook, headers, body, key) {
      last += 1;
      const id = headers['webhook-id'];
      const earlier = kept.filter((one) =>
        one.headers.some(([name, value]) => name === 'webhook-id' && value === id),
      ).length;
      const at = new Date(clock()).toISOString();
      const message = { number: last, webhook, at, headers: Object.entries(headers), body, earlier };
      kept = [{ ...message, signature: judged(headers, body, key) }, ...kept].slice(0, REMEMBERED);
      return { status: 204, retryAfter: undefined };
    },
    messages: () => kept,
    clear() {
      kept = [];
    },
  };
}

function judged(
  headers: Readonly<Record<string, string>>,
  body: string,
  key: Buffer | undefined,
): InboxMessage['signature'] {
  const { 'webhook-id': id = '', 'webhook-timestamp': timestamp, 'webhook-signature': given } = headers;
  if (given === undefined || key === undefined) return 'none';
  const [one, other] = [Buffer.from(given), Buffer.from(sign(key, id, Number(timestamp), body))];
  return one.length === other.length && timingSafeEqual(one, other) ? 'good' : 'bad';
}
