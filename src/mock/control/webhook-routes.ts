import type { EventValues } from '../webhooks/events.ts';
import { type Delivery, INBOX, type WebhookOptions } from '../webhooks/webhooks.ts';
import { type Controls, on, type Route } from './controls.ts';
import { done, missing, ok } from './input.ts';
import { masking } from './state-view.ts';

/** Webhooks and their deliveries. The inbox is the deliveries to the mock's own URL. */
export function webhookRoutes(controls: Controls): Route[] {
  const { webhooks } = controls;
  const mask = masking(controls);
  const masked = (deliveries: readonly Delivery[]): readonly Delivery[] =>
    deliveries.map((one) => ({ ...one, body: JSON.stringify(mask(JSON.parse(one.body))) }));
  return [
    on('GET', '/webhooks', () => ok({ webhooks: webhooks.list(), events: webhooks.events() })),
    on<WebhookOptions>('POST', '/webhooks', ({ body }) => ok(webhooks.register(body), 201)),
    on('GET', '/webhooks/deliveries', () => ok({ deliveries: masked(webhooks.deliveries()) })),
    on('POST', '/webhooks/deliveries/{id}/replay', async ({ parameters: { id = '' } }) => {
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
    on<EventValues>('POST', '/webhooks/{id}/fire', async ({ body, parameters: { id = '' } }) => {
      const delivery = await webhooks.fire(id, body);
      if (!delivery) throw missing('no webhook has this id');
      return ok({ deliveries: masked([delivery]) });
    }),
  ];
}
