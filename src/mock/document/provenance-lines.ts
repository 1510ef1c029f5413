import type { Contract, Media, Operation } from '../../contract/contract.ts';
import type { Json, JsonObject } from '../../schema/json.ts';
import { PROVENANCES, type Provenance } from '../../schema/schema-document.ts';
import { factsOf } from '../../schema/schema-facts.ts';
import { joinPointer } from '../../text/pointer.ts';

const WORDS: Readonly<Record<Provenance, string>> = {
  documented: 'documented',
  observed: 'observed in a recording',
  assumed: 'assumed by the mock',
};

/** Provenance of a single part, as one line for its description. */
export function provenanceLine(provenance: Provenance, node: JsonObject): string {
  const section = provenance === 'documented' ? sectionOf(node) : '';
  return `Provenance: ${WORDS[provenance]}${section}.`;
}

/** Provenance of an operation's parts, which may differ, as one line. */
export function operationLine(contract: Contract, operation: Operation, node: JsonObject): string {
  const { requestBody, responses } = operation;
  const name = contract.provenanceOf(joinPointer(operation.pointer, 'summary'));
  const located = operation.located ?? 'assumed';
  const good = responses.filter(({ status }) => status.startsWith('2'));
  const parts = [
    ...(name === located ? [] : [`the operation is ${WORDS[name]}${sectionOf(node)}`]),
    `method and path are ${WORDS[located]}${name === located && located === 'documented' ? sectionOf(node) : ''}`,
    ...bodyProvenance(contract, 'request body', requestBody?.content ?? []),
    ...bodyProvenance(
      contract,
      'answer',
      good.flatMap(({ content }) => content),
    ),
  ];
  return `Provenance: ${parts.join('; ')}.`;
}

export function withLine(description: Json | undefined, line: string): string {
  return typeof description === 'string' && description.trim() !== '' ? `${description.trimEnd()}\n\n${line}` : line;
}

/** Provenance of a body: first its schema, then any fields with a different provenance. */
function bodyProvenance(contract: Contract, what: string, media: readonly Media[]): string[] {
  const [first] = media;
  if (first === undefined) return [];
  const pointers = media.flatMap(({ schema, pointer }) =>
    schema === undefined ? [] : [joinPointer(pointer, 'schema')],
  );
  const [own = contract.provenanceOf(first.pointer)] = pointers.map((pointer) => contract.provenanceOf(pointer));
  const found = new Set(pointers.flatMap((pointer) => fieldsAt(contract, pointer)));
  const others = PROVENANCES.filter((provenance) => provenance !== own && found.has(provenance));
  return [[`the ${what} is ${WORDS[own]}`, ...others.map((other) => `in part ${WORDS[other]}`)].join(', ')];
}

function fieldsAt(contract: Contract, schema: string): Provenance[] {
  return fieldPointers(contract, schema).map(([, pointer]) => contract.provenanceOf(pointer));
}

/** The fields of an object schema and of a list's items, each with the pointer of its schema. */
export function fieldPointers(contract: Contract, schema: string): [name: string, pointer: string][] {
  const node = factsOf(contract, [schema], { alternatives: 0 });
  return [...node.properties, ...node.at(node.items).properties].flatMap(([name, pointers]) =>
    pointers.map((pointer): [string, string] => [name, pointer]),
  );
}

/** Section of the reference, and the release that added the part. */
function sectionOf(node: JsonObject): string {
  const reference = node['x-reference'];
  const lines = [
    Array.isArray(reference) ? reference.join('; ') : reference,
    typeof node['x-since'] === 'string' ? `since ${node['x-since']}` : undefined,
  ].filter((word) => typeof word === 'string' && word !== '');
  return lines.length === 0 ? '' : ` (${lines.join('; ')})`;
}
