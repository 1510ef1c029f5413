import type { Contract, Operation, Parameter, Style } from '../../contract/contract.ts';
import { betweenMembers, betweenParts, prefixOf, styleOf } from '../../contract/styles.ts';
import { isObject } from '../../schema/json.ts';
import { factsOf } from '../../schema/schema-facts.ts';
import { joinPointer } from '../../text/pointer.ts';
import type { FieldForm, ParameterForm, PlannedParameter, Scalar, ValueForm } from './plan.ts';
import { isTelling, type TakeSchema } from './schemas.ts';

/** Header fields that OpenAPI describes elsewhere in the document. */
const LEFT_OUT: ReadonlySet<string> = new Set(['accept', 'authorization', 'content-type']);
const SCALARS: readonly Scalar[] = ['number', 'boolean', 'null'];

/** The parameters to check: required ones, and those whose schema demands more than a string. */
export function planParameters(contract: Contract, operation: Operation, compile: TakeSchema): PlannedParameter[] {
  return operation.parameters.flatMap((parameter): PlannedParameter[] => {
    const { name, in: place, required, schema, schemaAt, style, pointer } = parameter;
    if (place === 'header' && LEFT_OUT.has(name.toLowerCase())) return [];
    const telling = isTelling(schema);
    if (!telling && (place === 'path' || !required)) return [];
    const form = formOf(contract, parameter);
    // any parameter may be a member of an object without named members
    if (form.kind === 'apart' && Object.keys(form.as).length === 0) return [];
    const validator = telling && schema !== undefined ? `${operation.operationId} ${place} ${name}` : null;
    if (validator !== null && schema !== undefined) compile({ name: validator, schema, pointer: schemaAt });
    const prefix = prefixOf(name, style, form.kind === 'object');
    return [
      {
        name,
        in: place,
        required: required && place !== 'path',
        basis: contract.provenanceOf(pointer),
        form,
        ...(prefix !== '' && { prefix }),
        validator,
      },
    ];
  });
}

/** The allowed names in a query: API keys, parameters, and members that are sent as separate parameters. */
export function queryNames(contract: Contract, { parameters, keys }: Operation): string[] {
  const ofKeys = keys.flat().flatMap((key) => (key.in === 'query' ? [key.name] : []));
  const named = parameters.flatMap((parameter) => {
    if (parameter.in !== 'query') return [];
    const form = formOf(contract, parameter);
    const members = 'as' in form && !Array.isArray(form.as) ? Object.keys(form.as) : [];
    if (form.kind === 'object') return [parameter.name];
    return [parameter.name, ...members.map((one) => (form.kind === 'apart' ? one : `${parameter.name}[${one}]`))];
  });
  return [...named, ...ofKeys];
}

function formOf(contract: Contract, { name, in: place, schema, schemaAt: at, style }: Parameter): ParameterForm {
  if (style.name === 'json') return { kind: 'json' };
  if (schema === undefined) return { kind: 'scalar', as: [] };
  return formAt(contract, [at], name, style, place);
}

function formAt(
  contract: Contract,
  pointers: readonly string[],
  name: string,
  style: Style,
  place: string,
): ParameterForm {
  const { types, properties, items } = factsOf(contract, pointers, ALL);
  const hasObjects = (): boolean => [types, factsOf(contract, items, ALL).types].flat().includes('object');
  if (style.name === 'deepObject' && hasObjects()) return { kind: 'members', as: deepScalars(contract, pointers) };
  if (!types.includes('object')) return fieldForm(contract, pointers, betweenParts(name, style));
  const as = Object.fromEntries([...properties].map(([key, own]) => [key, scalarsAt(contract, own)] as const));
  const by = betweenMembers(style, place);
  return by === null ? { kind: 'apart', as } : { kind: 'object', by, isExploded: style.explode, as };
}

/** Most members of one value, because schemas that refer to themselves have no end. */
const MOST = 1000;

/** The scalars of all members, by the names that lead to them: `address][city`, or `lines][*][price`. */
function deepScalars(contract: Contract, pointers: readonly string[]): Record<string, Scalar[]> {
  const found: Record<string, Scalar[]> = {};
  const waiting: [name: string, pointers: readonly string[]][] = [['', pointers]];
  for (const [name, own] of waiting) {
    const { properties, items } = factsOf(contract, own, ALL);
    if (name !== '') found[name] = scalarsAt(contract, own);
    if (waiting.length > MOST) continue;
    for (const [key, inner] of [...properties, ...(items.length > 0 ? [['*', items] as const] : [])])
      waiting.push([name === '' ? key : `${name}][${key}`, inner]);
  }
  return found;
}

/** @param pointer to a media type */
export function formFields(contract: Contract, pointer: string): Readonly<Record<string, FieldForm>> {
  const { properties } = factsOf(contract, [joinPointer(pointer, 'schema')], ALL);
  const formOfField = (name: string, own: readonly string[]): FieldForm => {
    const encoding = contract.at(joinPointer(pointer, 'encoding', name));
    const style = styleOf(isObject(encoding) ? encoding : {}, 'query');
    const form = formAt(contract, own, name, style, 'query');
    return form.kind === 'apart' || form.kind === 'object' ? { kind: 'json' } : form;
  };
  return Object.fromEntries([...properties].map(([name, own]) => [name, formOfField(name, own)]));
}

/** @param by separator of a list's items; null if the name is repeated instead */
function fieldForm(contract: Contract, pointers: readonly string[], by: string | null): ValueForm {
  const { types, items } = factsOf(contract, pointers, ALL);
  return types.includes('array')
    ? { kind: 'list', by, as: scalarsAt(contract, items) }
    : { kind: 'scalar', as: scalarsAt(contract, pointers) };
}

const ALL = { alternatives: Number.POSITIVE_INFINITY };

function scalarsAt(contract: Contract, pointers: readonly string[]): Scalar[] {
  const named = new Set<unknown>(
    factsOf(contract, pointers, ALL).parts.flatMap(({ schema }) => [
      ...[schema.type ?? []].flat(),
      ...[schema.const, ...[schema.enum ?? []].flat()].map((value) => (value === null ? 'null' : typeof value)),
    ]),
  );
  if (named.has('integer')) named.add('number');
  return SCALARS.filter((scalar) => named.has(scalar));
}
