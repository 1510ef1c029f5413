import { basisFrom } from '../../spec/basis.ts';
import type { Contract } from '../../spec/contract.ts';
import { walkFields } from '../fields.ts';
import { type Described, describedParts } from '../responses.ts';
import type { Knowledge, Observation, Sample, SampleRule } from '../rule.ts';
import type { RuleId } from '../rule-ids.ts';
import type { SchemaProblem } from '../schemas.ts';
import { textOfSchema } from '../shape-text.ts';

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
      const told = new Map<string, string>();
      for (const { at, value, schema } of describedParts(contract, sample)) {
        for (const problem of schemas.problems(schema, value)) {
          if (ruleOf(problem.keyword) !== id) continue;
          const pointer = `${at}${problem.at}`;
          // A recording repeats what is documented by reference: the same line is contradicted once.
          const key = `${problem.schema}\n${pointer}`;
          const by = told.get(key) ?? schema;
          told.set(key, by);
          if (by !== schema) continue;
          yield {
            operationId: sample.operation.operationId,
            pointer,
            expected: problem.expected,
            actual: problem.actual,
            wanted: wantedBy(contract, problem, { at, value, schema }, pointer),
            found: problem.found,
            source: problem.schema,
            provenance: basisFrom(contract, schema)(problem.schema),
            exchanges: [sample.exchange.seq],
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
    unknown() {},
  });
  return missing ?? undefined;
}
