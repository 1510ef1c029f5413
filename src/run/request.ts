import { type CompiledSchema, compilerOf } from '../contract/ajv.ts';
import type { Contract, Json, Media, Operation, Parameter } from '../contract/contract.ts';
import { documentFor } from '../contract/direction.ts';
import { objectsAt } from '../contract/limits.ts';
import { fillPath, pathParameters } from '../contract/paths.ts';
import { completeExample, sampleThat } from '../contract/sample.ts';
import { isObject } from '../contract/schema-facts.ts';
import { writePairs, writeText } from '../contract/styles.ts';
import { bodyOf, exampleOf } from '../judge/request-example.ts';
import type { HeaderFields } from '../model/exchange.ts';
import { isJsonType, mediaType } from '../model/media.ts';
import { parseJson } from '../text/decode.ts';
import { joinPointer } from '../text/pointer.ts';

export type Values = Readonly<Record<string, string>>;

/** Where a request goes, by the parameters of its operation. */
export interface Destination {
  /** Path and query, percent-encoded; null where a value is missing or cannot stand in a path. */
  readonly target: string | null;
  readonly headers: HeaderFields;
  readonly parameters: Values;
  readonly missing: readonly string[];
}

/**
 * Fills in the parameters of a located operation: those of the path and what else it requires out of the values of the run, and
 * whatever the call itself gives.
 */
export function destinationOf(operation: Operation, values: Values, given: Values = {}): Destination {
  const path = operation.path ?? '';
  // a configuration may give thousands: none is copied that is not needed
  const valueFor = (name: string): string => {
    const from = [given, values].find((each) => Object.hasOwn(each, name));
    return from?.[name] ?? '';
  };
  const names = pathParameters(path);
  const sent = operation.parameters.filter(({ name, required }) => required || Object.hasOwn(given, name));
  const query = sent.filter((parameter) => parameter.in === 'query');
  const fields = headerParameters(sent);
  const pairsOf = (parameter: Parameter): [string, string][] =>
    writePairs(parameter.name, meantBy(parameter, valueFor(parameter.name)), parameter.style);
  const textOf = (name: string, parameter: Parameter | undefined): string => {
    const text = valueFor(name);
    return parameter === undefined || text === '' ? text : writeText(name, meantBy(parameter, text), parameter.style);
  };
  const ofPath = operation.parameters.filter((parameter) => parameter.in === 'path');
  const parameters = Object.fromEntries(
    names.map((name) => [
      name,
      textOf(
        name,
        ofPath.find((parameter) => parameter.name === name),
      ),
    ]),
  );
  const filled = fillPath(path, parameters);
  const asked = query.flatMap(pairsOf).map((pair) => pair.map(encodeURIComponent).join('='));
  // a cookie may also be a field of the configuration
  const cookies = sent.filter((parameter) => parameter.in === 'cookie' && valueFor(parameter.name) !== '');
  const cookie = cookies.flatMap(pairsOf).map((pair) => pair.join('='));
  return {
    target: filled === null || asked.length === 0 ? filled : `${filled}?${asked.join('&')}`,
    headers: [
      ...fields.map((parameter): [string, string] => [parameter.name.toLowerCase(), textOf(parameter.name, parameter)]),
      ...(cookie.length > 0 ? [['cookie', cookie.join('; ')] as const] : []),
    ],
    parameters,
    missing: [...names, ...[...query, ...fields].map(({ name }) => name)].filter((name) => valueFor(name) === ''),
  };
}

