import { joinPointer, pointerOfReference } from '../../text/pointer.ts';
import { type CompiledSchema, type SchemaCompiler, schemaCompiler } from '../ajv.ts';
import type { Contract, Json, JsonObject } from '../contract.ts';
import { isObject } from '../schema-facts.ts';
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
  readonly pointer: string;
  readonly examples: readonly Example[];
}

const HOLDERS: ReadonlySet<Kind> = new Set(['media', 'parameter', 'header']);

/**
 * Compiles every schema of a bundled document with a strict Ajv 2020, and validates every example and default.
 * Spectral's own checks support only older drafts, and Prism accepts every body if a schema does not compile.
 */
export function checkExamples(contract: Contract): readonly ExampleProblem[] {
  const problems: ExampleProblem[] = [];
  const compile = schemaCompiler(contract.document);
  const checks = new Map<string, CompiledSchema | null>();
  for (const { pointer: at, examples } of schemasOf(contract, contract.document, 'document', '')) {
    if (!checks.has(at)) checks.set(at, checkOf(compile, at, problems));
    const check = checks.get(at);
    if (!check) continue;
    for (const { word, pointer, value } of examples) {
      if (check(value)) continue;
      const why = (check.errors ?? []).map(({ instancePath, message }) => `it${instancePath} ${message}`).join(', ');
      problems.push({ rule: 'example-invalid', message: `The ${word} contradicts its schema: ${why}.`, pointer });
    }
  }
  return problems;
}

function checkOf(compile: SchemaCompiler, pointer: string, problems: ExampleProblem[]): CompiledSchema | null {
  try {
    return compile(pointer);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    problems.push({ rule: 'schema-invalid', message: `The schema does not compile: ${reason}.`, pointer });
    return null;
  }
}

function* schemasOf(contract: Contract, node: Json, kind: Kind, pointer: string, inSchema = false): Generator<Placed> {
  if (kind === 'schema') {
    const examples = isObject(node) ? ownExamples(node, pointer) : [];
    // A nested schema is compiled with its parent. On its own, it is only needed for its examples.
    if (!inSchema || examples.length > 0) yield { pointer, examples };
  }
  if (typeof node !== 'object' || node === null || kind === 'data') return;
  if (HOLDERS.has(kind) && isObject(node) && node.schema !== undefined) {
    const examples = heldExamples(contract, node, pointer);
    if (examples.length > 0) yield { pointer: joinPointer(pointer, 'schema'), examples };
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
