import type { EntitiesFile, Kind, OperationForm } from '../../../generated/mock/entities.ts';
import { conditionalFieldsOf } from '../../contract/conditions.ts';
import type { Contract, Operation } from '../../contract/contract.ts';
import { type Maxima, maximaOf } from '../../contract/limits.ts';
import { ToolError } from '../../errors.ts';
import { isObject, type Json, type JsonObject } from '../../schema/json.ts';
import { make } from '../../schema/make.ts';
import { resolve } from '../../schema/resolve.ts';
import { satisfiesFacts, scalarFor } from '../../schema/scalars.ts';
import { describe, factsOf } from '../../schema/schema-facts.ts';
import { joinPointer } from '../../text/pointer.ts';
import { successesOf } from '../compile/provenance.ts';
import { isJsonMedia } from '../message/call.ts';
import {
  type Entities,
  idInBody,
  idOf,
  type KindFacts,
  kindOf,
  type OperationFacts,
  referencesOf,
} from './entities.ts';
import { listFacts, recordArray } from './lists.ts';
import { BY_SCHEMA } from './values.ts';

/** Compiles `mocks/entities.yaml` against a contract. Operations without a known path are skipped. */
export function compileEntities(file: EntitiesFile, contract: Contract): Entities {
  const forms = formsOf(file, contract);
  const schemas = schemasOf(file, contract, forms);
  const kinds = Object.keys(file.kinds).map((kind): [string, KindFacts] => {
    const shown = schemas.get(kind) ?? [];
    const hidden = shown
      .flatMap((pointer) => propertiesAt(contract, pointer))
      .filter(([, { writeOnly }]) => writeOnly === true);
    return [
      kind,
      {
        conditions: conditionsOf(contract, file, kind, shown),
        maxima: maximaFor(
          contract,
          [...forms].filter(([, form]) => kindOf(form) === kind).map(([operation]) => operation),
        ),
        ...(hidden.length > 0 && { hidden: [...new Set(hidden.map(([name]) => name))] }),
        ...(isNumbered(contract, idInBody(file.kinds[kind]), shown) && { isNumbered: true }),
        ...allowedIds(contract, file.kinds[kind] as Kind, shown),
        ...sampleOf(contract, file.kinds[kind] as Kind, shown),
      },
    ];
  });
  const operations = [...forms].map(([operation, form]): [string, OperationForm & OperationFacts] => [
    operation.operationId,
    { ...form, ...operationFacts(contract, operation, form, file) },
  ]);
  const tenant = contract.tenant?.name ?? null;
  // an operation may be called `constructor`
  const named = Object.assign(Object.create(null), Object.fromEntries(operations)) as Entities['operations'];
  return { file, tenant, kinds: Object.fromEntries(kinds), operations: named };
}

type Forms = ReadonlyMap<Operation, OperationForm>;

function formsOf(file: EntitiesFile, contract: Contract): Forms {
  const located = contract.operations.filter(({ path, auth }) => path !== null && auth !== 'issues');
  return new Map(
    located.flatMap((operation): [Operation, OperationForm][] => {
      const form = own(file.operations, operation.operationId) ?? statedForm(file, contract, operation);
      if (!form) return [];
      // without the record's id in its path, the operation does not identify a record
      const id = idOf(file.kinds[form.read ?? form.set ?? form.remove ?? '']);
      return id === undefined || operation.path?.includes(`{${id}}`) ? [[operation, form]] : [];
    }),
  );
}

/** Reads `x-entity`, for example `read book`. @throws ToolError `spec-invalid` for an unknown verb or kind */
function statedForm(file: EntitiesFile, contract: Contract, { pointer }: Operation): OperationForm | undefined {
  const node = contract.at(pointer);
  const stated = isObject(node) ? node['x-entity'] : undefined;
  if (stated === undefined) return undefined;
  const [verb = '', kind = ''] = String(stated).split(' ');
  if (STATED.includes(verb) && Object.hasOwn(file.kinds, kind)) return { [verb]: kind };
  throw new ToolError('spec-invalid', `There is no x-entity ${stated}.`, {
    place: contract.placeOf(joinPointer(pointer, 'x-entity')),
    hint: `It is one of ${STATED.join(', ')}, and one of ${Object.keys(file.kinds).join(', ')}.`,
  });
}

