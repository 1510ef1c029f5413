import { listIn } from './responses.ts';
import type { CardFacts, Sample } from './rule.ts';

/** True of an answer about one card that is known not to be physical; a list may hold others. */
export function isOfVirtualCard({ operation, content, call }: Sample, card: CardFacts): boolean {
  const { cardId } = call.parameters;
  if (cardId === undefined || content.kind !== 'json' || operation.tag !== 'Cards') return false;
  if (card.physical !== false && card.virtual?.includes(cardId) !== true) return false;
  return listIn(content.value) === null;
}
