import type { Contract, JsonObject, Operation, Parameter } from '../../contract/contract.ts';
import { factsOf, isObject } from '../../contract/schema-facts.ts';
import { joinPointer } from '../../text/pointer.ts';
import type { ParameterForm, PlannedParameter, Scalar, ValueForm } from './plan.ts';
import { isTelling, type TakeSchema } from './schemas.ts';

/** Header fields that OpenAPI leaves to other parts of the document. */
const LEFT_OUT: ReadonlySet<string> = new Set(['accept', 'authorization', 'content-type']);
/** What stands between the parts of a text, by style. */
const BETWEEN: Readonly<Record<string, string>> = { spaceDelimited: ' ', pipeDelimited: '|' };
const SCALARS: readonly Scalar[] = ['number', 'boolean', 'null'];

/** The parameters that a request may break: those that must be there, and those whose schema says more than that they are texts. */
export function planParameters(contract: Contract, operation: Operation, compile: TakeSchema): PlannedParameter[] {
  return operation.parameters.flatMap((parameter): PlannedParameter[] => {
    const { name, in: place, required, schema, pointer } = parameter;
    if (place === 'cookie' || (place === 'header' && LEFT_OUT.has(name.toLowerCase()))) return [];
    const telling = isTelling(schema);
    if (!telling && (place === 'path' || !required)) return [];
    const { form, at } = formOf(contract, parameter);
    // its members stand by themselves: which of them are its own is not told from a request
    if (form === null) return [];
    const validator = telling && schema !== undefined ? `${operation.operationId} ${place} ${name}` : null;
    if (validator !== null && schema !== undefined) compile({ name: validator, schema, pointer: at });
    return [
      {
        name,
        in: place,
        required: required && place !== 'path',
        basis: contract.provenanceOf(pointer),
        form,
        validator,
      },
    ];
  });
}

/** The names that a query may have: those of parameters, and of their members where these stand by themselves. */
export function queryNames(contract: Contract, { parameters }: Operation): string[] {
  return parameters.flatMap((parameter) => {
    if (parameter.in !== 'query') return [];
    const { form, members } = formOf(contract, parameter);
    const inside = form === null ? members : members.map((one) => `${parameter.name}[${one}]`);
    return [parameter.name, ...inside];
  });
}

interface Written {
  /** Null for an object whose members are parameters by themselves. */
  readonly form: ParameterForm | null;
  readonly at: string;
  readonly members: readonly string[];
}

function formOf(contract: Contract, { in: place, pointer, schema }: Parameter): Written {
  const found = contract.at(pointer);
  const node: JsonObject = isObject(found) ? found : {};
  const [type] = isObject(node.content) && node.schema === undefined ? Object.keys(node.content) : [];
  const at = type === undefined ? joinPointer(pointer, 'schema') : joinPointer(pointer, 'content', type, 'schema');
  if (type !== undefined) return { form: { kind: 'json' }, at, members: [] };
  if (schema === undefined) return { form: { kind: 'scalar', as: [] }, at, members: [] };
  const { types, properties } = factsOf(contract, [at], ALL);
  if (!types.includes('object')) return { form: fieldForm(contract, [at], betweenParts(place, node)), at, members: [] };
  const members = [...properties.keys()];
  if (place !== 'query' || node.style !== 'deepObject') return { form: null, at, members };
  const as = [...properties].map(([name, own]) => [name, scalarsAt(contract, own)] as const);
  return { form: { kind: 'members', as: Object.fromEntries(as) }, at, members };
}

export function fieldsOf(contract: Contract, pointer: string): Readonly<Record<string, ValueForm>> {
  const { properties } = factsOf(contract, [pointer], ALL);
  return Object.fromEntries([...properties].map(([name, own]) => [name, fieldForm(contract, own, null)]));
}

/** @param by what stands between the parts of a list; null where its name is repeated */
function fieldForm(contract: Contract, pointers: readonly string[], by: string | null): ValueForm {
  const { types, items } = factsOf(contract, pointers, ALL);
  return types.includes('array')
    ? { kind: 'list', by, as: scalarsAt(contract, items) }
    : { kind: 'scalar', as: scalarsAt(contract, pointers) };
}

const ALL = { alternatives: Number.POSITIVE_INFINITY };

function betweenParts(
  place: Parameter['in'],
  { style = 'form', explode = style === 'form' }: JsonObject,
): string | null {
  if (place !== 'query') return ',';
  return explode === true ? null : (BETWEEN[String(style)] ?? ',');
}

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
