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
import { type Envelope, envelopeAround, listFacts, recordArray } from './lists.ts';
import { type BodyPlace, recordPlace, requestBody } from './record-place.ts';
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
      const kind = file.kinds[form.read ?? form.set ?? form.remove ?? ''];
      return isNamedBy(operation, idOf(kind)) || sentId(contract, operation, form, kind) ? [[operation, form]] : [];
    }),
  );
}

/** Whether an operation is for no single record, or its path has the id of the record. */
function isNamedBy({ path }: Operation, id: string | undefined): boolean {
  return id === undefined || path?.includes(`{${id}}`) === true;
}

/** The member of the request that names the record of `PUT /things`, whose path does not. */
function sentId(
  contract: Contract,
  operation: Operation,
  form: OperationForm,
  kind: Kind | undefined,
): string | undefined {
  const id = form.set === undefined || isNamedBy(operation, idOf(kind)) ? undefined : idInBody(kind);
  return id !== undefined && requestBody(contract, operation, [id])?.node.properties.has(id) ? id : undefined;
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
        showsKind(form, kind) ? recordsOf(contract, operation, form, file) : [],
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

function recordsOf(contract: Contract, operation: Operation, form: OperationForm, file: EntitiesFile): string[] {
  return answersOf(operation).map((schema) => recordPointer(contract, schema, form, file));
}

function answersOf(operation: Operation): string[] {
  return successesOf(operation)
    .flatMap(({ content }) => content.filter(({ type, schema }) => isJsonMedia(type) && schema !== undefined))
    .map(({ pointer }) => joinPointer(pointer, 'schema'));
}

function recordPointer(contract: Contract, schema: string, form: OperationForm, file: EntitiesFile): string {
  const { pointer } = resolve(contract, schema);
  // if the list has no items, the pointer resolves to nothing
  if (form.list !== undefined) {
    const { items } = recordArray(contract, pointer, fieldsOf(file, form.list))?.node ?? { items: [] };
    return resolve(contract, items[0] ?? joinPointer(pointer, 'items')).pointer;
  }
  const { names, node } = placeIn(contract, schema, form, file);
  // a general envelope may also describe the member, without the record
  const richestFirst = node.pointers.toSorted((one, other) => sizeOf(contract, other) - sizeOf(contract, one));
  return names.length === 0 ? pointer : resolve(contract, richestFirst[0] ?? pointer).pointer;
}

/** The one record in an answer; the whole answer if no object in it has an id of the kind. */
function placeIn(contract: Contract, schema: string, form: OperationForm, { kinds }: EntitiesFile): BodyPlace {
  const name = kindOf(form) ?? '';
  const id = idInBody(own(kinds, name)) ?? '';
  const node = describe(contract, [schema]);
  return recordPlace(node, ({ properties }) => properties.has(id), name) ?? { names: [], node };
}

function sizeOf(contract: Contract, schema: string): number {
  return factsOf(contract, [schema]).properties.size;
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
  const inRequest = requestBody(contract, operation, fieldsOf(file, kindOf(form) ?? ''))?.names ?? [];
  const sent = requestsOf(operation).flatMap((pointer) => propertiesAt(contract, pointer, inRequest));
  const takes = sent.filter(([name, { readOnly }]) => wanted.has(name) && readOnly !== true).map(([name]) => name);
  const shown = form.by === undefined ? [] : answersOf(operation).flatMap((pointer) => propertiesAt(contract, pointer));
  const pattern = shown.find(([name]) => name === form.by)?.[1].pattern;
  const lists =
    form.list === undefined ? null : listFacts(contract, operation, fieldsOf(file, form.list), file.usualNames);
  const names = kind && namesOf(operation, form, kind, file);
  const named = sentId(contract, operation, form, kind);
  const around = kind && lists === null ? aroundRecord(contract, operation, form, file) : undefined;
  return {
    takes: [...new Set(takes)],
    ...(inRequest.length > 0 && { sentAt: inRequest.join('.') }),
    ...(named !== undefined && { sentId: named }),
    ...(form.replaces && kind && { clears: clearedBy(contract, operation, form, file, takes) }),
    ...(around && { around }),
    ...(id !== undefined && operation.method === 'PUT' && operation.path?.includes(`{${id}}`) && { isPut: true }),
    key: typeof pattern === 'string' ? pattern : null,
    lists,
    ...(names && Object.keys(names).length > 0 && { names }),
    ...(file.usualNames && membersShown(contract, operation, form, file)),
  };
}

function aroundRecord(
  contract: Contract,
  operation: Operation,
  form: OperationForm,
  file: EntitiesFile,
): Envelope | undefined {
  const [schema] = answersOf(operation);
  if (schema === undefined || form.shows !== undefined || form.answers !== undefined) return undefined;
  const { names } = placeIn(contract, schema, form, file);
  return names.length === 0 ? undefined : envelopeAround(contract, schema, names, false);
}

/** A PUT keeps ids, and what each answer needs. */
function clearedBy(
  contract: Contract,
  operation: Operation,
  form: OperationForm,
  file: EntitiesFile,
  takes: readonly string[],
): readonly string[] {
  const kind = own(file.kinds, kindOf(form) ?? '');
  const needed = recordsOf(contract, operation, form, file).flatMap((pointer) => [
    ...describe(contract, [pointer]).demanded.keys(),
  ]);
  const ids = kind ? [idOf(kind), idInBody(kind), ...referencesOf(kind).map(({ field }) => field)] : [];
  return takes.filter((name) => !ids.includes(name) && !needed.includes(name));
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
  const poorestFirst = [...new Set(schemas)].toSorted((one, other) => sizeOf(contract, one) - sizeOf(contract, other));
  return Object.assign({}, ...poorestFirst.map((pointer) => make(contract, pointer, { seed, direction: 'response' })));
}

/** The members that an inferred operation shows of a record: answers of one kind often differ. */
function membersShown(
  contract: Contract,
  operation: Operation,
  form: OperationForm,
  file: EntitiesFile,
): Pick<OperationFacts, 'members'> {
  const records = recordsOf(contract, operation, form, file);
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

/**
 * The properties of an object schema and of all its alternatives, each with its merged schema.
 * @param inside the members that lead to the object
 */
function propertiesAt(
  contract: Contract,
  schema: string,
  inside: readonly string[] = [],
): [name: string, schema: JsonObject][] {
  const { properties } = inside.reduce((node, name) => node.member(name), describe(contract, [schema]));
  return [...properties].flatMap(([name, pointers]) =>
    pointers.map((pointer): [string, JsonObject] => {
      const { parts } = factsOf(contract, [pointer], { alternatives: 0 });
      return [name, Object.assign({}, ...parts.map((part) => part.schema))];
    }),
  );
}

function own<T>(of: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return of && Object.hasOwn(of, name) ? of[name] : undefined;
}