const STATED: readonly string[] = ['create', 'read', 'list', 'set', 'remove'];

export function recordSchemas(file: EntitiesFile, contract: Contract): ReadonlyMap<string, readonly string[]> {
  return schemasOf(file, contract, formsOf(file, contract));
}

function schemasOf(file: EntitiesFile, contract: Contract, forms: Forms): ReadonlyMap<string, readonly string[]> {
  return new Map(
    Object.keys(file.kinds).map((kind) => [
      kind,
      [...forms].flatMap(([operation, form]) =>
        showsKind(form, kind)
          ? answersOf(contract, operation, form.list === undefined ? null : fieldsOf(file, kind))
          : [],
      ),
    ]),
  );
}

function showsKind(form: OperationForm, kind: string): boolean {
  return kindOf(form) === kind && form.shows === undefined && form.answers === undefined;
}

export function fieldsOf({ kinds }: EntitiesFile, kind: string): readonly string[] {
  const { id = {}, fields = {} } = own(kinds, kind) ?? {};
  return [...Object.keys(id), ...Object.keys(fields)];
}

/** @param list fields of a record of the list; null if the answer is one record */
function answersOf(contract: Contract, operation: Operation, list: readonly string[] | null): string[] {
  return successesOf(operation)
    .flatMap(({ content }) => content.filter(({ type, schema }) => isJsonMedia(type) && schema !== undefined))
    .map(({ pointer }) => recordPointer(contract, joinPointer(pointer, 'schema'), list));
}

function recordPointer(contract: Contract, schema: string, list: readonly string[] | null): string {
  const { pointer } = resolve(contract, schema);
  // if the list has no items, the pointer resolves to nothing
  if (list === null) return pointer;
  const [items = joinPointer(pointer, 'items')] = recordArray(contract, pointer, list)?.node.items ?? [];
  return resolve(contract, items).pointer;
}

function conditionsOf(
  contract: Contract,
  { conditions = {} }: EntitiesFile,
  kind: string,
  schemas: readonly string[],
): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [name, { fields }] of Object.entries(conditions))
    for (const field of fields?.[kind] ?? []) found[field] = name;
  for (const { field, condition } of schemas.flatMap((pointer) => conditionalFieldsOf(contract, pointer)))
    if (Object.hasOwn(conditions, condition)) found[field] = condition;
  return found;
}

/** The maximum of a field applies to every operation that sets the field (assumed). */
function maximaFor(contract: Contract, operations: readonly Operation[]): Maxima | null {
  const all = operations.flatMap((operation) =>
    requestsOf(operation).map((pointer) => maximaOf(contract, pointer) ?? {}),
  );
  const maxima: Maxima = Object.assign({}, ...all);
  return Object.keys(maxima).length > 0 ? maxima : null;
}

function operationFacts(
  contract: Contract,
  operation: Operation,
  form: OperationForm,
  file: EntitiesFile,
): OperationFacts {
  const kind = own(file.kinds, kindOf(form) ?? '');
  const id = form.create === undefined ? undefined : idOf(kind);
  const wanted = new Set([id, ...Object.keys(kind?.fields ?? {}), ...Object.keys(form.answers ?? {}), form.by]);
  const sent = requestsOf(operation).flatMap((pointer) => propertiesAt(contract, pointer));
  const takes = sent.filter(([name, { readOnly }]) => wanted.has(name) && readOnly !== true).map(([name]) => name);
  const shown =
    form.by === undefined
      ? []
      : answersOf(contract, operation, null).flatMap((pointer) => propertiesAt(contract, pointer));
  const pattern = shown.find(([name]) => name === form.by)?.[1].pattern;
  const lists =
    form.list === undefined ? null : listFacts(contract, operation, fieldsOf(file, form.list), file.usualNames);
  const names = kind && namesOf(operation, form, kind, file);
  return {
    takes: [...new Set(takes)],
    ...(id !== undefined && operation.method === 'PUT' && operation.path?.includes(`{${id}}`) && { isPut: true }),
    key: typeof pattern === 'string' ? pattern : null,
    lists,
    ...(names && Object.keys(names).length > 0 && { names }),
    ...(file.usualNames && membersShown(contract, operation, form, file)),
  };
}

