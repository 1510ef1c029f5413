import { schemaCompiler } from '../../schema/ajv.ts';
import type { Json, JsonObject } from '../../schema/json.ts';
import { type Kind, visitObjects, visitSchemas } from '../../schema/structure.ts';
import { joinPointer } from '../../text/pointer.ts';
import type { Contract } from '../contract.ts';
import { writtenExamples } from '../written-examples.ts';

export interface ExampleProblem {
  readonly rule: 'schema-odd' | 'example-invalid';
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
 * Compiles every schema of a bundled document, and validates every example and default. Spectral's own checks support
 * only older drafts. What Ajv's strict mode dislikes is odd, but legal.
 */
export function checkExamples(contract: Contract): readonly ExampleProblem[] {
  const problems: ExampleProblem[] = [];
  let place = '';
  const warn = (message: string): void => {
    const why = message.replace('strict mode: ', '').replaceAll(/ at path "[^"]*"| \(use allow\w+\)/g, '');
    // loading the contract reports these
    if (!/^unknown (?:keyword|format)/.test(why))
      problems.push({ rule: 'schema-odd', message: `The schema is odd: ${why}.`, pointer: place });
  };
  const logger = { log() {}, warn, error() {} };
  const compile = schemaCompiler(contract.document, {
    strictSchema: 'log',
    formats: unjudged(contract.document),
    logger,
  });
  const judge = (at: string, examples: readonly Example[]): void => {
    place = at;
    const check = compile(at);
    // only a call compiles a schema
    check(null);
    for (const { word, pointer, value } of examples) {
      if (check(value)) continue;
      const why = (check.errors ?? []).map(({ instancePath, message }) => `it${instancePath} ${message}`).join(', ');
      problems.push({ rule: 'example-invalid', message: `The ${word} contradicts its schema: ${why}.`, pointer });
    }
  };
  visitObjects(contract.document, (node, kind, pointer, isInSchema) => {
    const isHolder = HOLDERS.has(kind) && node.schema !== undefined;
    const examples = isHolder
      ? writtenExamples(contract, pointer).map((one): Example => ({ ...one, word: 'example' }))
      : kind === 'schema'
        ? ownExamples(node, pointer)
        : [];
    // A nested schema is compiled with its parent. On its own, it is only needed for its examples.
    if (examples.length > 0 || (kind === 'schema' && !isInSchema))
      judge(isHolder ? joinPointer(pointer, 'schema') : pointer, examples);
  });
  return problems;
}

/** Ajv's strict mode rejects unknown formats. */
function unjudged(document: JsonObject): Record<string, true> {
  const formats: Record<string, true> = {};
  visitSchemas(document, ({ format }) => {
    if (typeof format === 'string') formats[format] = true;
  });
  return formats;
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
