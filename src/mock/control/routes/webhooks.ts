import { problem } from '../../problem.ts';
import { placeholdersOf } from '../../webhooks/template.ts';
import type { WebhookOptions } from '../../webhooks/webhooks.ts';
import { done, flag, InputError, members, ok, text, whole } from '../input.ts';
import type { Routes } from '../route.ts';

const MEMBERS = ['url', 'event', 'secret', 'automatic', 'template', 'duplicates', 'outOfOrder', 'backoff'];
const UNKNOWN = 'no webhook has this id';

/** Webhooks, and what was sent to them. */
export const webhookRoutes: Routes = ({ webhooks }) => [
  { method: 'GET', path: '/webhooks', answer: () => ok({ webhooks: webhooks.list() }) },
  {
    method: 'POST',
    path: '/webhooks',
    answer: ({ body }) => ok(webhooks.register(optionsOf(body)), 201),
  },
  { method: 'GET', path: '/webhooks/deliveries', answer: () => ok({ deliveries: webhooks.deliveries() }) },
  {
    method: 'DELETE',
    path: '/webhooks/{id}',
    answer: ({ parameters: { id = '' } }) => (webhooks.remove(id) ? done() : problem(404, 'no-such-control', UNKNOWN)),
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
      return deliveries ? ok({ deliveries }) : problem(404, 'no-such-control', UNKNOWN);
    },
  },
];

function optionsOf(body: unknown): WebhookOptions {
  const given = members(body, MEMBERS);
  const url = text(given, 'url');
  if (url === undefined) throw new InputError('/url', 'is required');
  const secret = text(given, 'secret', 200);
  const event = text(given, 'event', 200);
  const duplicates = whole(given.duplicates, 'duplicates', 0, 10);
  const backoff = whole(given.backoff, 'backoff', 1, 60_000);
  return {
    url,
    automatic: flag(given, 'automatic', true),
    outOfOrder: flag(given, 'outOfOrder', false),
    ...(secret === undefined ? {} : { secret }),
    ...(event === undefined ? {} : { event }),
    ...(given.template === undefined ? {} : { template: given.template }),
    ...(duplicates === undefined ? {} : { duplicates }),
    ...(backoff === undefined ? {} : { backoff }),
  };
}
