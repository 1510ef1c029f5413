import type { Contract } from '../../contract/contract.ts';
import { basisFrom } from '../../contract/provenance.ts';
import { joinPointer, parsePointer } from '../../text/pointer.ts';
import { spreadOfField, spreadOfMissing, spreadOfValue } from '../causes/spreads.ts';
import { isAlwaysThere } from '../recorded-presence.ts';
import { describedParts, walkAnswer } from '../responses.ts';
import {
  type AnswerRule,
  BY_PROVENANCE,
  type Knowledge,
  MOST_TOLD,
  type Observation,
  ofSample,
  placeOf,
  type Run,
  type Sample,
} from '../rule.ts';
import type { SchemaProblem } from '../schemas.ts';
import { merge } from '../shape.ts';
import { textOfSchema } from '../shape-text.ts';
import { unfulfilled } from './conditions.ts';
import { explainedPlaces, rebuiltPlaces } from './rebuilt.ts';

const STRUCTURE = new Set(['anyOf', 'oneOf', 'not', 'contains', 'dependentRequired', 'dependencies', 'false schema']);

const FORM = new Set(['format', 'pattern']);

type Sort = 'type' | 'format' | 'required' | 'structure' | 'value';

function sortOf(keyword: string): Sort {
  if (keyword === 'type' || keyword === 'format' || keyword === 'required') return keyword;
  return STRUCTURE.has(keyword) || /properties$/i.test(keyword) ? 'structure' : 'value';
}

/** Each judgement creates new samples, and five rules ask for the same one. */
const known = new WeakMap<Sample, readonly Contradiction[]>();

interface Contradiction {
  readonly sort: Sort;
  readonly observation: Observation;
  times: number;
}

/** With more, one of the five rules reports more than its limit. */
const ENOUGH = 5 * MOST_TOLD;

function contradictions(sample: Sample, { contract, schemas }: Knowledge): readonly Contradiction[] {
  const schemaOf = new Map<string, string>();
  const seen = new Map<string, Contradiction>();
  const explained = explainedPlaces(contract, sample);
  for (const part of describedParts(contract, sample)) {
    for (const problem of schemas.problems(part.schema, part.value)) {
      const pointer = `${part.at}${problem.at}`;
      const sort = sortOf(problem.keyword);
      if (explained.has(pointer) && (sort === 'type' || sort === 'required')) continue;
      // A recording repeats documented parts by reference, so each contradicted line is reported once.
      const key = `${problem.schema}\n${pointer}`;
      const by = schemaOf.get(key) ?? part.schema;
      const before = seen.get(`${key}\n${problem.actual}`);
      if (by !== part.schema || (before === undefined && seen.size > ENOUGH)) continue;
      schemaOf.set(key, by);
      if (before === undefined) {
        const provenance = basisFrom(contract, part.schema)(problem.schema);
        const name = parsePointer(problem.at)?.at(-1) ?? '';
        if (sort === 'required' && provenance === 'observed' && !isAlwaysThere(contract, problem.schema, name))
          continue;
        // A form is learned from few texts, which may have it by chance. A second read confirms it.
        const isLearned = provenance === 'observed' && FORM.has(problem.keyword);
        const observation: Observation = {
          ...ofSample(sample),
          ...(isLearned && sample.operation.effect === 'read' && { least: 2 }),
          pointer,
          expected: problem.expected,
          actual: problem.actual,
          wanted: wantedBy(contract, problem, sample, pointer),
          found: problem.found,
          source: problem.schema,
          provenance,
        };
        seen.set(`${key}\n${problem.actual}`, { sort, observation, times: 1 });
        continue;
      }
      before.times += 1;
      const { found } = before.observation;
      if (found !== undefined && problem.found !== undefined) merge(found, problem.found);
    }
  }
  return [...seen.values()];
}

