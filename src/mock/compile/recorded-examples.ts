import type { Contract, Json, JsonObject, Media, Operation, OverlaySource } from '../../contract/contract.ts';
import { completeExample, refutedBy, sampleOf } from '../../contract/sample.ts';
import { isObject } from '../../contract/schema-facts.ts';
import { joinPointer, parsePointer } from '../../pointer.ts';
import { isJson } from '../http/call.ts';
import { namedExamples, recordedMedia } from './provenance.ts';

/** Stands where a recording knows the type of a body and nothing more. */
const TEXT = 'Made up by the mock: of this answer only the type was recorded.';

/**
 * What a recording teaches the mock: examples in the observed shapes. They keep what fits of the assumed examples, so that each still
 * belongs to its card or user, and make up the rest from the seed; they show nothing that is merely assumed. Assumptions about fields
 * that were observed to be otherwise go. Null where no recording shows a payload.
 */
export function taughtExamples(contract: Contract, seed: number): OverlaySource | null {
  const taught = contract.operations.flatMap((operation) => taughtOf(contract, operation, seed));
  if (taught.length === 0) return null;
  const refuted = new Set(
    taught.flatMap(({ media, examples }) =>
      media.schema === undefined
        ? []
        : examples.flatMap(([, { value }]) => refutedBy(contract, joinPointer(media.pointer, 'schema'), value as Json)),
    ),
  );
  const document = {
    overlay: '1.0.0',
    'x-provenance': 'assumed',
    info: { title: 'Examples in the shapes that were recorded', version: '1' },
    actions: [
      ...[...refuted].map((pointer) => ({ target: pathOf(pointer), remove: true })),
      ...taught.map(({ operation: { path, method }, status, media, examples }) => {
        const content = { [media.type]: { examples: Object.fromEntries(examples) } };
        const update = { [method?.toLowerCase() ?? '']: { responses: { [status]: { content } } } };
        return { target: '$.paths', update: { [path ?? '']: update } };
      }),
    ],
  };
  return { file: 'generated-examples.json', text: JSON.stringify(document) };
}

interface Taught {
  readonly operation: Operation;
  readonly status: string;
  readonly media: Media;
  readonly examples: readonly (readonly [name: string, entry: JsonObject])[];
}

function taughtOf(contract: Contract, operation: Operation, seed: number): Taught[] {
  if (operation.path === null || operation.method === null) return [];
  return recordedMedia(contract, operation).flatMap(({ status, media }): Taught[] => {
    const node = contract.at(media.pointer);
    if (!isObject(node) || node.example !== undefined || node.examples !== undefined) return [];
    const examples = examplesFor(contract, operation, media, seed);
    return examples.length === 0 ? [] : [{ operation, status, media, examples }];
  });
}

function examplesFor(contract: Contract, operation: Operation, media: Media, seed: number): [string, JsonObject][] {
  if (!isJson(media.type)) return [['Generated', { value: TEXT }]];
  if (media.schema === undefined) return [];
  const schema = joinPointer(media.pointer, 'schema');
  const options = { seed, known: true };
  const kept = assumedExamples(contract, operation).map(([key, entry]): [string, JsonObject] => [
    key,
    { ...entry, value: completeExample(contract, schema, entry.value ?? null, options) },
  ]);
  return kept.length > 0 ? kept : [['Generated', { value: sampleOf(contract, schema, options) }]];
}

/** Examples of the success whose status is not shown, under their names. */
function assumedExamples(contract: Contract, operation: Operation): (readonly [name: string, entry: JsonObject])[] {
  const range = operation.responses.find(({ status }) => status.toUpperCase() === '2XX');
  const media = range?.content.find(({ type }) => isJson(type));
  if (media === undefined) return [];
  const named = namedExamples(contract, media);
  const own = contract.at(joinPointer(media.pointer, 'example'));
  return own === undefined ? named : [['Example', { value: own as Json }], ...named];
}

/** JSONPath of a node. */
function pathOf(pointer: string): string {
  const steps = (parsePointer(pointer) ?? []).map((token) => `['${token.replaceAll(/['\\]/g, '\\$&')}']`);
  return `$${steps.join('')}`;
}
