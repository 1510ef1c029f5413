import { createMatcher } from '../../contract/paths.ts';
import type { Plan } from '../compile/plan.ts';
import type { ReceivedRequest } from '../message/call.ts';

/** Removes the path of a server from requests, unless an operation has the whole path. */
export function createBasePath({ operations, basePaths = [] }: Plan): (call: ReceivedRequest) => ReceivedRequest {
  if (basePaths.length === 0) return (call) => call;
  const match = createMatcher(operations);
  return (call) => {
    const base = basePaths.find((path) => call.path.startsWith(`${path}/`) && match('', call.path) === null);
    return base === undefined ? call : { ...call, path: call.path.slice(base.length) };
  };
}