/** What the text of a value means: a list or an object is stated as JSON. */
function meantBy({ isText, style }: Parameter, text: string): Json {
  const isJson = style.name === 'json' || (!isText && /^[[{]/.test(text));
  return (isJson ? (parseJson(text) as Json | undefined) : undefined) ?? text;
}

/** What OpenAPI takes for no parameter, because other parts of the document say it. */
const NO_PARAMETERS = ['accept', 'content-type', 'authorization'];

function headerParameters(parameters: Operation['parameters']): Parameter[] {
  return parameters.filter(
    (parameter) => parameter.in === 'header' && !NO_PARAMETERS.includes(parameter.name.toLowerCase()),
  );
}

/** Of the header fields that were sent those that a repeated call has too; what authenticates it is injected anew. */
export function repeatable(operation: Operation, headers: HeaderFields): HeaderFields {
  const own = headerParameters(operation.parameters).map(({ name }) => name.toLowerCase());
  const hasCookie = operation.parameters.some((parameter) => parameter.in === 'cookie');
  const kept = ['accept', 'content-type', ...own, ...(hasCookie ? ['cookie'] : [])];
  return headers.filter(([name]) => kept.includes(name.toLowerCase()));
}

const JSON_TYPE = 'application/json';

/**
 * The body of a good request as a value: the contract's own example, else an object of the ids that its schema names and that are known.
 * Undefined if the operation has no body, or none that is JSON or has an example.
 *
 * @param known values that a request may need besides its path: what a thing is made for, in which currency
 * @param invent whether the rest that the schema requires is made up, as for our own mock only
 */
export function bodyFor(contract: Contract, operation: Operation, known: Values, invent = false): Json | undefined {
  const media = bodyOf(operation);
  if (media === undefined) return undefined;
  const example = exampleOf(contract, operation, media);
  const isJson = isJsonType(mediaType(media.type));
  if (!isJson && (media.schema === undefined || !invent)) return example ?? (invent ? 'text' : undefined);
  const named = propertiesOf(contract, joinPointer(media.pointer, 'schema'));
  const ids = Object.fromEntries(
    named.flatMap((name) => (Object.hasOwn(known, name) ? [[name, known[name] ?? '']] : [])),
  );
  const body = example ?? ids;
  return invent && media.schema !== undefined ? syntheticBody(contract, media, body) : body;
}

/** Names of the properties that the schema at a pointer gives at its top level, references followed. */
export function propertiesOf(contract: Contract, schema: string): string[] {
  return objectsAt(contract, schema).flatMap((pointer) => {
    const properties = contract.at(joinPointer(pointer, 'properties'));
    return Object.keys(isObject(properties) ? properties : {});
  });
}

/**
 * What a call accepts: what was recorded of its good answers, else JSON, and whatever there is rather than a refusal. Another type
 * than was expected is for the judge to report.
 */
export function acceptOf(contract: Contract, operation: Operation): string {
  const recorded = recordedAnswers(contract, operation).flatMap(({ content }) => content.map(({ type }) => type));
  const types = [...new Set(recorded)];
  const json = types.length === 0 ? [JSON_TYPE] : types.includes(JSON_TYPE) ? [] : [`${JSON_TYPE};q=0.9`];
  return [...types, ...json, '*/*;q=0.1'].join(', ');
}

export function recordedAnswers(contract: Contract, { responses }: Operation): Operation['responses'] {
  return responses.filter(
    ({ status, pointer }) => /^2\d\d$/.test(status) && contract.provenanceOf(pointer) === 'observed',
  );
}

const SAMPLE = { seed: 1, direction: 'request' } as const;

/** A value for each parameter that a request needs, by its name. */
export function syntheticParameters(contract: Contract): Readonly<Record<string, string>> {
  const needed = contract.operations.flatMap(({ parameters }) => parameters.filter(({ required }) => required));
  return Object.fromEntries(
    needed.map(({ name, pointer, schema, schemaAt }): [string, string] => {
      const node = contract.at(pointer);
      const example = isObject(node) ? node.example : undefined;
      const value = example ?? (schema === undefined ? name : validSample(contract, schemaAt)) ?? name;
      return [name, typeof value === 'object' ? JSON.stringify(value) : String(value)];
    }),
  );
}

/** A body that keeps the members that are known, with the required ones added. */
function syntheticBody(contract: Contract, media: Media, known: Json): Json {
  const at = joinPointer(media.pointer, 'schema');
  const holds = requestCheck(contract, at);
  if (holds(known)) return known;
  const completed = completeExample(contract, at, known, SAMPLE);
  return holds(completed) ? completed : (validSample(contract, at) ?? known);
}

function validSample(contract: Contract, at: string): Json | undefined {
  return sampleThat(requestCheck(contract, at), contract, at, SAMPLE);
}

function requestCheck(contract: Contract, at: string): CompiledSchema {
  return compilerOf(documentFor(contract.document, 'request'))(at);
}
