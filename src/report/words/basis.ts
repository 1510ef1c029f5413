import type { Finding } from '../../model/finding.ts';

/** A standard or advice is no fact of the contract's reference, so its findings name it instead of a provenance. */
export function basisText({ provenance, reference }: Pick<Finding, 'provenance' | 'reference'>): string {
  const [, basis] = /^(RFC \d+|advice)/.exec(provenance === 'documented' ? reference : '') ?? [];
  return basis ?? provenance;
}
