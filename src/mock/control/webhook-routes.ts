import type { Delivery } from '../../../generated/mock/control.ts';
import { emittersOf } from '../webhooks/events.ts';
import type { Controls } from './controls.ts';
import type { Handlers } from './document.ts';
import { missing } from './input.ts';
import { masking } from './state-view.ts';

export function webhookRoutes(controls: Controls): Handlers {
  const { webhooks } = controls;
  const mask = masking(controls);
  const masked = (deliveries: readonly Delivery[]): readonly Delivery[] =>
    deliveries.map((one) => ({ ...one, body: JSON.stringify(mask(JSON.parse(one.body))) }));
  const sent = async (
    delivery: Promise<Delivery> | undefined,
    why: string,
  ): Promise<{ deliveries: readonly Delivery[] }> => {
    if (!delivery) throw missing(why);
    return { deliveries: masked([await delivery]) };
  };
  return {
    listWebhooks: () => ({
      webhooks: webhooks.list(),
      events: webhooks.events(),
      emitters: emittersOf(controls.served()),
    }),
    registerWebhook: ({ body }) => webhooks.register(body),
    listDeliveries: () => ({ deliveries: masked(webhooks.deliveries()) }),
    replayDelivery: ({ parameters: { id } }) =>
      sent(webhooks.replay(id), 'no delivery has this id, or its webhook was removed'),
    removeWebhook({ parameters: { id } }) {
      if (!webhooks.remove(id)) throw missing('no webhook has this id');
    },
    fireWebhook: ({ body, parameters: { id } }) => sent(webhooks.fire(id, body), 'no webhook has this id'),
  };
}
