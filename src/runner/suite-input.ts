import { isJsonType } from '../drift/media.ts';
import type { CheckKind } from '../report/report.ts';
import type { Contract, Operation } from '../spec/contract.ts';
import { fillPath, pathParameters } from '../spec/path-template.ts';
import { joinPointer } from '../spec/pointer.ts';
import { bodyFor, propertiesOf } from './bodies.ts';
import { cardLimits } from './card-limits.ts';
import type { Policy } from './policy.ts';
import type { SuiteCard, SuiteInput, SuiteOperation } from './suite.ts';

export interface SuiteInputOptions {
  readonly contract: Contract;
  readonly policy: Policy;
  /** Values of the path parameters. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly card: SuiteCard;
  readonly gateway: { readonly url: string; readonly key: string };
  readonly plan: boolean;
  /** Why nothing at all can be called, such as missing credentials; else null. */
  readonly nothing: string | null;
  readonly roles: SuiteInput['roles'];
}

/** Puts together what the suite is told; every reason not to call an operation is decided here. */
export function suiteInput(options: SuiteInputOptions): SuiteInput {
  const { contract, policy } = options;
  const { embedded, probe } = policy.settings;
  const kinds: Record<CheckKind, string | null> = {
    any: null,
    probe: embedded || probe ? null : 'needs --probe',
    'mock-only': embedded ? null : 'runs against the embedded mock only',
  };
  return {
    gateway: options.gateway.url,
    key: options.gateway.key,
    operations: contract.operations.map((operation) => describe(operation, options)),
    kinds,
    card: options.card,
    cardLimits: cardLimits(contract),
    roles: options.roles,
    embedded,
    plan: options.plan,
    document: contract.document,
  };
}

function describe(operation: Operation, options: SuiteInputOptions): SuiteOperation {
  const { contract, parameters } = options;
  const { operationId, path, method } = operation;
  const target = path === null ? null : fillPath(path, parameters);
  const known = { ...parameters, ...(options.card.currency === undefined ? {} : { currency: options.card.currency }) };
  const body = bodyFor(contract, operation, known);
  return {
    operationId,
    summary: operation.summary,
    tag: operation.tag,
    located: operation.located,
    method,
    path,
    target,
    accept: acceptOf(contract, operation),
    ...(body === undefined ? {} : { body }),
    deprecated: operation.deprecated,
    successor: operation.successor,
    predecessor: operation.predecessor,
    auth: operation.auth,
    knownByNameOnly: contract.at(joinPointer('', 'components', 'pathItems', operationId)) !== undefined,
    requestFields: requestFields(contract, operation),
    schema: schemaOf(contract, operation),
    skip: skipReason(operation, target, options),
  };
}

const JSON_TYPE = 'application/json';

/**
 * What was recorded of its good answers, else JSON, and whatever there is rather than a refusal: another type than was expected is for
 * the judge to tell.
 */
function acceptOf(contract: Contract, { responses }: Operation): string {
  const recorded = responses
    .filter(({ status, pointer }) => /^2\d\d$/.test(status) && contract.provenanceOf(pointer) === 'observed')
    .flatMap(({ content }) => content.map(({ type }) => type));
  const types = [...new Set(recorded)];
  const json = types.length === 0 ? [JSON_TYPE] : types.includes(JSON_TYPE) ? [] : [`${JSON_TYPE};q=0.9`];
  return [...types, ...json, '*/*;q=0.1'].join(', ');
}

function requestFields(contract: Contract, operation: Operation): string[] {
  return (operation.requestBody?.content ?? []).flatMap(({ type, schema }) =>
    isJsonType(type) && schema !== undefined ? propertiesOf(contract, schema) : [],
  );
}

/** Only what is documented is asserted by the suite; the judge holds an answer to all else, by what it rests on. */
function schemaOf(contract: Contract, operation: Operation): string | null {
  const response = operation.responses.find(({ status }) => status.toUpperCase() === '2XX');
  const media = response?.content.find(({ type, schema }) => isJsonType(type) && schema !== undefined);
  if (media === undefined) return null;
  const pointer = joinPointer(media.pointer, 'schema');
  return contract.provenanceOf(pointer) === 'documented' ? pointer : null;
}

function skipReason(operation: Operation, target: string | null, options: SuiteInputOptions): string | null {
  const { policy, parameters } = options;
  const { path, method, operationId } = operation;
  if (path === null || method === null) return 'not located: the reference shows neither method nor path';
  if (options.nothing !== null) return options.nothing;
  const refusal = policy.refusalOf(operation);
  if (refusal !== null) return refusal;
  const missing = pathParameters(path).filter((name) => (parameters[name] ?? '') === '');
  if (missing.length > 0) return `missing parameter ${missing.join(', ')}`;
  if (target === null) return 'a parameter cannot stand in a path';
  return policy.refuse({ operationId, purpose: 'succeed', method, target });
}
