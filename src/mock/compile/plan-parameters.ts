import type { Contract, JsonObject, Operation, Parameter } from '../../contract/contract.ts';
import { factsOf, isObject } from '../../contract/schema-facts.ts';
import { joinPointer } from '../../pointer.ts';
import type { ParameterForm, PlannedParameter, Scalar } from './plan.ts';
import { type Compile, isTelling } from './schemas.ts';

/** Header fields that OpenAPI leaves to other parts of the document. */
const LEFT_OUT: ReadonlySet<string> = new Set(['accept', 'authorization', 'content-type']);
/** What stands between the parts of a text, by style. */
const BETWEEN: Readonly<Record<string, string>> = { spaceDelimited: ' ', pipeDelimited: '|' };
const SCALARS: readonly Scalar[] = ['number', 'boolean', 'null'];

/** The parameters that a request may break: those that must be there, and those whose schema says more than that they are texts. */
export function planParameters(contract: Contract, operation: Operation, compile: Compile): PlannedParameter[] {
  return operation.parameters.flatMap((parameter): PlannedParameter[] => {
    const { name, in: place, required, schema, pointer } = parameter;
    if (place === 'cookie' || (place === 'header' && LEFT_OUT.has(name.toLowerCase()))) return [];
    const telling = isTelling(schema);
    if (!telling && (place === 'path' || !required)) return [];
    const { form, at } = formOf(contract, parameter);
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
    const { form } = formOf(contract, parameter);
    return [
      parameter.name,
      ...(form.kind === 'members' ? Object.keys(form.as).map((one) => `${parameter.name}[${one}]`) : []),
    ];
  });
}

/** How a parameter is written, and where its schema stands. */
function formOf(contract: Contract, { in: place, pointer, schema }: Parameter): { form: ParameterForm; at: string } {
  const found = contract.at(pointer);
  const node: JsonObject = isObject(found) ? found : {};
  const [type] = isObject(node.content) && node.schema === undefined ? Object.keys(node.content) : [];
  if (type !== undefined) return { form: { kind: 'json' }, at: joinPointer(pointer, 'content', type, 'schema') };
  const at = joinPointer(pointer, 'schema');
  if (schema === undefined) return { form: { kind: 'scalar', as: [] }, at };
  const { types, items, properties } = factsOf(contract, [at], ALL);
  if (types.includes('array'))
    return { form: { kind: 'list', by: betweenParts(place, node), as: scalarsAt(contract, items) }, at };
  if (types.includes('object') && node.style === 'deepObject') {
    const members = [...properties].map(([name, own]) => [name, scalarsAt(contract, own)] as const);
    return { form: { kind: 'members', as: Object.fromEntries(members) }, at };
  }
  return { form: { kind: 'scalar', as: scalarsAt(contract, [at]) }, at };
}

const ALL = { alternatives: Number.POSITIVE_INFINITY };

function betweenParts(
  place: Parameter['in'],
  { style = 'form', explode = style === 'form' }: JsonObject,
): string | null {
  if (place !== 'query') return ',';
  return explode === true ? null : (BETWEEN[String(style)] ?? ',');
}

/** What the texts at some schemas may stand for: any of their alternatives counts. */
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
