import type { Contract, Operation } from '../contract/contract.ts';
import { fillPath, pathParameters } from '../contract/paths.ts';
import type { HeaderFields } from '../model/exchange.ts';
import { isJsonType } from '../model/media.ts';

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
  const all = new Map(Object.entries({ ...values, ...given }));
  const names = pathParameters(path);
  const beside = operation.parameters.filter(({ name, required }) => required || Object.hasOwn(given, name));
  const query = beside.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  const fields = headerParameters(operation).filter((name) => beside.some((one) => one.name === name));
  const filled = fillPath(path, Object.fromEntries(all));
  const asked = query.map((name) => `${encodeURIComponent(name)}=${encodeURIComponent(all.get(name) ?? '')}`);
  return {
    target: filled === null || asked.length === 0 ? filled : `${filled}?${asked.join('&')}`,
    headers: fields.map((name) => [name.toLowerCase(), all.get(name) ?? '']),
    parameters: Object.fromEntries(names.map((name) => [name, all.get(name) ?? ''])),
    missing: [...names, ...query, ...fields].filter((name) => (all.get(name) ?? '') === ''),
  };
}

/** What OpenAPI takes for no parameter, because other parts of the document say it. */
const NO_PARAMETERS = ['accept', 'content-type', 'authorization'];

function headerParameters({ parameters }: Operation): string[] {
  return parameters
    .filter(({ name, in: place }) => place === 'header' && !NO_PARAMETERS.includes(name.toLowerCase()))
    .map(({ name }) => name);
}

/** Of the header fields that were sent those that a repeated call has too; what authenticates it is injected anew. */
export function repeatable(operation: Operation, headers: HeaderFields): HeaderFields {
  const kept = ['accept', 'content-type', ...headerParameters(operation).map((name) => name.toLowerCase())];
  return headers.filter(([name]) => kept.includes(name.toLowerCase()));
}

const JSON_TYPE = 'application/json';

/** The type of an operation's JSON body. */
export function jsonTypeOf({ requestBody }: Operation): string {
  return requestBody?.content.find(({ type }) => isJsonType(type))?.type ?? JSON_TYPE;
}

/**
 * What a call accepts: what was recorded of its good answers, else JSON, and whatever there is rather than a refusal: another type
 * than was expected is for the judge to tell.
 */
export function acceptOf(contract: Contract, { responses }: Operation): string {
  const recorded = responses
    .filter(({ status, pointer }) => /^2\d\d$/.test(status) && contract.provenanceOf(pointer) === 'observed')
    .flatMap(({ content }) => content.map(({ type }) => type));
  const types = [...new Set(recorded)];
  const json = types.length === 0 ? [JSON_TYPE] : types.includes(JSON_TYPE) ? [] : [`${JSON_TYPE};q=0.9`];
  return [...types, ...json, '*/*;q=0.1'].join(', ');
}