function schemaRule(sort: Sort, info: Pick<AnswerRule, 'id' | 'title' | 'message'>): AnswerRule {
  return {
    ...info,
    severity: BY_PROVENANCE,
    judges: ['live', 'diff', 'assumptions'],
    spreads: sort === 'required' ? spreadOfMissing : sort === 'structure' ? spreadOfField : spreadOfValue,
    of: 'answer',
    *judge(sample, knowledge) {
      const all = known.get(sample) ?? contradictions(sample, knowledge);
      known.set(sample, all);
      for (const one of all) if (one.sort === sort) yield { ...one.observation, times: one.times };
    },
  };
}

function wantedBy(contract: Contract, problem: SchemaProblem, sample: Sample, pointer: string): string | undefined {
  if (problem.keyword === 'type') return textOfSchema(contract, problem.schema.replace(/\/type$/, '')) ?? undefined;
  if (problem.keyword !== 'required') return undefined;
  let missing: string | null = null;
  walkAnswer(contract, sample, ({ kind, at, node }) => {
    if (kind === 'named' && at === pointer) missing ??= textOfSchema(contract, node.pointers[0] ?? '');
  });
  return missing ?? undefined;
}

export const typeContradicted: AnswerRule = schemaRule('type', {
  id: 'type-contradicted',
  title: 'A field has another type',
  message: (seen) => `${placeOf(seen)} is ${seen.actual}, not ${seen.expected}.`,
});

export const formatContradicted: AnswerRule = schemaRule('format', {
  id: 'format-contradicted',
  title: 'A string does not match its format',
  message: (seen) => `${placeOf(seen)} is not of the form ${seen.expected}.`,
});

export const valueContradicted: AnswerRule = schemaRule('value', {
  id: 'value-contradicted',
  title: 'A value is not allowed',
  message: (seen) => `${placeOf(seen)} has a value that is not ${seen.expected}.`,
});

export const structureContradicted: AnswerRule = schemaRule('structure', {
  id: 'structure-contradicted',
  title: 'A value matches none of its alternatives',
  message: (seen) => `${placeOf(seen)} is ${seen.actual}, not ${seen.expected}.`,
});

const missing = schemaRule('required', {
  id: 'required-missing',
  title: 'A required field is missing',
  message: (seen) =>
    seen.presence === undefined
      ? `${placeOf(seen)} is missing.`
      : `${placeOf(seen)} was always there; now it is there ${seen.presence}.`,
});

export const requiredMissing: AnswerRule = {
  ...missing,
  ofAbsence: true,
  *judge(sample, knowledge) {
    yield* missing.judge(sample, knowledge);
    yield* conditionalMissing(sample, knowledge);
  },
  complete: (observation, provenance, run) =>
    provenance === 'observed' ? { ...observation, presence: presenceOf(observation, run) } : observation,
};

function presenceOf({ operationId, pointer }: Observation, { contract, samples, occasion }: Run): string | undefined {
  let seen = 0;
  let of = 0;
  for (const sample of samples) {
    if (sample.operation.operationId !== operationId) continue;
    walkAnswer(contract, sample, ({ kind, at, value }) => {
      if (kind !== 'named' || at !== pointer) return;
      of += 1;
      if (value !== undefined) seen += 1;
    });
  }
  if (seen === 0) return undefined;
  // examples do not count answers
  return occasion === 'diff' ? 'only sometimes' : `in ${seen} of ${of} places`;
}

function conditionalMissing(sample: Sample, knowledge: Knowledge): Observation[] {
  const { contract } = knowledge;
  const rebuilt = rebuiltPlaces(contract, sample);
  const found: Observation[] = [];
  walkAnswer(contract, sample, (visit) => {
    const { at: pointer, value, node } = visit;
    if (visit.kind !== 'named' || value !== undefined || rebuilt.has(pointer.slice(0, pointer.lastIndexOf('/'))))
      return;
    const source = node.pointers.find((schema) => contract.at(joinPointer(schema, 'x-always-there')) === true);
    if (source === undefined || !isAlwaysThere(contract, source, parsePointer(source)?.at(-1) ?? '')) return;
    if (unfulfilled(sample, knowledge, visit) !== null) return;
    const wanted = textOfSchema(contract, node.pointers[0] ?? '') ?? undefined;
    found.push({ ...ofSample(sample), pointer, expected: 'the field', actual: 'no such field', wanted, source });
  });
  return found;
}
