import { randomUUID } from 'node:crypto';
import type { Delivery, Webhook, WebhookOptions } from '../../../generated/mock/control.ts';
import { ToolError } from '../../errors.ts';
import { is2xx } from '../../model/exchange.ts';
import { createWebhookPolicy } from './address.ts';
import { type EventForm, type EventValues, eventPayload } from './events.ts';
import { keyOf, sign } from './signature.ts';

/** The URL of the mock's own inbox. Deliveries to it use no socket. */
const INBOX = 'inbox:';

export type Webhooks = ReturnType<typeof createWebhooks>;

interface Registered {
  readonly id: string;
  readonly form: EventForm | undefined;
  readonly options: WebhookOptions;
  readonly key: Buffer | undefined;
}

const MOST = 20;
const REMEMBERED = 500;

/**
 * @param allowed hosts, addresses and ranges that may be reached besides loopback
 * @param clock Milliseconds since the epoch, for timestamps of events and signatures.
 * @param events of the contract
 */
export function createWebhooks(
  allowed: readonly string[],
  clock: () => number,
  events: () => readonly EventForm[] = () => [],
) {
  const policy = createWebhookPolicy(allowed);
  const registered = new Map<string, Registered>();
  let log: readonly Delivery[] = [];
  let last = 0;
  let ending = new AbortController();

  const send = async (
    webhook: Registered,
    { id, body, exchange }: Pick<Delivery, 'id' | 'body' | 'exchange'>,
  ): Promise<Delivery> => {
    const { key } = webhook;
    const { url } = webhook.options;
    const now = clock();
    const timestamp = Math.floor(now / 1000);
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'banking-api-mock',
      'x-mock-provenance': 'assumed',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      ...(key && { 'webhook-signature': sign(key, id, timestamp, body) }),
    };
    // loaded on first use, because it loads node:https
    const reply =
      url === INBOX
        ? { status: 204, failure: null }
        : await import('./delivery.ts').then(({ post }) => post(url, headers, body, policy, ending.signal));
    const outcome = reply.status !== null && is2xx(reply.status) ? 'delivered' : 'failed';
    const at = new Date(now).toISOString();
    const delivery = { id, webhook: webhook.id, url, at, exchange, outcome, ...reply, headers, body } as const;
    log = [delivery, ...log].slice(0, REMEMBERED);
    return delivery;
  };

  const sendEvent = (webhook: Registered, event: EventValues, exchange: number | null): Promise<Delivery> => {
    const body = JSON.stringify(eventPayload(webhook.form, event, clock()));
    return send(webhook, { id: `msg_${randomUUID()}`, body, exchange });
  };

  return {
    /** @throws ToolError `usage` with a JSON pointer for invalid options. */
    register(options: WebhookOptions): Webhook {
      const wrong = options.url === INBOX ? undefined : policy.judgeUrl(options.url);
      if (wrong !== undefined) throw refused('/url', `The URL ${wrong}.`);
      const key = options.secret === undefined ? undefined : keyOf(options.secret);
      if (options.secret !== undefined && !key) {
        throw refused('/secret', 'The secret is whsec_ followed by 24 to 64 bytes in Base64.');
      }
      const forms = events();
      const form = options.event === undefined ? forms[0] : forms.find(({ event }) => event === options.event);
      if (options.event !== undefined && !form)
        throw refused('/event', `There is no event ${options.event.slice(0, 40)}.`);
      if (registered.size >= MOST) throw refused('', `At most ${MOST} webhooks are registered at once.`);
      last += 1;
      const webhook: Registered = { id: `w${last}`, form, options, key };
      registered.set(webhook.id, webhook);
      return shown(webhook);
    },
    list: (): readonly Webhook[] => [...registered.values()].map(shown),
    remove: (id: string): boolean => registered.delete(id),
    /** Sends an event to one webhook now. Undefined if the webhook is unknown. */
    fire(id: string, event: EventValues): Promise<Delivery> | undefined {
      const webhook = registered.get(id);
      return webhook && sendEvent(webhook, event, null);
    },
    /** Sends an exchange's event to all automatic webhooks registered for it. */
    emit(event: string, values: () => EventValues, exchange: number): void {
      for (const webhook of registered.values()) {
        const { form, options } = webhook;
        if (form?.event === event && options.automatic !== false) void sendEvent(webhook, values(), exchange);
      }
    },
    deliveries: (): readonly Delivery[] => log,
    /** Sends a delivery's body again: same id, new signature. Undefined if it or its webhook is unknown. */
    replay(id: string): Promise<Delivery> | undefined {
      const delivery = log.find((one) => one.id === id);
      const webhook = delivery && registered.get(delivery.webhook);
      return webhook && send(webhook, delivery);
    },
    events: (): readonly string[] => events().map(({ event }) => event),
    get busy(): boolean {
      return registered.size > 0;
    },
    reset(): void {
      ending.abort();
      ending = new AbortController();
      registered.clear();
      log = [];
    },
    close: (): void => ending.abort(),
  };
}

function shown({ id, form, options: { url, automatic = true }, key }: Registered): Webhook {
  return { id, event: form?.event ?? null, url, signed: key !== undefined, automatic };
}

function refused(pointer: string, message: string): ToolError {
  return new ToolError('usage', message, { place: { file: 'webhook', pointer } });
}
