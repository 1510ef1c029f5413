import { randomUUID } from 'node:crypto';
import { ToolError } from '../../errors.ts';
import { createWebhookPolicy } from './address.ts';
import type { Delivery } from './delivery.ts';
import {
  defaultTemplate,
  type EventForm,
  type EventValues,
  fill,
  placeholdersOf,
  unknownPlaceholder,
} from './events.ts';
import { createInbox, INBOX, type Inbox } from './inbox.ts';
import { keyOf } from './signature.ts';

/** Where events are sent, and how. Nothing of how is documented, so all of it is the mock's own. */
export interface WebhookOptions {
  /** http or https, a loopback host unless others are allowed; or `inbox:`, the mock's own. */
  readonly url: string;
  /** `whsec_` and 24 to 64 bytes in Base64: then deliveries are signed by Standard Webhooks. */
  readonly secret?: string;
  /** The event; the first that the contract has by default. */
  readonly event?: string;
  /** Sent after every change that emits the event; true by default. False: by hand only. */
  readonly automatic?: boolean;
  /** Any JSON; `{{timestamp}}` and the like are filled in. */
  readonly template?: unknown;
  /** How often every event is sent again, under the same id. */
  readonly duplicates?: number;
  /** Every other event is held back until the next one was sent, for a second at most. */
  readonly outOfOrder?: boolean;
  /** Milliseconds before the second try, doubled before the third, with jitter; 500 by default. */
  readonly backoff?: number;
}

/** A webhook as it is shown: without its secret. */
export interface ShownWebhook {
  readonly id: string;
  /** Null where the contract has no event. */
  readonly event: string | null;
  readonly url: string;
  readonly signed: boolean;
  readonly automatic: boolean;
  readonly template: unknown;
  readonly duplicates: number;
  readonly outOfOrder: boolean;
  /** True after its receiver answered 410 (Standard Webhooks): nothing is sent any more. */
  readonly disabled: boolean;
}

export interface Webhooks {
  /** Throws ToolError `usage` with a JSON pointer for what cannot be registered. */
  register(options: WebhookOptions): ShownWebhook;
  list(): readonly ShownWebhook[];
  remove(id: string): boolean;
  /** Sends an event to one webhook now; resolves with what became of it, undefined where there is no such webhook. */
  fire(id: string, event: EventValues): Promise<readonly Delivery[]> | undefined;
  /** Tells all that are automatic and wait for the event. */
  emit(event: string, values: () => EventValues): void;
  /** The event that a webhook waits for; undefined where there is none. */
  formOf(id: string): EventForm | undefined;
  /** The newest deliveries, the last one first. */
  deliveries(): readonly Delivery[];
  /** Sends what a delivery held once more, under the same id and signed anew; undefined where it or its webhook is gone. */
  replay(id: string): Promise<Delivery> | undefined;
  /** Names of the events that the contract has. */
  events(): readonly string[];
  readonly inbox: Inbox;
  /** False where nothing is registered. */
  readonly busy: boolean;
  reset(): void;
  close(): void;
}

interface Registered {
  readonly id: string;
  readonly form: EventForm | undefined;
  readonly options: WebhookOptions;
  readonly key: Buffer | undefined;
  disabled: boolean;
  held: (() => void) | undefined;
}

/** Webhooks that may be registered at once, and deliveries that are remembered. */
const MOST = 20;
const REMEMBERED = 500;
/** Milliseconds that an event is held back at most. */
const HELD = 1_000;

/**
 * @param clock Milliseconds since the epoch: timestamps of events and signatures go by it.
 * @param events Those that the contract has.
 */
