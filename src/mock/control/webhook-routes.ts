import { placeholdersOf } from '../webhooks/events.ts';
import { type Delivery, INBOX, type WebhookOptions } from '../webhooks/webhooks.ts';
import { type Controls, on, type Route } from './controls.ts';
import { done, flag, InputError, members, missing, ok, text } from './input.ts';
import { masking } from './state-view.ts';

/** Webhooks and their deliveries. The inbox is the deliveries to the mock's own URL. */
export function webhookRoutes(controls: Controls): Route[] {
  const { webhooks } = controls;
  const mask = masking(controls);
  const masked = (deliveries: readonly Delivery[]): readonly Delivery[] =>
    deliveries.map((one) => ({ ...one, body: JSON.stringify(mask(JSON.parse(one.body))) }));
  return [
    on('GET', '/webhooks', () => ok({ webhooks: webhooks.list(), events: webhooks.events() })),
    on('POST', '/webhooks', ({ body }) => ok(webhooks.register(optionsOf(body)), 201)),
    on('GET', '/webhooks/deliveries', () => ok({ deliveries: masked(webhooks.deliveries()) })),
    on('POST', '/webhooks/deliveries/{id}/replay', async ({ body, parameters: { id = '' } }) => {
      members(body, []);
      const deliveries = await webhooks.replay(id);
      if (!deliveries) throw missing('no delivery has this id, or its webhook was removed');
      return ok({ deliveries: masked(deliveries) });
    }),
    on('GET', '/webhooks/inbox', () =>
      ok({ messages: masked(webhooks.deliveries().filter(({ url }) => url === INBOX)) }),
    ),
    on('DELETE', '/webhooks/inbox', () => {
      webhooks.clearInbox();
      return done();
    }),
    on('DELETE', '/webhooks/{id}', ({ parameters: { id = '' } }) => {
      if (!webhooks.remove(id)) throw missing('no webhook has this id');
      return done();
    }),
    on('POST', '/webhooks/{id}/fire', async ({ body, parameters: { id = '' } }) => {
      const form = webhooks.formOf(id);
      const known = placeholdersOf(form).filter((name) => name !== 'id' && name !== 'timestamp');
      const given = members(body, known);
      for (const name of known) if (name !== form?.kind) text(given, name, 200);
      const deliveries = await webhooks.fire(id, given);
      if (!deliveries) throw missing('no webhook has this id');
      return ok({ deliveries: masked(deliveries) });
    }),
  ];
}

const MEMBERS = ['url', 'event', 'secret', 'automatic', 'template'];

function optionsOf(body: unknown): WebhookOptions {
  const given = members(body, MEMBERS);
  const url = text(given, 'url');
  if (url === undefined) throw new InputError('/url', 'is required');
  return {
    url,
    secret: text(given, 'secret', 200),
    event: text(given, 'event', 200),
    automatic: flag(given, 'automatic', true),
    template: given.template,
  };
}
