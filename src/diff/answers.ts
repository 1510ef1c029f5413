import type { ErrorObject } from 'ajv/dist/2020.js';
import type { Contract, Operation } from '../contract/contract.ts';
import type { Observed } from '../judge/rule.ts';
import { answerChanged, answerWidened } from '../judge/rules/comparisons.ts';
import { createCompare } from '../schema/compare.ts';
import { MAYBE, NO } from '../schema/losses.ts';
import { sideOf } from '../schema/side.ts';

/** Keywords that examples cannot compare. The schemas of two documents are compared for them. */
const BEYOND_EXAMPLES: ReadonlySet<string> = new Set([
  ...['minimum', 'maximum', 'multipleOf', 'minLength', 'maxLength', 'minItems', 'maxItems', 'uniqueItems'],
  ...['contains', 'minContains', 'minProperties', 'maxProperties', 'propertyNames', 'patternProperties'],
  ...['not', 'if', 'then', 'else', 'dependencies', 'dependentRequired', 'dependentSchemas'],
]);

/** The keywords in errors of Ajv for limits with another name. */
const ALSO = ['exclusiveMinimum', 'exclusiveMaximum'];

export function isBeyondExamples({ keyword }: ErrorObject): boolean {
  return BEYOND_EXAMPLES.has(keyword) || ALSO.includes(keyword);
}

/** @param isWhole whether no example was compared, so that all keywords count */
export type CompareAnswers = (known: Operation, pair: SchemaPair, isWhole: boolean) => Observed[];

/** Pointers to the schema of an answer in two documents. */
export interface SchemaPair {
  readonly was: string;
  readonly is: string;
}

export function createCompareAnswers(before: Contract, after: Contract): CompareAnswers {
  const compare = createCompare(sideOf(before.document, 'response'), sideOf(after.document, 'response'));
  return ({ operationId }, { was, is }, isWhole) => {
    const { differences } = compare([was], [is], isWhole ? {} : { only: BEYOND_EXAMPLES });
    return differences
      .filter(({ gained }) => gained !== NO)
      .map(({ at: pointer, gained, expected, actual, source }) => ({
        rule: gained === MAYBE ? answerChanged : answerWidened,
        observation: { operationId, pointer, expected, actual, source: source || was, exchanges: [] },
      }));
  };
}