export function createWebhooks(
  allowed: readonly string[],
  clock: () => number,
  events: () => readonly EventForm[] = () => [],
): Webhooks {
  const policy = createWebhookPolicy(allowed);
  const registered = new Map<string, Registered>();
  const timers = new Set<NodeJS.Timeout>();
  const inbox = createInbox(clock);
  let log: Delivery[] = [];
  let last = 0;
  let ending = new AbortController();

  const sendTo = async (webhook: Registered, event: EventValues): Promise<readonly Delivery[]> => {
    if (webhook.disabled) return [];
    const { form, options } = webhook;
    const id = `msg_${randomUUID()}`;
    const unknown = Object.fromEntries(placeholdersOf(form).map((name) => [name, null]));
    const full = { ...unknown, operationId: 'none', ...event, id, timestamp: new Date(clock()).toISOString() };
    const text = JSON.stringify(fill(options.template ?? defaultTemplate(form), full));
    return Promise.all(Array.from({ length: 1 + (options.duplicates ?? 0) }, () => send(webhook, id, text)));
  };

  const send = async (webhook: Registered, id: string, body: string): Promise<Delivery> => {
    const { options, key } = webhook;
    // it brings node:https with it
    const { deliver } = await import('./delivery.ts');
    const delivery = await deliver({
      ...{ id, webhook: webhook.id, url: options.url, body, key, policy, clock },
      backoff: options.backoff ?? 500,
      signal: ending.signal,
      ...(options.url === INBOX && {
        receive: (headers, text) => inbox.receive(webhook.id, headers, text, key),
      }),
    });
    if (delivery.tries.at(-1)?.status === 410) webhook.disabled = true;
    log = [delivery, ...log].slice(0, REMEMBERED);
    return delivery;
  };

  /** In turn, or out of it: every other event waits until the one behind it is sent. */
  const queue = (webhook: Registered, event: EventValues): void => {
    const send = (): Promise<unknown> => sendTo(webhook, event);
    if (!webhook.options.outOfOrder) {
      void send();
      return;
    }
    const { held } = webhook;
    if (held) {
      webhook.held = undefined;
      void send().then(held);
      return;
    }
    const release = (): void => {
      clearTimeout(timer);
      timers.delete(timer);
      if (webhook.held === release) webhook.held = undefined;
      void send();
    };
    const timer = setTimeout(release, HELD);
    timers.add(timer);
    webhook.held = release;
  };

  const stop = (): void => {
    ending.abort();
    for (const timer of timers) clearTimeout(timer);
    timers.clear();
  };

  return {
    register(options) {
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
      const unknown = unknownPlaceholder(options.template, placeholdersOf(form));
      if (unknown !== undefined) throw refused('/template', `There is no placeholder ${unknown.slice(0, 40)}.`);
      if (registered.size >= MOST) throw refused('', `At most ${MOST} webhooks are registered at once.`);
      last += 1;
      const webhook: Registered = { id: `w${last}`, form, options, key, disabled: false, held: undefined };
      registered.set(webhook.id, webhook);
      return shown(webhook);
    },
    list: () => [...registered.values()].map(shown),
    remove: (id) => registered.delete(id),
    fire(id, event) {
      const webhook = registered.get(id);
      return webhook && sendTo(webhook, event);
    },
    emit(event, values) {
      for (const webhook of registered.values()) {
        if (webhook.form?.event === event && webhook.options.automatic !== false) queue(webhook, values());
      }
    },
    formOf: (id) => registered.get(id)?.form,
    deliveries: () => log,
    replay(id) {
      const delivery = log.find((one) => one.id === id);
      const webhook = delivery && registered.get(delivery.webhook);
      return webhook && send(webhook, id, delivery.body);
    },
    events: () => events().map(({ event }) => event),
    inbox,
    get busy() {
      return registered.size > 0;
    },
    reset() {
      stop();
      ending = new AbortController();
      registered.clear();
      inbox.clear();
      log = [];
    },
    close: stop,
  };
}

function shown({ id, form, options, key, disabled }: Registered): ShownWebhook {
  const { url, automatic = true, template = defaultTemplate(form), duplicates = 0, outOfOrder = false } = options;
  const [event, signed] = [form?.event ?? null, key !== undefined];
  return { id, event, url, signed, automatic, template, duplicates, outOfOrder, disabled };
}

function refused(pointer: string, message: string): ToolError {
  return new ToolError('usage', message, { place: { file: 'webhook', pointer } });
}
