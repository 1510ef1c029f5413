import { basisFrom } from '../../spec/basis.ts';
import { describedParts } from '../responses.ts';
import type { Knowledge, Observation, Sample, SampleRule } from '../rule.ts';
import type { RuleId } from '../rule-ids.ts';

const STRUCTURE = new Set(['anyOf', 'oneOf', 'not', 'contains', 'dependentRequired', 'dependencies', 'false schema']);

/** The rule that a keyword of JSON Schema belongs to. */
function ruleOf(keyword: string): RuleId {
  if (keyword === 'type') return 'type-contradicted';
  if (keyword === 'format') return 'format-contradicted';
  if (keyword === 'required') return 'required-missing';
  if (STRUCTURE.has(keyword) || /properties$/i.test(keyword)) return 'structure-contradicted';
  return 'value-contradicted';
}

/** A rule over the contradictions of one sort between an answer and its schemas. */
export function schemaRule(id: RuleId): SampleRule {
  return {
    id,
    scope: 'sample',
    *judge(sample: Sample, { contract, schemas }: Knowledge): Iterable<Observation> {
      for (const { at, value, schema } of describedParts(contract, sample)) {
        for (const problem of schemas.problems(schema, value)) {
          if (ruleOf(problem.keyword) !== id) continue;
          yield {
            operationId: sample.operation.operationId,
            pointer: `${at}${problem.at}`,
            expected: problem.expected,
            actual: problem.actual,
            source: problem.schema,
            provenance: basisFrom(contract, schema)(problem.schema),
            exchanges: [sample.exchange.seq],
          };
        }
      }
    },
  };
}
