import type { Contract } from '../spec/contract.ts';
import { walkFields } from './fields.ts';
import type { Finding } from './finding.ts';
import { describedParts } from './responses.ts';
import type { Sample } from './rule.ts';

/**
 * Says with numbers where a field that was always there when it was recorded is now there in some places only: that it has become
 * optional is another change than that it has gone. The numbers are no part of the fingerprint.
 */
export function withPresence(finding: Finding, contract: Contract, samples: readonly Sample[]): Finding {
  if (finding.rule !== 'required-missing' || finding.provenance !== 'observed') return finding;
  const { seen, of } = presenceOf(finding, contract, samples);
  if (seen === 0) return finding;
  const message = `${finding.pointer} was always there when it was recorded; now it is there in ${seen} of ${of} places.`;
  return { ...finding, message };
}

function presenceOf(
  { operationId, pointer }: Finding,
  contract: Contract,
  samples: readonly Sample[],
): { seen: number; of: number } {
  let seen = 0;
  let of = 0;
  for (const sample of samples) {
    if (sample.operation.operationId !== operationId) continue;
    const last = describedParts(contract, sample).at(-1);
    if (last === undefined) continue;
    walkFields(contract, last.schema, last.value, last.at, {
      known(place, _, present) {
        if (place !== pointer) return;
        of += 1;
        if (present) seen += 1;
      },
    });
  }
  return { seen, of };
}
