import type { Contract, Json, JsonObject, Operation, OverlaySource } from '../spec/contract.ts';
import { joinPointer } from '../spec/pointer.ts';
import { completeExample, sampleOf } from '../spec/sample.ts';
import { follow, isObject } from './shown.ts';
import { isJson } from './validate-body.ts';

/**
 * What a recording teaches the mock: examples in the observed shapes. They keep what fits of the assumed examples, so that each still
 * belongs to its card or user, and make up the rest from the seed. Null where no recording shows a payload.
 */
export function taughtExamples(contract: Contract, seed: number): OverlaySource | null {
  const actions = contract.operations.flatMap((operation) => actionsFor(contract, operation, seed));
  if (actions.length === 0) return null;
  const document = {
    overlay: '1.0.0',
    'x-provenance': 'assumed',
    info: { title: 'Examples in the shapes that were recorded', version: '1' },
    actions,
  };
  return { file: 'generated-examples.json', text: JSON.stringify(document) };
}

function actionsFor(contract: Contract, operation: Operation, seed: number): JsonObject[] {
  const { path, method } = operation;
  if (path === null || method === null) return [];
  return operation.responses.flatMap(({ status, content, pointer }): JsonObject[] => {
    if (!/^2\d\d$/.test(status) || contract.provenanceOf(pointer) !== 'observed') return [];
    return content.flatMap((media): JsonObject[] => {
      const node = contract.at(media.pointer);
      if (!isJson(media.type) || media.schema === undefined || !isObject(node)) return [];
      if (node.example !== undefined || node.examples !== undefined) return [];
      const schema = joinPointer(media.pointer, 'schema');
      const examples = assumedExamples(contract, operation).map(([key, entry]): [string, JsonObject] => [
        key,
        { ...entry, value: completeExample(contract, schema, entry.value ?? null, { seed }) },
      ]);
      const made: [string, JsonObject] = ['Generated', { value: sampleOf(contract, schema, { seed }) }];
      const update = { examples: Object.fromEntries(examples.length > 0 ? examples : [made]) };
      const responses = { [status]: { content: { [media.type]: update } } };
      return [{ target: '$.paths', update: { [path]: { [method.toLowerCase()]: { responses } } } }];
    });
  });
}

/** Examples of the success whose status is not shown, under their names. */
function assumedExamples(contract: Contract, operation: Operation): [key: string, entry: JsonObject][] {
  const range = operation.responses.find(({ status }) => status.toUpperCase() === '2XX');
  const media = range?.content.find(({ type }) => isJson(type));
  if (media === undefined) return [];
  const { node: list } = follow(contract, joinPointer(media.pointer, 'examples'));
  const named = (isObject(list) ? Object.keys(list) : []).flatMap((key): [string, JsonObject][] => {
    const { node } = follow(contract, joinPointer(media.pointer, 'examples', key));
    return isObject(node) && node.value !== undefined ? [[key, node]] : [];
  });
  const own = contract.at(joinPointer(media.pointer, 'example'));
  return own === undefined ? named : [['Example', { value: own as Json }], ...named];
}
