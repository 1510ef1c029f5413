import type { Contract, Operation } from '../contract/contract.ts';
import { secretNames } from '../contract/secrets.ts';
import { exampleOf, jsonBodyOf } from '../judge/request-example.ts';
import { is2xx } from '../model/exchange.ts';
import { createSecretKeys } from '../redact/keys.ts';
import type { JsonObject } from '../schema/json.ts';
import { compare } from '../text/words.ts';
import { learnBodies, type StatusLearned } from './bodies.ts';
import type { SchemaOptions } from './documented.ts';
import { OBSERVED } from './schema.ts';
import type { Sightings } from './sightings.ts';

export interface ActionOptions {
  readonly isValue?: (key: string) => boolean;
  readonly enums?: boolean;
  /** Actions of earlier recordings. */
  readonly recorded?: readonly { readonly target: string; readonly update: JsonObject }[];
}

export interface RecordedAction {
  readonly operationId: string;
  readonly target: string;
  readonly description: string;
  readonly update: JsonObject;
}

/** An operation with an assumed path is not recorded: the recording would state the path as observed. */
export function learnActions(contract: Contract, sightings: Sightings, options: ActionOptions = {}): RecordedAction[] {
  const isSecret = createSecretKeys(secretNames(contract)).isSensitive;
  const schemaOptions: SchemaOptions = {
    contract,
    isValue: options.isValue ?? (() => false),
    enums: options.enums ?? false,
    isSecret,
  };
  const older = Map.groupBy(options.recorded ?? [], ({ target }) => target);
  const recorded = new Map(
    contract.operations.map((one) => [
      one.operationId,
      (older.get(targetOf(one) ?? '') ?? []).map(({ update }) => update),
    ]),
  );
  const learned = learnBodies(sightings, recorded, schemaOptions);
  return contract.operations.flatMap((operation): RecordedAction[] => {
    const statuses = learned.get(operation.operationId);
    const target = targetOf(operation);
    if (statuses === undefined || target === null) return [];
    const responses = [...statuses]
      .sort(([a], [b]) => a - b)
      .map(([status, one]): [string, JsonObject] => [String(status), responseOf(operation, status, one, contract)]);
    const { operationId, summary } = operation;
    const description = summary === operationId ? operationId : `${summary} (${operationId})`;
    return [{ operationId, target, description, update: { responses: Object.fromEntries(responses) } }];
  });
}

export function targetOf({ path, method }: Operation): string | null {
  if (path === null || method === null) return null;
  return `$.paths['${path.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'].${method.toLowerCase()}`;
}

function responseOf(operation: Operation, status: number, learned: StatusLearned, contract: Contract): JsonObject {
  const exact = operation.responses.some((response) => response.status === String(status));
  const content = [...learned.content].sort(([a], [b]) => compare(a, b));
  return {
    // the documented parts of the status do not change
    ...(exact ? {} : { description: OBSERVED }),
    'x-samples': learned.samples,
    // without an example body, a run sends an empty request and may get an error for it
    ...(learned.askedWithBody && is2xx(status) && isOfItsOwn(operation, contract) ? { 'x-asked-with-body': true } : {}),
    ...(learned.sometimesEmpty ? { 'x-sometimes-empty': true } : {}),
    ...(content.length > 0 ? { content: Object.fromEntries(content) } : {}),
  };
}

function isOfItsOwn(operation: Operation, contract: Contract): boolean {
  if (operation.auth === 'issues') return false;
  return jsonBodyOf(operation) === undefined || exampleOf(contract, operation) !== undefined;
}
