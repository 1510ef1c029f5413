import type { Contract, Media, Operation, OverlaySource } from '../../contract/contract.ts';
import { type WrittenExample, writtenExamples } from '../../contract/written-examples.ts';
import { isObject, type Json, type JsonObject } from '../../schema/json.ts';
import { make } from '../../schema/make.ts';
import { factsOf, pick } from '../../schema/schema-facts.ts';
import { joinPointer, parsePointer } from '../../text/pointer.ts';
import { isJsonMedia } from '../message/call.ts';
import { recordedMedia } from './provenance.ts';

const TEXT = 'Made up by the mock: of this answer only the type was recorded.';

/**
 * Builds examples in the shapes found in recordings, and removes assumptions that they refute. Fitting parts of assumed
 * examples stay, so each still belongs to its record. The rest is made up from the seed. Nothing that is only
 * assumed appears. Null if no recording shows a payload.
 */
export function recordedExamples(contract: Contract, seed: number): OverlaySource | null {
  const refuted = new Set<string>();
  const updates: JsonObject[] = [];
  for (const operation of contract.operations) {
    const { path, method } = operation;
    if (path === null || method === null) continue;
    for (const { status, media } of recordedMedia(contract, operation)) {
      const node = contract.at(media.pointer);
      if (!isObject(node) || node.example !== undefined || node.examples !== undefined) continue;
      const examples = examplesFor(contract, operation, media, seed);
      if (examples.length === 0) continue;
      const content = { [media.key]: { examples: Object.fromEntries(examples) } };
      const update = { [path]: { [method.toLowerCase()]: { responses: { [status]: { content } } } } };
      updates.push({ target: '$.paths', update });
      if (media.schema === undefined) continue;
      const schema = joinPointer(media.pointer, 'schema');
      for (const [, { value }] of examples) {
        for (const pointer of refutedBy(contract, [schema], value as Json)) refuted.add(pointer);
      }
    }
  }
  if (updates.length === 0) return null;
  const removals = [...refuted].map((pointer) => ({ target: jsonPathOf(pointer), remove: true }));
  const document = {
    overlay: '1.0.0',
    'x-provenance': 'assumed',
    info: { title: 'Examples in the shapes that were recorded', version: '1' },
    actions: [...removals, ...updates],
  };
  return { file: 'generated-examples.json', text: JSON.stringify(document) };
}

function examplesFor(contract: Contract, operation: Operation, media: Media, seed: number): [string, JsonObject][] {
  if (!isJsonMedia(media.type)) return [['Generated', { value: TEXT }]];
  if (media.schema === undefined) return [];
  const schema = joinPointer(media.pointer, 'schema');
  const options = { seed, known: true };
  const kept = assumedExamples(contract, operation).map(({ key, value, entry }): [string, JsonObject] => [
    key,
    { ...pick(entry, (word) => word === 'x-mock-when'), value: make(contract, schema, { ...options, like: value }) },
  ]);
  return kept.length > 0 ? kept : [['Generated', { value: make(contract, schema, options) }]];
}

/** The examples of the `2XX` range, which the contract uses if the exact status is unknown. */
function assumedExamples(contract: Contract, operation: Operation): readonly WrittenExample[] {
  const range = operation.responses.find(({ status }) => status.toUpperCase() === '2XX');
  const media = range?.content.find(({ type }) => isJsonMedia(type));
  return media === undefined ? [] : writtenExamples(contract, media.pointer);
}

function jsonPathOf(pointer: string): string {
  const segments = (parsePointer(pointer) ?? []).map((segment) => `['${segment.replaceAll(/['\\]/g, '\\$&')}']`);
  return `$${segments.join('')}`;
}

/** The assumed schemas that reject a part of a value. */
function* refutedBy(contract: Contract, pointers: readonly string[], value: Json): Iterable<string> {
  const facts = factsOf(contract, pointers);
  if (Array.isArray(value)) for (const item of value) yield* refutedBy(contract, facts.items, item);
  if (!isObject(value)) return;
  for (const [name, member] of Object.entries(value)) {
    const own = facts.properties.get(name) ?? [];
    for (const pointer of own) {
      const isGuess = contract.provenanceOf(pointer) === 'assumed';
      // a fitting value stays as it is
      const kept = make(contract, pointer, { seed: 0, like: member });
      if (isGuess && JSON.stringify(kept) !== JSON.stringify(member)) yield pointer;
    }
    yield* refutedBy(contract, own.length > 0 ? own : facts.others, member);
  }
}
