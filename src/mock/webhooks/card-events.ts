import type { Heard } from '../exchanges.ts';
import type { CardEvent, Webhooks } from './webhooks.ts';

/** After which operations `card-updated` is sent: assumed, since the reference does not say which one emits it (API reference, Events). */
const EMITTING: ReadonlySet<string> = new Set([
  'updateCard',
  'updateCardAlias',
  'updateCardLimits',
  'suspendCard',
  'activateCard',
  'deleteCard',
  'issueNewCard',
]);

/** Tells the webhooks of a card operation that succeeded. */
export function tellCardEvents(webhooks: Webhooks, { trail, answer, call }: Heard): void {
  const { operation, parameters = {} } = trail;
  if (!operation || !EMITTING.has(operation.operationId) || answer.status >= 300) return;
  webhooks.cardUpdated((): CardEvent => {
    const card = parsed(answer.body);
    const sent = parsed(call.body);
    return {
      operationId: operation.operationId,
      customerId: parameters.customerId ?? null,
      clientId: parameters.clientId ?? textOf(card, 'clientId') ?? textOf(sent, 'clientId'),
      cardId: parameters.cardId ?? textOf(card, 'cardId'),
      card,
    };
  });
}

function parsed(body: Buffer | null): unknown {
  try {
    return body ? JSON.parse(body.toString()) : null;
  } catch {
    return null;
  }
}

function textOf(value: unknown, name: string): string | null {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return null;
  const member = (value as Readonly<Record<string, unknown>>)[name];
  return typeof member === 'string' ? member : null;
}
