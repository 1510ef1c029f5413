import { header } from '../../http/exchange.ts';
import type { SampleRule } from '../rule.ts';

const NEAR = 30 * 24 * 60 * 60 * 1000;

/** A `Sunset` (RFC 8594) that is over or less than 30 days away, by the clock of whoever got the answer. */
export const sunsetNear: SampleRule = {
  id: 'sunset-near',
  scope: 'sample',
  *judge({ operation, exchange }) {
    const value = header(exchange.response?.headers ?? [], 'sunset');
    const left = Date.parse(value ?? '') - exchange.endedAt;
    if (Number.isNaN(left) || left > NEAR) return;
    yield {
      operationId: operation.operationId,
      pointer: '',
      expected: 'no Sunset within 30 days',
      actual: left < 0 ? 'a Sunset that is over' : 'a Sunset within 30 days',
      source: operation.pointer,
      exchanges: [exchange.seq],
    };
  },
};
