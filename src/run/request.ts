import type { Contract, Media, Operation, Parameter } from '../contract/contract.ts';
import { fillPath, pathParameters } from '../contract/paths.ts';
import { recordedAnswers } from '../contract/provenance.ts';
import { asIs, type Encode, writePairs, writeText } from '../contract/styles.ts';
import { fittingExample } from '../contract/written-examples.ts';
import { bodyOf, exampleOf } from '../judge/request-example.ts';
import type { HeaderFields } from '../model/exchange.ts';
import { isJsonType, mediaType } from '../model/media.ts';
import { compilerOf, type SchemaCompiler } from '../schema/ajv.ts';
import { documentFor } from '../schema/direction.ts';
import type { Json } from '../schema/json.ts';
import { makeBest } from '../schema/make.ts';
import { remembered } from '../schema/schema-document.ts';
import { factsOf } from '../schema/schema-facts.ts';
import { parseJson } from '../text/decode.ts';
import { joinPointer } from '../text/pointer.ts';

export type Values = Readonly<Record<string, string>>;

/**
 * Fills in the parameters of a located operation: path parameters, other required parameters, and all given ones. Given
 * values override the run's.
 */
export function destinationOf(operation: Operation, values: Values, given: Values = {}) {
  const path = operation.path ?? '';
  // a configuration may have thousands of values, so only the needed ones are copied
  const valueFor = (name: string): string => {
    const from = [given, values].find((each) => Object.hasOwn(each, name));
    return from?.[name] ?? '';
  };
  const names = pathParameters(path);
  const sent = operation.parameters.filter(({ name, required }) => required || Object.hasOwn(given, name));
  const query = sent.filter((parameter) => parameter.in === 'query');
  const fields = headerParameters(sent);
  const pairsOf = (parameter: Parameter, encode: Encode): string[] => {
    const value = meantBy(parameter, valueFor(parameter.name));
    return writePairs(parameter.name, value, parameter.style, encode).map((pair) => pair.join('='));
  };
  const textOf = (name: string, parameter: Parameter | undefined, encode = asIs): string => {
    const text = valueFor(name);
    if (parameter === undefined || text === '') return encode(text);
    return writeText(name, meantBy(parameter, text), parameter.style, encode);
  };
  const ofPath = new Map(
    operation.parameters.flatMap((parameter) => (parameter.in === 'path' ? [[parameter.name, parameter]] : [])),
  );
  const parameters = Object.fromEntries(names.map((name) => [name, textOf(name, ofPath.get(name))]));
  const filled = fillPath(path, parameters, (_, name) => textOf(name, ofPath.get(name), encodeURIComponent));
  const asked = query.flatMap((parameter) => pairsOf(parameter, encodeURIComponent));
  // a cookie may also be a field of the configuration
  const cookies = sent.filter((parameter) => parameter.in === 'cookie' && valueFor(parameter.name) !== '');
  const cookie = cookies.flatMap((parameter) => pairsOf(parameter, encodeCookie));
  return {
    /** Path and query, percent-encoded; null if a value is missing or not allowed in a path. */
    target: filled === null || asked.length === 0 ? filled : `${filled}?${asked.join('&')}`,
    headers: [
      ...fields.map((parameter): [string, string] => [parameter.name.toLowerCase(), textOf(parameter.name, parameter)]),
      ...(cookie.length > 0 ? [['cookie', cookie.join('; ')] as const] : []),
    ],
    parameters,
    missing: [...names, ...[...query, ...fields].map(({ name }) => name)].filter((name) => valueFor(name) === ''),
  };
}

/** Encodes only what a cookie cannot contain (RFC 6265, 4.1.1): not every server decodes one, and a text may be encoded. */
function encodeCookie(text: string): string {
  return text.replace(/[^!#-+\--:<-[\]-~]+/g, encodeURIComponent);
}

/** The value that a text states. Lists and objects are stated as JSON. */
function meantBy({ isText, style }: Parameter, text: string): Json {
  const isJson = style.name === 'json' || (!isText && /^[[{]/.test(text));
  return (isJson ? (parseJson(text) as Json | undefined) : undefined) ?? text;
}

/** Header parameters that OpenAPI ignores, because other parts of the document define them. */
const NO_PARAMETERS = ['accept', 'content-type', 'authorization'];

function headerParameters(parameters: Operation['parameters']): Parameter[] {
  return parameters.filter(
    (parameter) => parameter.in === 'header' && !NO_PARAMETERS.includes(parameter.name.toLowerCase()),
  );
}

/** The sent header fields that a repeated call needs. Authentication is added again. */
export function repeatable(operation: Operation, headers: HeaderFields): HeaderFields {
  const own = headerParameters(operation.parameters).map(({ name }) => name.toLowerCase());
  const hasCookie = operation.parameters.some((parameter) => parameter.in === 'cookie');
  const kept = ['accept', 'content-type', ...own, ...(hasCookie ? ['cookie'] : [])];
  return headers.filter(([name]) => kept.includes(name.toLowerCase()));
}

const JSON_TYPE = 'application/json';

/**
 * The body of a good request: the contract's own example, else an object of known ids that its schema names.
 * Undefined if the operation has no body, or a body that is not JSON and has no example.
 *
 * @param known values that a body may need, for example an account id or a currency
 * @param invent whether to make up any other required members, for our own mock only
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

/** Names of the top-level properties of the schema at a pointer. References are followed. */
export function propertiesOf(contract: Contract, schema: string): string[] {
  return [...factsOf(contract, [schema], { alternatives: 0 }).properties.keys()];
}

/**
 * The `accept` field of a call: the recorded types of good answers, or HTML if the contract states only that, else JSON.
 * Any other type is also accepted, so that the judge can report it.
 */
export function acceptOf(contract: Contract, operation: Operation): string {
  const typesOf = (answers: Operation['responses']): string[] => [
    ...new Set(answers.flatMap(({ content }) => content.map(({ type }) => type))),
  ];
  const recorded = typesOf(recordedAnswers(contract, operation));
  const stated = typesOf(operation.responses.filter(({ status }) => /^2/.test(status)));
  const types = recorded.length > 0 ? recorded : stated.every((type) => mediaType(type) === 'text/html') ? stated : [];
  const json = types.length === 0 ? [JSON_TYPE] : types.includes(JSON_TYPE) ? [] : [`${JSON_TYPE};q=0.9`];
  return [...types, ...json, '*/*;q=0.1'].join(', ');
}

/** A value for each required parameter of an operation, by its name. */
export const inventedParameters = remembered((contract: Contract, operationId): Values => {
  const needed = contract.operation(operationId)?.parameters.filter(({ required }) => required);
  return Object.fromEntries(
    (needed ?? []).map(({ name, pointer, schema, schemaAt }): [string, string] => {
      const example = fittingExample(contract, pointer, requestChecks(contract));
      const value = example ?? (schema === undefined ? name : requestValue(contract, schemaAt));
      return [name, typeof value === 'object' ? JSON.stringify(value) : String(value)];
    }),
  );
});

/** A body with the known members and all required ones. */
function syntheticBody(contract: Contract, media: Media, known: Json): Json {
  const at = joinPointer(media.pointer, 'schema');
  return requestChecks(contract)(at)(known) ? known : requestValue(contract, at, known);
}

function requestValue(contract: Contract, at: string, like?: Json): Json {
  return makeBest(contract, at, { seed: 1, direction: 'request', judge: requestChecks(contract)(at), like }).value;
}

function requestChecks({ document }: Contract): SchemaCompiler {
  return compilerOf(documentFor(document, 'request'));
}
