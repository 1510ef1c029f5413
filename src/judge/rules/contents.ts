import type { Contract } from '../../contract/contract.ts';
import type { SchemaFacts } from '../../schema/schema-facts.ts';
import { joinPointer } from '../../text/pointer.ts';
import { placesIn } from '../places.ts';
import { walkAnswer } from '../responses.ts';
import { type AnswerRule, placeOf } from '../rule.ts';

type Nothing = 'null' | 'an empty list';

/** The only content that recordings ever showed at a place. Null if anything else is known about it. */
function neverBut(contract: Contract, { parts }: SchemaFacts): { what: Nothing; source: string } | null {
  let found: { what: Nothing; source: string } | null = null;
  for (const { pointer, schema } of parts) {
    if (schema['x-only-null'] === true) found ??= { what: 'null', source: joinPointer(pointer, 'x-only-null') };
    else if ([schema.type].flat().includes('array') && contract.provenanceOf(pointer) === 'observed') {
      found ??= { what: 'an empty list', source: joinPointer(pointer, 'type') };
    }
    if (schema.items !== undefined || schema.prefixItems !== undefined || schema.contains !== undefined) return null;
  }
  return found;
}

export const contentsNew: AnswerRule = {
  id: 'contents-new',
  title: 'A field that was always empty has contents',
  severity: 'info',
  judges: ['live', 'diff'],
  ofPlace: true,
  message: (seen) => `${placeOf(seen)} was only ever ${seen.expected} when it was recorded, and now is ${seen.actual}.`,
  of: 'answer',
  judge: (sample, { contract }) =>
    placesIn(sample, (see) =>
      walkAnswer(contract, sample, ({ at, value, node }) => {
        const never = value == null ? null : neverBut(contract, node);
        if (never === null) return;
        if (never.what === 'an empty list' && !(Array.isArray(value) && value.length > 0)) return;
        see(at, { expected: never.what, source: never.source }, value);
      }),
    ),
};

export const integerTooLarge: AnswerRule = {
  id: 'integer-too-large',
  title: 'An integer is too large for many parsers',
  severity: 'warning',
  reference: 'RFC 8259, 6',
  judges: ['live'],
  message: (seen) => `${placeOf(seen)} is an integer beyond 2^53. Many parsers lose its last digits.`,
  of: 'answer',
  /** Only documented integers count. A recorded integer may have been as large, or may be now. */
  judge: (sample, { contract }) =>
    placesIn(sample, (see) =>
      walkAnswer(contract, sample, ({ at, value, node }) => {
        // 1e400 is an integer as well and parses as Infinity
        if (typeof value !== 'number' || (value % 1 !== 0 && Number.isFinite(value)) || Number.isSafeInteger(value))
          return;
        const integer = node.parts.find(
          ({ pointer, schema }) =>
            [schema.type].flat().includes('integer') && contract.provenanceOf(pointer) === 'documented',
        );
        if (integer === undefined) return;
        const source = joinPointer(integer.pointer, 'type');
        see(at, { expected: 'an integer within 2^53', actual: 'a larger integer', source });
      }),
    ),
};
