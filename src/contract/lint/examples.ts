import { joinPointer, pointerOfReference } from '../../text/pointer.ts';
import { type CompiledSchema, type SchemaCompiler, schemaCompiler } from '../ajv.ts';
import type { Contract, Json, JsonObject } from '../contract.ts';
import { isObject } from '../schema-facts.ts';
import { type Kind, visitObjects } from '../structure.ts';

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

const HOLDERS: ReadonlySet<Kind> = new Set(['media', 'parameter', 'header']);

/**
 * Compiles every schema of a bundled document with a strict Ajv 2020, and validates every example and default.
 * Spectral's own checks support only older drafts, and Prism accepts every body if a schema does not compile.
 */
export function checkExamples(contract: Contract): readonly ExampleProblem[] {
  const problems: ExampleProblem[] = [];
  const compile = schemaCompiler(contract.document);
  const checks = new Map<string, CompiledSchema | null>();
  const judge = (at: string, examples: readonly Example[]): void => {
    if (!checks.has(at)) checks.set(at, checkOf(compile, at, problems));
    const check = checks.get(at);
    if (!check) return;
    for (const { word, pointer, value } of examples) {
      if (check(value)) continue;
      const why = (check.errors ?? []).map(({ instancePath, message }) => `it${instancePath} ${message}`).join(', ');
      problems.push({ rule: 'example-invalid', message: `The ${word} contradicts its schema: ${why}.`, pointer });
    }
  };
  visitObjects(contract.document, (node, kind, pointer, isInSchema) => {
    const isHolder = HOLDERS.has(kind) && node.schema !== undefined;
    const examples = isHolder
      ? heldExamples(contract, node, pointer)
      : kind === 'schema'
        ? ownExamples(node, pointer)
        : [];
    // A nested schema is compiled with its parent. On its own, it is only needed for its examples.
    if (examples.length > 0 || (kind === 'schema' && !isInSchema))
      judge(isHolder ? joinPointer(pointer, 'schema') : pointer, examples);
  });
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
