import { joinPointer } from '../../spec/pointer.ts';
import { isOfVirtualCard } from '../cards.ts';
import type { Observation, SampleRule } from '../rule.ts';
import { typeOf } from '../shape.ts';

/** A card token on a card that the configuration says is not physical. */
export const cardTokenNotPhysical: SampleRule = {
  id: 'card-token-not-physical',
  scope: 'sample',
  *judge(sample, { card }): Iterable<Observation> {
    const { operation, content, exchange } = sample;
    if (content.kind !== 'json' || !isOfVirtualCard(sample, card)) return;
    const body = content.value as Readonly<Record<string, unknown>> | null;
    if (typeof body !== 'object' || body === null || body.token === undefined || body.token === null) return;
    yield {
      operationId: operation.operationId,
      pointer: '/token',
      expected: 'no such field',
      actual: typeOf(body.token),
      source: joinPointer('', 'components', 'schemas', 'Card', 'properties', 'token'),
      exchanges: [exchange.seq],
    };
  },
};
