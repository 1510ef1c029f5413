import type { Contract } from '../../contract/contract.ts';
import { contentOf } from '../../model/media.ts';
import { candidatesFor } from '../candidates.ts';
import { pathShape } from '../path-shape.ts';
import type { Observation, RunRule } from '../rule.ts';

/** A request that no operation of the contract matches, with the operations known by name only that it may be. */
export const unmatchedExchange: RunRule = {
  title: 'A request that no operation of the contract matches',
  reference: 'API reference, Endpoints, Operations known by name only',
  severity: 'info',
  message: ({ call, expected, actual }) =>
    `${call?.method} ${call?.path} is no operation of the contract and was ${actual.replace('answered', 'answered with')}; ${expected.startsWith('perhaps') ? `${expected}, known by name only` : 'nothing known by name only fits'}.`,
  scope: 'run',
  *judge({ strays, contract }) {
    for (const exchange of strays) {
      const { method, target } = exchange.request;
      const content = contentOf(exchange);
      const body = content.kind === 'json' ? content.value : undefined;
      const status = exchange.response?.status;
      const actual = status === undefined ? 'no answer' : `answered ${status}`;
      yield { ...unmatched(contract, method, target, actual, body), exchanges: [exchange.seq] };
    }
  },
};

/** What is said of such a request, by its path or the template of one. */
export function unmatched(
  contract: Contract,
  method: string,
  target: string,
  actual: string,
  body?: unknown,
): Observation {
  const shape = pathShape(contract, target);
  const candidates = candidatesFor(contract, { method, shape, body });
  return {
    operationId: null,
    call: { method, path: shape },
    pointer: '',
    expected: candidates.length === 0 ? 'an operation of the contract' : `perhaps ${candidates.join(' or ')}`,
    actual,
    source: '',
    provenance: 'documented',
    exchanges: [],
    identity: { expected: 'an operation', actual: `${method} ${shape}` },
  };
}

/** The run talked to an https target without checking its certificate. The run adds it: no exchange shows it. */
export const tlsNotVerified: RunRule = {
  title: 'The certificate of the target was not checked',
  reference: 'RFC 6750, 5.3',
  severity: 'warning',
  message: () => 'NODE_TLS_REJECT_UNAUTHORIZED=0 switches the check of the certificate off: anybody may have answered.',
  scope: 'run',
  judge: () => [],
};

/** A promise that a check itself found broken and that no other rule explains. The run adds these: they come from the suite. */
export const contractCheckFailed: RunRule = {
  title: 'A check found its promise broken',
  reference: 'API reference',
  severity: 'error',
  message: ({ expected, actual }) => `Expected ${expected}, got ${actual}.`,
  scope: 'run',
  judge: () => [],
};
