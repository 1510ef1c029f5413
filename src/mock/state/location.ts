import { fillPath, pathParameters } from '../../contract/paths.ts';
import type { Plan, PlannedOperation } from '../compile/plan.ts';
import type { AcceptedRequest } from '../compile/request.ts';
import { type Answer, headerOf } from '../message/answer.ts';
import { field } from '../message/call.ts';
import type { Entities } from './entities.ts';
import type { Value } from './records.ts';

/** Replaces the documented `Location` of a creation by the path of the new record. */
export type Relocate = (made: Answer, record: Value, request: AcceptedRequest) => Answer;

/** Undefined if the operation creates no record that another operation reads. */
export function relocateFor(
  { operationId }: PlannedOperation,
  { operations: planned }: Plan,
  { operations }: Entities,
): Relocate | undefined {
  const kind = operations[operationId]?.create;
  const reader = planned.find((one) => one.method === 'GET' && operations[one.operationId]?.read === kind);
  if (kind === undefined || reader === undefined) return undefined;
  const { names = {} } = operations[reader.operationId] ?? {};
  const wanted = pathParameters(reader.path);
  return (made, record, { parameters, call }) => {
    const before = headerOf(made, 'location');
    const ids = wanted.map((name) => [name, String(record[names[name] ?? name] ?? parameters[name] ?? '')]);
    const path = fillPath(reader.path, Object.fromEntries(ids));
    // null if the path needs an id that only another request knows
    if (before === undefined || path === null) return made;
    const after = URL.canParse(before) ? `http://${field(call, 'host')}${path}` : path;
    return {
      ...made,
      headers: made.headers.map((text, at) => (made.headers[at - 1] === 'location' && at % 2 === 1 ? after : text)),
    };
  };
}
