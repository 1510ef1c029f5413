import { basisFrom } from '../../spec/basis.ts';
import type { Contract } from '../../spec/contract.ts';
import { joinPointer } from '../../spec/pointer.ts';
import { walkFields } from '../fields.ts';
import { type Described, describedParts } from '../responses.ts';
import {
  type Knowledge,
  type Observation,
  ofSample,
  placeOf,
  type RuleInfo,
  type Sample,
  type SampleRule,
} from '../rule.ts';
import type { SchemaProblem } from '../schemas.ts';
import { textOfSchema } from '../shape-text.ts';
import { unfulfilled } from './conditions.ts';
import { explainedPlaces, rebuiltPlaces } from './rebuilt.ts';

const STRUCTURE = new Set(['anyOf', 'oneOf', 'not', 'contains', 'dependentRequired', 'dependencies', 'false schema']);

/** What a keyword of JSON Schema speaks of. */
type Sort = 'type' | 'format' | 'required' | 'structure' | 'value';

export function sortOf(keyword: string): Sort {
  if (keyword === 'type' || keyword === 'format' || keyword === 'required') return keyword;
  return STRUCTURE.has(keyword) || /properties$/i.test(keyword) ? 'structure' : 'value';
}

/** A rule over the contradictions of one sort between an answer and its schemas. */
function schemaRule(sort: Sort, info: Pick<RuleInfo, 'title' | 'message'>): SampleRule {
  return {
    ...info,
    reference: 'API reference, Resources and their fields',
    scope: 'sample',
    *judge(sample, { contract, schemas }) {
      const told = new Map<string, string>();
      for (const { at, value, schema } of describedParts(contract, sample)) {
        for (const problem of schemas.problems(schema, value)) {
          if (sortOf(problem.keyword) !== sort) continue;
          const pointer = `${at}${problem.at}`;
          // A recording repeats what is documented by reference: the same line is contradicted once.
          const key = `${problem.schema}\n${pointer}`;
          const by = told.get(key) ?? schema;
          told.set(key, by);
          if (by !== schema) continue;
          yield {
            ...ofSample(sample),
            pointer,
            expected: problem.expected,
            actual: problem.actual,
            wanted: wantedBy(contract, problem, { at, value, schema }, pointer),
            found: problem.found,
            source: problem.schema,
            provenance: basisFrom(contract, schema)(problem.schema),
          };
        }
      }
    },
  };
}

/** What stands in the place of a problem by the contract, in words. */
function wantedBy(contract: Contract, problem: SchemaProblem, part: Described, pointer: string): string | undefined {
  if (problem.keyword === 'type') return textOfSchema(contract, problem.schema.replace(/\/type$/, '')) ?? undefined;
  if (problem.keyword !== 'required') return undefined;
  let missing: string | null = null;
  walkFields(contract, part.schema, part.value, part.at, {
    known(place, schema) {
      if (place === pointer) missing ??= textOfSchema(contract, schema);
    },
  });
  return missing ?? undefined;
}

export const typeContradicted: SampleRule = schemaRule('type', {
  title: 'A field has another type',
  message: (seen) => `${placeOf(seen)} is ${seen.actual}, not ${seen.expected}.`,
});

export const formatContradicted: SampleRule = schemaRule('format', {
  title: 'A text is not in its format',
  message: (seen) => `${placeOf(seen)} is not of the form ${seen.expected}.`,
});

export const valueContradicted: SampleRule = schemaRule('value', {
  title: 'A value is outside of what is allowed',
  message: (seen) => `${placeOf(seen)} has a value that is not ${seen.expected}.`,
});

export const structureContradicted: SampleRule = schemaRule('structure', {
  title: 'A part fits none of its alternatives',
  message: (seen) => `${placeOf(seen)} is ${seen.actual}, not ${seen.expected}.`,
});

const missing = schemaRule('required', {
  title: 'A required field is missing',
  message: (seen) =>
    seen.presence === undefined
      ? `${placeOf(seen)} is missing.`
      : `${placeOf(seen)} was always there; now it is there ${seen.presence}.`,
});

/** A required field is not there, and it did not go with the object that it stood in. */
export const requiredMissing: SampleRule = {
  ...missing,
  *judge(sample, knowledge) {
    const explained = explainedPlaces(knowledge.contract, sample);
    for (const observation of missing.judge(sample, knowledge)) {
      if (!explained.has(observation.pointer)) yield observation;
    }
    yield* conditionalMissing(sample, knowledge);
  },
};

/** Fields that are documented for some cases only (`x-only-when`), and that were always there when recorded. */
function conditionalMissing(sample: Sample, knowledge: Knowledge): Observation[] {
  const { contract } = knowledge;
  const rebuilt = rebuiltPlaces(contract, sample);
  const found: Observation[] = [];
  for (const { at, value, schema } of describedParts(contract, sample)) {
    walkFields(contract, schema, value, at, {
      known(place, first, present, schemas, { object }) {
        const recorded = schemas.find((pointer) => contract.at(joinPointer(pointer, 'x-always-there')) === true);
        if (present || recorded === undefined || rebuilt.has(place.slice(0, place.lastIndexOf('/')))) return;
        if (unfulfilled(sample, knowledge, { at: place, schemas, object }) !== null) return;
        found.push({
          ...ofSample(sample),
          pointer: place,
          expected: 'the field',
          actual: 'no such field',
          wanted: textOfSchema(contract, first) ?? undefined,
          source: recorded,
        });
      },
    });
  }
  return found;
}
