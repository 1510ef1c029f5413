import type { Answer } from '../http/answer.ts';
import { problem } from '../http/problem.ts';
import { placeholdersOf } from '../webhooks/events.ts';
import type { WebhookOptions } from '../webhooks/webhooks.ts';
import type { Controls, Route } from './controls.ts';
import { done, flag, InputError, members, ok, text, whole } from './input.ts';
import { masking } from './state-view.ts';

const UNKNOWN = 'no webhook has this id';

function missing(what: string): Answer {
  return problem(404, 'no-such-control', what);
}

/** Webhooks, what was sent to them, and what the mock's own inbox received. */
export function webhookRoutes(controls: Controls): Route[] {
  const { webhooks } = controls;
  const mask = masking(controls);
  const masked = <T extends { readonly body: string }>(one: T): T => ({
    ...one,
    body: JSON.stringify(mask(JSON.parse(one.body))),
  });
  return [
    { method: 'GET', path: '/webhooks', answer: () => ok({ webhooks: webhooks.list(), events: webhooks.events() }) },
    { method: 'POST', path: '/webhooks', answer: ({ body }) => ok(webhooks.register(optionsOf(body)), 201) },
    {
      method: 'GET',
      path: '/webhooks/deliveries',
      answer: () => ok({ deliveries: webhooks.deliveries().map(masked) }),
    },
    {
      method: 'POST',
      path: '/webhooks/deliveries/{id}/replay',
      async answer({ body, parameters: { id = '' } }) {
        members(body, []);
        const delivery = await webhooks.replay(id);
        return delivery
          ? ok({ deliveries: [masked(delivery)] })
          : missing('no delivery has this id, or its webhook is gone');
      },
    },
    { method: 'GET', path: '/webhooks/inbox', answer: () => ok({ messages: webhooks.inbox.messages().map(masked) }) },
    {
      method: 'DELETE',
      path: '/webhooks/inbox',
      answer() {
        webhooks.inbox.clear();
        return done();
      },
    },
    {
      method: 'DELETE',
      path: '/webhooks/{id}',
      answer: ({ parameters: { id = '' } }) => (webhooks.remove(id) ? done() : missing(UNKNOWN)),
    },
    {
      method: 'POST',
      path: '/webhooks/{id}/fire',
      async answer({ body, parameters: { id = '' } }) {
        const form = webhooks.formOf(id);
        const known = placeholdersOf(form).filter((name) => name !== 'id' && name !== 'timestamp');
        const given = members(body, known);
        for (const name of known) if (name !== form?.kind) text(given, name, 200);
        const deliveries = await webhooks.fire(id, given);
        return deliveries ? ok({ deliveries: deliveries.map(masked) }) : missing(UNKNOWN);
      },
    },
  ];
}

const MEMBERS = ['url', 'event', 'secret', 'automatic', 'template', 'duplicates', 'outOfOrder', 'backoff'];

function optionsOf(body: unknown): WebhookOptions {
  const given = members(body, MEMBERS);
  const url = text(given, 'url');
  if (url === undefined) throw new InputError('/url', 'is required');
  const options = {
    secret: text(given, 'secret', 200),
    event: text(given, 'event', 200),
    automatic: flag(given, 'automatic', true),
    template: given.template,
    duplicates: whole(given.duplicates, 'duplicates', 0, 10),
    outOfOrder: flag(given, 'outOfOrder', false),
    backoff: whole(given.backoff, 'backoff', 1, 60_000),
  };
  return { url, ...stated(options) };
}

/** An object without the members that are undefined. */
function stated<T extends object>(given: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as never;
}
