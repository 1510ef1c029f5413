import { type CompiledSchema, compilerOf } from '../contract/ajv.ts';
import type { Contract, Json, Media } from '../contract/contract.ts';
import { documentFor } from '../contract/direction.ts';
import { completeExample, sampleThat } from '../contract/sample.ts';
import { isObject } from '../contract/schema-facts.ts';
import { joinPointer } from '../text/pointer.ts';

const OPTIONS = { seed: 1, direction: 'request' } as const;

/** A value for each parameter that a request needs, by its name. */
export function syntheticParameters(contract: Contract): Readonly<Record<string, string>> {
  const needed = contract.operations.flatMap(({ parameters }) => parameters.filter(({ required }) => required));
  return Object.fromEntries(
    needed.map(({ name, pointer, schema, schemaAt }): [string, string] => {
      const node = contract.at(pointer);
      const example = isObject(node) ? node.example : undefined;
      const value = example ?? (schema === undefined ? name : validSample(contract, schemaAt)) ?? name;
      return [name, typeof value === 'object' ? JSON.stringify(value) : String(value)];
    }),
  );
}

/** A body that keeps the members that are known, with the required ones added. */
export function syntheticBody(contract: Contract, media: Media, known: Json): Json {
  const at = joinPointer(media.pointer, 'schema');
  const holds = requestCheck(contract, at);
  if (holds(known)) return known;
  const completed = completeExample(contract, at, known, OPTIONS);
  return holds(completed) ? completed : (validSample(contract, at) ?? known);
}

function validSample(contract: Contract, at: string): Json | undefined {
  return sampleThat(requestCheck(contract, at), contract, at, OPTIONS);
}

function requestCheck(contract: Contract, at: string): CompiledSchema {
  return compilerOf(documentFor(contract.document, 'request'))(at);
}
