import { circumstancesOf } from '../contract/conditions.ts';
import type { Contract } from '../contract/contract.ts';
import { assumedOf } from '../contract/contract-file.ts';
import { excessesOf, limitedFieldsOf, maximaOf } from '../contract/limits.ts';
import { joinPointer } from '../pointer.ts';
import type { Observation } from './rule.ts';

type LimitBreak = Pick<Observation, 'pointer' | 'expected' | 'actual' | 'severity' | 'provenance' | 'detail'> & {
  readonly source: string;
};

/** Fields of a request above their maximum. A body that names no currency breaks only what no currency admits, which is a warning. */
export function findLimitBreaks(contract: Contract, schemaPointer: string, body: unknown): LimitBreak[] {
  const { currencyOf } = circumstancesOf({ assumed: assumedOf(contract.folder.assumed, 'url') });
  const currency = currencyOf(body);
  const fields = limitedFieldsOf(contract, schemaPointer);
  return excessesOf(maximaOf(contract, schemaPointer), body, currency).flatMap((excess): LimitBreak[] => {
    const limit = fields.find(({ field }) => field === excess.field);
    if (limit === undefined) return [];
    const provenance = contract.provenanceOf(limit.pointer);
    if (provenance === 'assumed') return [];
    const about = { pointer: joinPointer('', excess.field), actual: 'more', source: limit.pointer, provenance };
    if (currency !== null) {
      const severity = provenance === 'documented' ? 'error' : 'warning';
      return [{ ...about, expected: `at most ${currency} ${excess.maximum}`, severity }];
    }
    const maxima = Object.entries(limit.maxima).map(([code, maximum]) => `${code} ${maximum}`);
    return [
      {
        ...about,
        expected: `at most ${maxima.join(', ')}`,
        severity: 'warning',
        detail: 'The request names no currency; it is above the maximum of each that has one.',
      },
    ];
  });
}
