import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js';
import { joinPointer, pointerOfReference } from '../../text/pointer.ts';
import { documentAjv } from '../ajv.ts';
import type { Contract, Json, JsonObject, Schema } from '../contract.ts';
import { isObject, selfContained } from '../schema-facts.ts';
import { type Kind, kindOfChild } from '../structure.ts';

export interface ExampleProblem {
  readonly rule: 'schema-invalid' | 'example-invalid';
  readonly message: string;
  readonly pointer: string;
}

interface Example {
  readonly word: 'example' | 'default';
  readonly pointer: string;
  readonly value: Json;
}

interface Placed {
  readonly schema: Json;
  readonly pointer: string;
  readonly examples: readonly Example[];
}

const HOLDERS: ReadonlySet<Kind> = new Set(['media', 'parameter', 'header']);

/**
 * Compiles every schema of a bundled document with a strict Ajv 2020 and holds every `example`, `examples` and `default` to its
 * schema. Spectral's own checks know the keywords of older drafts only, and Prism accepts every body where a schema does not compile.
 */
export function checkExamples(contract: Contract): readonly ExampleProblem[] {
  const { document } = contract;
  const problems: ExampleProblem[] = [];
  const ajv = documentAjv(document);
  const compiled = new Map<string, ValidateFunction | null>();
  for (const placed of schemasOf(contract, document, 'document', '')) {
    const known = compiled.get(placed.pointer);
    const validate = known === undefined ? compile(ajv, document, placed, problems) : known;
    compiled.set(placed.pointer, validate);
    if (!validate) continue;
    for (const { word, pointer, value } of placed.examples) {
      if (validate(value)) continue;
      const why = ajv.errorsText(validate.errors, { dataVar: 'it' });
      problems.push({ rule: 'example-invalid', message: `The ${word} contradicts its schema: ${why}.`, pointer });
    }
  }
  return problems;
}

function compile(
  ajv: Ajv2020,
  document: JsonObject,
  placed: Placed,
  problems: ExampleProblem[],
): ValidateFunction | null {
  const { schema, pointer } = placed;
  try {
    return ajv.compile(selfContained(schema as Schema, document));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    problems.push({ rule: 'schema-invalid', message: `The schema does not compile: ${reason}.`, pointer });
    return null;
  }
}

function* schemasOf(contract: Contract, node: Json, kind: Kind, pointer: string, inSchema = false): Generator<Placed> {
  if (kind === 'schema') {
    const examples = isObject(node) ? ownExamples(node, pointer) : [];
    // A schema inside another one is compiled with it, and on its own only where it has something to show.
    if (!inSchema || examples.length > 0) yield { schema: node, pointer, examples };
  }
  if (typeof node !== 'object' || node === null || kind === 'data') return;
  if (HOLDERS.has(kind) && isObject(node) && node.schema !== undefined) {
    const examples = heldExamples(contract, node, pointer);
    if (examples.length > 0) yield { schema: node.schema, pointer: joinPointer(pointer, 'schema'), examples };
  }
  for (const [key, child] of Object.entries(node)) {
    const nested = inSchema || kind === 'schema';
    yield* schemasOf(contract, child, kindOfChild(kind, key), joinPointer(pointer, key), nested);
  }
}

function ownExamples(schema: JsonObject, pointer: string): Example[] {
  const found: Example[] = [];
  for (const word of ['example', 'default'] as const) {
    const value = schema[word];
    if (value !== undefined) found.push({ word, pointer: joinPointer(pointer, word), value });
  }
  const examples = schema.examples;
  if (Array.isArray(examples)) {
    for (const [index, value] of examples.entries()) {
      found.push({ word: 'example', pointer: joinPointer(pointer, 'examples', index), value });
    }
  }
  return found;
}

function heldExamples(contract: Contract, holder: JsonObject, pointer: string): Example[] {
  const found: Example[] = [];
  if (holder.example !== undefined) {
    found.push({ word: 'example', pointer: joinPointer(pointer, 'example'), value: holder.example });
  }
  for (const [name, entry] of Object.entries(isObject(holder.examples) ? holder.examples : {})) {
    const target = isObject(entry) && typeof entry.$ref === 'string' ? pointerOfReference(entry.$ref) : undefined;
    const example = target === undefined ? entry : contract.at(target);
    if (!isObject(example) || example.value === undefined) continue;
    found.push({ word: 'example', pointer: joinPointer(pointer, 'examples', name), value: example.value });
  }
  return found;
}
