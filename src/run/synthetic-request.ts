import { compilerOf } from '../contract/ajv.ts';
import type { Contract, Json, Operation } from '../contract/contract.ts';
import { documentFor } from '../contract/direction.ts';
import { completeExample, sampleOf, sampleThat } from '../contract/sample.ts';
import { isObject } from '../contract/schema-facts.ts';
import { jsonBodyOf } from '../judge/request-example.ts';
import { joinPointer } from '../text/pointer.ts';

const OPTIONS = { seed: 1, direction: 'request' } as const;

/** A value for each parameter that a request needs, by its name. */
export function syntheticParameters(contract: Contract): Readonly<Record<string, string>> {
  const needed = contract.operations.flatMap(({ parameters }) => parameters.filter(({ required }) => required));
  return Object.fromEntries(
    needed.map(({ name, pointer }): [string, string] => {
      const node = contract.at(pointer);
      const example = isObject(node) ? node.example : undefined;
      const schema = joinPointer(pointer, 'schema');
      const value = example ?? (contract.at(schema) === undefined ? name : sampleOf(contract, schema, OPTIONS));
      return [name, String(value ?? name)];
    }),
  );
}

/** A body that keeps the members that are known, with the required ones added. */
export function syntheticBody(contract: Contract, operation: Operation, known: Json): Json {
  const at = joinPointer(jsonBodyOf(operation)?.pointer ?? '', 'schema');
  const holds = compilerOf(documentFor(contract.document, 'request'))(at);
  if (holds(known)) return known;
  const completed = completeExample(contract, at, known, OPTIONS);
  return holds(completed) ? completed : (sampleThat(holds, contract, at, OPTIONS) ?? known);
}
