import type { Kind } from '../../../generated/mock/entities.ts';
import type { Contract, Operation } from '../../contract/contract.ts';
import { writtenExamples } from '../../contract/written-examples.ts';
import { isObject, type Json, type JsonObject } from '../../schema/json.ts';
import { factsOf } from '../../schema/schema-facts.ts';
import { joinPointer } from '../../text/pointer.ts';
import { goodJson } from '../compile/provenance.ts';
import { recordSchemas, sampleRecord } from './compile-entities.ts';
import { type Entities, idInBody, idOf, pluralOf } from './entities.ts';
import { recordArray } from './lists.ts';

/** How many records a kind starts with if the document shows no example of one. */
const USUAL = 3;

/** The records that a mock starts with, by the key of their kind: the document's examples, else made-up records. */
export function exampleRecords(
  contract: Contract,
  { file }: Entities,
): Readonly<Record<string, readonly JsonObject[]>> {
  const schemas = recordSchemas(file, contract);
  return Object.fromEntries(
    Object.entries(file.kinds).map(([name, kind]) => {
      const its = contract.operations.filter(({ operationId }) => {
        const { read, list, create } = file.operations?.[operationId] ?? {};
        return (read ?? list ?? create) === name;
      });
      const written = distinct(
        its.flatMap((operation) => writtenRecords(contract, operation, kind)),
        kind,
      );
      const made = written.length > 0 ? written : madeRecords(contract, its, kind, schemas.get(name) ?? []);
      return [pluralOf(name, kind), made.map((record) => membersOf(record, kind))];
    }),
  );
}

function writtenRecords(contract: Contract, operation: Operation, kind: Kind): JsonObject[] {
  const media = goodJson(operation);
  if (media?.schema === undefined) return [];
  const fields = Object.keys(kind.fields);
  const { names } = recordArray(contract, joinPointer(media.pointer, 'schema'), fields) ?? {};
  const id = idInBody(kind) ?? '';
  return writtenExamples(contract, media.pointer).flatMap(({ value }) => {
    const list = (names ?? []).reduce(
      (inner: Json | undefined, one) => (isObject(inner) ? inner[one] : undefined),
      value,
    );
    const all: readonly Json[] = [value, ...(Array.isArray(list) ? (list as readonly Json[]) : [])];
    return all.flatMap((one) => (isObject(one) && one[id] !== undefined ? [one] : []));
  });
}

/** The first record of each id. */
function distinct(records: readonly JsonObject[], kind: Kind): JsonObject[] {
  const id = idInBody(kind) ?? '';
  return [...new Map(records.toReversed().map((record) => [String(record[id]), record])).values()].toReversed();
}

/** The first record has the id that the document shows for a parameter. New ids are made for the others. */
function madeRecords(
  contract: Contract,
  operations: readonly Operation[],
  kind: Kind,
  schemas: readonly string[],
): JsonObject[] {
  const id = idInBody(kind) ?? '';
  const ofParameter = operations
    .flatMap(({ parameters }) => parameters.filter((one) => one.in === 'path' && one.name === idOf(kind)))
    .flatMap(({ pointer, schemaAt }) => [
      ...writtenExamples(contract, pointer).map(({ value }) => value),
      ...statedValues(contract, [schemaAt]),
    ]);
  const ofBody = schemas.flatMap((one) => statedValues(contract, factsOf(contract, [one]).properties.get(id) ?? []));
  const [shown] = [...ofParameter, ...ofBody];
  return Array.from({ length: USUAL }, (_, index) => {
    const { [id]: _own, ...others } = sampleRecord(contract, schemas, index + 1);
    return index === 0 && shown !== undefined ? { ...others, [id]: shown } : others;
  });
}

function statedValues(contract: Contract, pointers: readonly string[]): Json[] {
  return factsOf(contract, pointers).parts.flatMap(({ schema }) => {
    const { example, examples, default: usual } = schema;
    return [example, ...(Array.isArray(examples) ? examples : []), usual].filter((value) => value !== undefined);
  });
}

/** Members that refer to other records stay out: an example's ids exist nowhere else. */
function membersOf(record: JsonObject, { id, fields }: Kind): JsonObject {
  const isOwn = (name: string): boolean => {
    const form = fields[name];
    return name in id || (form !== undefined && !(typeof form === 'object' && form?.of !== undefined));
  };
  return Object.fromEntries(Object.entries(record).filter(([name, value]) => isOwn(name) && value !== null));
}
