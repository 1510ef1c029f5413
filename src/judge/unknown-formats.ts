import type { Contract } from '../contract/contract.ts';
import { satisfiesFacts } from '../contract/sample.ts';
import { partsOf } from '../contract/schema-facts.ts';
import { walkAnswer } from './responses.ts';
import type { Sample } from './rule.ts';

export function hasUnknownFormat(contract: Contract, sample: Sample): boolean {
  let isOdd = false;
  walkAnswer(contract, sample, {
    value(_, value, schemas) {
      if (isOdd || typeof value !== 'string') return;
      isOdd = partsOf(contract, schemas).some(
        ({ pointer, schema }) =>
          contract.provenanceOf(pointer) === 'observed' &&
          !satisfiesFacts({ words: new Map(Object.entries(schema)), values: null }, value),
      );
    },
  });
  return isOdd;
}
