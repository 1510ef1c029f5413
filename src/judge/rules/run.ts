import type { Contract } from '../../contract/contract.ts';
import { jsonIn } from '../../model/media.ts';
import type { Observation, OutsideRule, RunRule } from '../rule.ts';
import { candidatesFor, pathShape } from '../unmatched-paths.ts';

export const unmatchedExchange: RunRule = {
  id: 'unmatched-exchange',
  title: 'A request that no operation of the contract matches',
  severity: 'info',
  judges: ['live', 'diff'],
  message: ({ stray }) => {
    const answer = stray?.status == null ? 'not answered' : `answered with ${stray.status}`;
    const known = stray?.candidates.length
      ? `${perhaps(stray)}, known by name only`
      : 'nothing known by name only fits';
    return `${stray?.method} ${stray?.path} is no operation of the contract and was ${answer}; ${known}.`;
  },
  of: 'run',
  *judge({ strays, contract }) {
    for (const exchange of strays) {
      const { method, target } = exchange.request;
      const body = jsonIn(exchange);
      const status = exchange.response === null ? null : String(exchange.response.status);
      yield { ...unmatched(contract, { method, target, status, body }), exchanges: [exchange.seq] };
    }
  },
};

interface Unmatched {
  readonly method: string;
  readonly target: string;
  readonly status: string | null;
  readonly body?: unknown;
}

export function unmatched(contract: Contract, { method, target, status, body }: Unmatched): Observation {
  const path = pathShape(contract, target);
  const stray = { method, path, status, candidates: candidatesFor(contract, { method, shape: path, body }) };
  return {
    operationId: null,
    stray,
    pointer: '',
    expected: stray.candidates.length === 0 ? 'an operation of the contract' : perhaps(stray),
    actual: status === null ? 'no answer' : `answered ${status}`,
    source: '',
    provenance: 'documented',
    exchanges: [],
    identity: { expected: 'an operation', actual: `${method} ${path}` },
  };
}

function perhaps({ candidates }: NonNullable<Observation['stray']>): string {
  return `perhaps ${candidates.join(' or ')}`;
}

export const tlsNotVerified: OutsideRule = {
  id: 'tls-not-verified',
  title: 'The certificate of the target was not checked',
  severity: 'warning',
  reference: 'RFC 6750, 5.3',
  judges: ['live'],
  message: () => 'NODE_TLS_REJECT_UNAUTHORIZED=0 switches the check of the certificate off: anybody may have answered.',
  of: 'elsewhere',
};

export const contractCheckFailed: OutsideRule = {
  id: 'contract-check-failed',
  title: 'A check failed',
  severity: 'error',
  judges: ['live'],
  message: ({ expected, actual }) => `Expected ${expected}, got ${actual}.`,
  of: 'elsewhere',
};

export const ownCheckFailed: OutsideRule = {
  ...contractCheckFailed,
  id: 'own-check-failed',
  title: 'A check of your own failed',
  message: ({ about, expected, actual }) => `Your check ${about} expected ${expected} and got ${actual}.`,
};
