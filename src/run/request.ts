import type { Contract, Json, Operation } from '../contract/contract.ts';
import { objectsAt } from '../contract/limits.ts';
import { fillPath, pathParameters } from '../contract/paths.ts';
import { isObject } from '../contract/schema-facts.ts';
import { exampleOf, jsonBodyOf } from '../judge/request-example.ts';
import type { HeaderFields } from '../model/exchange.ts';
import { joinPointer } from '../text/pointer.ts';
import { syntheticBody } from './synthetic-request.ts';

/** Parameters of a run, or of one of its calls, by name. */
export type Values = Readonly<Record<string, string>>;

/** Where a request goes, by the parameters of its operation. */
export interface Destination {
  /** Path and query, percent-encoded; null where a value is missing or cannot stand in a path. */
  readonly target: string | null;
  /** Header fields that are parameters of the operation. */
  readonly headers: HeaderFields;
  /** Values of the path parameters. */
  readonly parameters: Values;
  /** Names of what is needed and not known. */
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
  const query = sent.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  const fields = headerParameters(sent);
  const parameters = Object.fromEntries(names.map((name) => [name, valueFor(name)]));
  const filled = fillPath(path, parameters);
  const asked = query.map((name) => `${encodeURIComponent(name)}=${encodeURIComponent(valueFor(name))}`);
  return {
    target: filled === null || asked.length === 0 ? filled : `${filled}?${asked.join('&')}`,
    headers: fields.map((name) => [name.toLowerCase(), valueFor(name)]),
    parameters,
    missing: [...names, ...query, ...fields].filter((name) => valueFor(name) === ''),
  };
}

/** What OpenAPI takes for no parameter, because other parts of the document say it. */
const NO_PARAMETERS = ['accept', 'content-type', 'authorization'];

function headerParameters(parameters: Operation['parameters']): string[] {
  return parameters
    .filter((parameter) => parameter.in === 'header' && !NO_PARAMETERS.includes(parameter.name.toLowerCase()))
    .map(({ name }) => name);
}

/** Of the header fields that were sent those that a repeated call has too; what authenticates it is injected anew. */
export function repeatable(operation: Operation, headers: HeaderFields): HeaderFields {
  const kept = ['accept', 'content-type', ...headerParameters(operation.parameters).map((name) => name.toLowerCase())];
  return headers.filter(([name]) => kept.includes(name.toLowerCase()));
}

const JSON_TYPE = 'application/json';

/** The type of an operation's JSON body. */
export function jsonTypeOf(operation: Operation): string {
  return jsonBodyOf(operation)?.type ?? JSON_TYPE;
}

/**
 * The JSON body of a good request: the contract's own example, else an object of the ids that its schema names and that are known.
 * Undefined where the operation has no JSON body.
 *
 * @param known values that a request may need besides its path: what a thing is made for, in which currency
 * @param invent whether the rest that the schema requires is made up, as for our own mock only
 */
export function bodyFor(contract: Contract, operation: Operation, known: Values, invent = false): Json | undefined {
  const media = jsonBodyOf(operation);
  if (media === undefined) return undefined;
  const named = propertiesOf(contract, joinPointer(media.pointer, 'schema'));
  const ids = Object.fromEntries(
    named.flatMap((name) => (Object.hasOwn(known, name) ? [[name, known[name] ?? '']] : [])),
  );
  const body = exampleOf(contract, operation) ?? ids;
  return invent && media.schema !== undefined ? syntheticBody(contract, operation, body) : body;
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

/** What was recorded of the good answers of an operation. */
export function recordedAnswers(contract: Contract, { responses }: Operation): Operation['responses'] {
  return responses.filter(
    ({ status, pointer }) => /^2\d\d$/.test(status) && contract.provenanceOf(pointer) === 'observed',
  );
}
