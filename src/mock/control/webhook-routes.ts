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
      const delivery = await webhooks.replay(id);
      if (!delivery) throw missing('no delivery has this id, or its webhook was removed');
      return ok({ deliveries: masked([delivery]) });
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
      const known = ['operationId', ...(webhooks.formOf(id)?.ids ?? [])];
      const given = members(body, known);
      for (const name of known) text(given, name, 200);
      const delivery = await webhooks.fire(id, given);
      if (!delivery) throw missing('no webhook has this id');
      return ok({ deliveries: masked([delivery]) });
    }),
  ];
}

function optionsOf(body: unknown): WebhookOptions {
  const given = members(body, ['url', 'event', 'secret', 'automatic']);
  const url = text(given, 'url');
  if (url === undefined) throw new InputError('/url', 'is required');
  return {
    url,
    secret: text(given, 'secret', 200),
    event: text(given, 'event', 200),
    automatic: flag(given, 'automatic', true),
  };
}
