import { candidatesFor } from '../candidates.ts';
import { contentOf } from '../media.ts';
import { pathShape } from '../path-shape.ts';
import type { Observation, RunRule } from '../rule.ts';

/** A request that no operation of the contract matches, with the operations known by name only that it may be. */
export const unmatchedExchange: RunRule = {
  id: 'unmatched-exchange',
  scope: 'run',
  *judge({ strays, contract }): Iterable<Observation> {
    for (const exchange of strays) {
      const { method, target } = exchange.request;
      const shape = pathShape(contract, target);
      const content = contentOf(exchange);
      const body = content.kind === 'json' ? content.value : undefined;
      const candidates = candidatesFor(contract, { method, shape, body });
      const status = exchange.response?.status;
      yield {
        operationId: null,
        call: { method, path: shape },
        pointer: '',
        expected: candidates.length === 0 ? 'an operation of the contract' : `perhaps ${candidates.join(' or ')}`,
        actual: status === undefined ? 'no answer' : `answered ${status}`,
        source: '',
        provenance: 'documented',
        exchanges: [exchange.seq],
        identity: { expected: 'an operation', actual: `${method} ${shape}` },
      };
    }
  },
};
