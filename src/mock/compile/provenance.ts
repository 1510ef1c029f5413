import type { Contract, Media, Operation, ResponseSpec } from '../../contract/contract.ts';
import { recordedAnswers, weakest } from '../../contract/provenance.ts';
import { writtenExamples } from '../../contract/written-examples.ts';
import { isObject, type Json } from '../../schema/json.ts';
import { make } from '../../schema/make.ts';
import { resolve } from '../../schema/resolve.ts';
import { PROVENANCES, type Provenance } from '../../schema/schema-document.ts';
import { describe } from '../../schema/schema-facts.ts';
import { joinPointer } from '../../text/pointer.ts';
import { isJsonMedia } from '../message/call.ts';
import type { PlannedOperation } from './plan.ts';

/**
 * The provenance of a whole body. It is documented only if it is an example of the document. A body with made-up values
 * is assumed, but observed if a recording taught its shape: recordings keep no values.
 * @param media pointer to its media type
 */
export function bodyProvenance(contract: Contract, media: string, body: Json): Provenance {
  const at = joinPointer(media, 'schema');
  const shown = provenanceShown(contract, body, isObject(contract.at(at)) ? at : null);
  const example = writtenExamples(contract, media).find(({ value }) => JSON.stringify(value) === JSON.stringify(body));
  const ofExample = example && contract.provenanceOf(example.pointer);
  // an example stands for itself where no schema describes it
  if (ofExample === 'documented') return contract.at(at) === undefined ? ofExample : shown;
  return shown === 'observed' ? shown : 'assumed';
}

/**
 * The weakest provenance among the fields of a value. A field has the provenance of its schema. A field or value
 * without a schema is assumed. The values are always made up and do not count.
 */
export function provenanceShown(contract: Contract, value: Json, schemaPointer: string | null): Provenance {
  const { pointer, node } = schemaPointer === null ? NOWHERE : resolve(contract, schemaPointer);
  if (!isObject(node)) return 'assumed';
  const own = contract.provenanceOf(pointer);
  if (typeof value !== 'object' || value === null) return own;
  const described = describe(contract, [pointer]);
  // if several schemas describe a part, the strongest counts
  const strongest = (key: string, part: Json): Provenance => {
    const { pointers } = described.child(value, key);
    const found = pointers.map((at) => weakest(contract.provenanceOf(at), provenanceShown(contract, part, at)));
    return PROVENANCES.find((provenance) => found.includes(provenance)) ?? 'assumed';
  };
  return weakest(own, ...Object.entries(value).map(([key, part]) => strongest(key, part)));
}

const NOWHERE = { pointer: '', node: undefined };

/** The 2xx responses of an operation in Prism's order: the lowest code first, a range after its codes. */
export function successesOf({ responses }: Pick<Operation, 'responses'>): readonly ResponseSpec[] {
  const found = responses.filter(({ status }) => /^2(?:\d\d|XX)$/.test(status));
  return found.toSorted((a, b) => (a.status < b.status ? -1 : 1));
}

/** A 2xx response, else `default`, else the first redirect. Undefined if the document shows only refusals. */
export function chosenResponse(operation: Pick<Operation, 'responses'>): ResponseSpec | undefined {
  const { responses } = operation;
  const stated = (form: RegExp): ResponseSpec | undefined => responses.find(({ status }) => form.test(status));
  return successesOf(operation)[0] ?? stated(/^default$/) ?? stated(/^3(?:\d\d|XX)$/);
}

export function goodJson(operation: Pick<Operation, 'responses'>): Media | undefined {
  return successesOf(operation)[0]?.content.find(({ type }) => isJsonMedia(type));
}

/** The recorded 2xx responses of an operation, by status and media type. */
export function recordedMedia(contract: Contract, operation: Operation) {
  return recordedAnswers(contract, operation).flatMap(({ status, content }) =>
    content.map((media) => ({ status, media })),
  );
}

export interface MadeAnswer {
  readonly code: number;
  readonly body: unknown;
}

export interface LabelledAnswer {
  readonly body: unknown;
  readonly provenance: Provenance;
}

/** An answer made by Prism, with its provenance. If the response was recorded, assumed fields are removed. */
export function labelled(
  contract: Contract,
  { operationId, located }: PlannedOperation,
  made: MadeAnswer,
  seed: number,
): LabelledAnswer {
  const operation = contract.operation(operationId);
  const body = operation ? withoutAssumed(contract, operation, made, seed) : made.body;
  const named = operation?.responses.find(({ status }) => status === String(made.code));
  const response = named ?? operation?.responses.find(({ status }) => status === `${String(made.code)[0]}XX`);
  if (!response) return { body, provenance: 'assumed' };
  const own = weakest(located, contract.provenanceOf(response.pointer));
  if (body === undefined) return { body, provenance: own };
  const [media] = response.content;
  return { body, provenance: media ? weakest(own, bodyProvenance(contract, media.pointer, body as Json)) : 'assumed' };
}

function withoutAssumed(contract: Contract, operation: Operation, { code, body }: MadeAnswer, seed: number): unknown {
  if (typeof body !== 'object' || body === null) return body;
  const recorded = recordedMedia(contract, operation).find(
    ({ status, media }) => status === String(code) && isJsonMedia(media.type) && media.schema !== undefined,
  );
  if (recorded === undefined) return body;
  return make(contract, joinPointer(recorded.media.pointer, 'schema'), { seed, known: true, like: body as Json });
}
