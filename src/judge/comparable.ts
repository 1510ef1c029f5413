import { onlyWhen } from '../contract/conditions.ts';
import type { Contract } from '../contract/contract.ts';
import { isRecorded, walkAnswer } from './responses.ts';
import type { Sample } from './rule.ts';

/** `none` if an answer lacks all unconditional documented fields, `nothing` if it has no place for them. */
export function comparedBy(contract: Contract, sample: Sample): 'some' | 'none' | 'nothing' {
  if (isRecorded(contract, sample.operation, sample.status)) return 'some';
  let of = 0;
  let seen = 0;
  walkAnswer(contract, sample, ({ kind, value, node }) => {
    const isDocumented = node.pointers.some((schema) => contract.provenanceOf(schema) === 'documented');
    if (kind !== 'named' || !isDocumented || onlyWhen(node) !== null) return;
    of += 1;
    if (value !== undefined) seen += 1;
  });
  if (seen > 0) return 'some';
  return of > 0 ? 'none' : 'nothing';
}