function isNumbered(contract: Contract, id: string | undefined, schemas: readonly string[]): boolean {
  const own = schemas.flatMap((pointer) => propertiesAt(contract, pointer)).filter(([name]) => name === id);
  const types = own.flatMap(([, { type }]) => type ?? []);
  return types.length > 0 && types.every((type) => type === 'integer' || type === 'number');
}

/** Ids as the schemas of the path and of the records allow them. */
function allowedIds(contract: Contract, kind: Kind, shown: readonly string[]): Pick<KindFacts, 'allowedId'> {
  const parameters = contract.operations.flatMap((operation) =>
    operation.parameters.filter((one) => one.in === 'path' && one.name === idOf(kind) && one.schema !== undefined),
  );
  const own = shown.flatMap((pointer) => factsOf(contract, [pointer]).properties.get(idInBody(kind) ?? '') ?? []);
  const facts = factsOf(contract, [...own, ...parameters.map(({ schemaAt }) => schemaAt)]);
  if (facts.words.size === 0 && facts.values === null) return {};
  const allowedId = (made: unknown, chance: number): unknown =>
    satisfiesFacts(facts, made as Json) ? made : scalarFor(facts, 'id', chance);
  return { allowedId };
}

/** Makes records by the schema that names most members. */
function sampleOf(contract: Contract, { fields }: Kind, shown: readonly string[]): Pick<KindFacts, 'sample'> {
  if (!Object.values(fields).includes(BY_SCHEMA)) return {};
  return { sample: (seed) => sampleRecord(contract, shown, seed) };
}

/** A made-up record with the members of all schemas of its answers. Of two forms of a member, the richer schema's wins. */
export function sampleRecord(contract: Contract, schemas: readonly string[], seed: number): JsonObject {
  const size = (pointer: string): number => factsOf(contract, [pointer]).properties.size;
  const poorestFirst = [...new Set(schemas)].toSorted((one, other) => size(one) - size(other));
  return Object.assign({}, ...poorestFirst.map((pointer) => make(contract, pointer, { seed, direction: 'response' })));
}

/** The members that an inferred operation shows of a record: answers of one kind often differ. */
function membersShown(
  contract: Contract,
  operation: Operation,
  form: OperationForm,
  file: EntitiesFile,
): Pick<OperationFacts, 'members'> {
  const records = answersOf(contract, operation, form.list === undefined ? null : fieldsOf(file, form.list));
  const members = records.flatMap((pointer) => [...describe(contract, [pointer]).properties.keys()]);
  return members.length === 0 ? {} : { members };
}

/** A parameter is for the parent if it has the name of the parent's id, and the record's own id is not in that path. */
function namesOf(
  { parameters }: Operation,
  form: OperationForm,
  kind: Kind,
  file: EntitiesFile,
): Record<string, string> {
  const inPath = parameters.filter((one) => one.in === 'path').map(({ name }) => name);
  const isOfRecord = form.read ?? form.set ?? form.remove;
  const taken = new Set([...Object.keys(kind.fields), ...(isOfRecord === undefined ? [] : [idOf(kind)])]);
  return Object.fromEntries(
    inPath
      .filter((name) => !taken.has(name))
      .flatMap((name) => {
        const meant = referencesOf(kind).filter(
          ({ field, of }) => idOf(file.kinds[of]) === name && !inPath.includes(field),
        );
        return meant.length === 1 && meant[0] ? [[name, meant[0].field] as const] : [];
      }),
  );
}

function requestsOf({ requestBody }: Operation): string[] {
  const described = (requestBody?.content ?? []).filter(({ schema }) => schema !== undefined);
  return described.map(({ pointer }) => joinPointer(pointer, 'schema'));
}

/** The properties of an object schema and of all its alternatives, each with its merged schema. */
function propertiesAt(contract: Contract, schema: string): [name: string, schema: JsonObject][] {
  return [...describe(contract, [schema]).properties].flatMap(([name, pointers]) =>
    pointers.map((pointer): [string, JsonObject] => {
      const { parts } = factsOf(contract, [pointer], { alternatives: 0 });
      return [name, Object.assign({}, ...parts.map((part) => part.schema))];
    }),
  );
}

function own<T>(of: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return of && Object.hasOwn(of, name) ? of[name] : undefined;
}
