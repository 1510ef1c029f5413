import type { Contract } from '../../contract/contract.ts';
import { partsOf } from '../../contract/schema-facts.ts';
import { joinPointer } from '../../text/pointer.ts';
import { walkFields } from '../fields.ts';
import { describedParts } from '../responses.ts';
import {
  type AnswerRule,
  type Knowledge,
  MOST_TOLD,
  type Observation,
  ofSample,
  placeOf,
  type Sample,
} from '../rule.ts';
import { createShape, observe, type Shape } from '../shape.ts';
import { typesOfShape } from '../shape-text.ts';

type Nothing = 'null' | 'an empty list';

/**
 * What the recorded schemas of a place say that was all that ever stood there, with the pointer of what says so; null where anything
 * else is known of it.
 */
function neverBut(contract: Contract, schemas: readonly string[]): { what: Nothing; source: string } | null {
  const parts = partsOf(contract, schemas);
  let found: { what: Nothing; source: string } | null = null;
  for (const { pointer, schema } of parts) {
    const observed = contract.provenanceOf(pointer) === 'observed';
    if (schema['x-only-null'] === true) found ??= { what: 'null', source: joinPointer(pointer, 'x-only-null') };
    else if (observed && [schema.type].flat().includes('array')) {
      found ??= { what: 'an empty list', source: joinPointer(pointer, 'type') };
    }
    if (schema.items !== undefined || schema.prefixItems !== undefined || schema.contains !== undefined) return null;
  }
  return found;
}

export const contentsNew: AnswerRule<'contents-new'> = {
  id: 'contents-new',
  title: 'A field that was always empty has contents',
  severity: 'info',
  reference: 'API reference, Resources and their fields',
  judges: ['live', 'diff'],
  ofPlace: true,
  message: (seen) => `${placeOf(seen)} was only ever ${seen.expected} when it was recorded, and now is ${seen.actual}.`,
  of: 'answer',
  *judge(sample, { contract }) {
    const found = new Map<string, { by: string; shape: Shape; observation: Observation; times: number }>();
    for (const part of describedParts(contract, sample)) {
      walkFields(contract, part.schema, part.value, part.at, {
        value(at, value, schemas) {
          if (value === null || (found.size > MOST_TOLD && !found.has(at))) return;
          const never = neverBut(contract, schemas);
          if (never === null) return;
          if (never.what === 'an empty list' && !(Array.isArray(value) && value.length > 0)) return;
          const { by, shape, times } = found.get(at) ?? { by: part.schema, shape: createShape(), times: 0 };
          if (by !== part.schema) return;
          observe(shape, value);
          const observation = {
            ...ofSample(sample),
            pointer: at,
            expected: never.what,
            actual: typesOfShape(shape),
            found: shape,
            source: never.source,
          };
          found.set(at, { by, shape, observation, times: times + 1 });
        },
      });
    }
    for (const { observation, times } of found.values()) yield { ...observation, times };
  },
};

export const integerTooLarge: AnswerRule<'integer-too-large'> = {
  id: 'integer-too-large',
  title: 'An integer is too large for many parsers',
  severity: 'warning',
  reference: 'RFC 8259, 6',
  judges: ['live'],
  message: (seen) => `${placeOf(seen)} is an integer beyond 2^53. Many parsers lose its last digits.`,
  of: 'answer',
  *judge(sample, knowledge) {
    for (const [pointer, { source, times }] of largeIntegers(sample, knowledge)) {
      const seen = { expected: 'an integer within 2^53', actual: 'a larger integer' };
      yield { ...ofSample(sample), pointer, ...seen, source, times };
    }
  },
};

/** Places of integers beyond 2^53 that are documented as integers. One that was recorded was as large then, or may be now. */
function largeIntegers(sample: Sample, { contract }: Knowledge): Map<string, { source: string; times: number }> {
  const found = new Map<string, { by: string; source: string; times: number }>();
  for (const part of describedParts(contract, sample)) {
    walkFields(contract, part.schema, part.value, part.at, {
      value(at, value, schemas) {
        // 1e400 is an integer, too, and read as infinite
        if (typeof value !== 'number' || (value % 1 !== 0 && Number.isFinite(value)) || Number.isSafeInteger(value))
          return;
        const known = found.get(at);
        // The same part is described twice where it was recorded too.
        if ((known !== undefined && known.by !== part.schema) || found.size > MOST_TOLD) return;
        const integer = partsOf(contract, schemas).find(
          ({ pointer, schema }) =>
            [schema.type].flat().includes('integer') && contract.provenanceOf(pointer) === 'documented',
        );
        if (integer === undefined) return;
        const source = known?.source ?? joinPointer(integer.pointer, 'type');
        found.set(at, { by: part.schema, source, times: (known?.times ?? 0) + 1 });
      },
    });
  }
  return found;
}
