import { createMatcher } from '../../contract/paths.ts';
import type { Plan } from '../compile/plan.ts';
import type { ReceivedRequest } from '../message/call.ts';

/** Removes the path of a server from requests for its operations, unless an operation has the whole path. */
export function createBasePath({ operations, basePaths = [] }: Plan): (call: ReceivedRequest) => ReceivedRequest {
  const whole = createMatcher(operations);
  const own = Map.groupBy(
    operations.flatMap((operation) => (operation.basePaths ?? []).map((base) => ({ base, operation }))),
    ({ base }) => base,
  );
  const bases = [
    ...basePaths.map((base) => ({ base, match: whole })),
    ...[...own].map(([base, its]) => ({ base, match: createMatcher(its.map(({ operation }) => operation)) })),
  ];
  return (call) => {
    const around = bases.filter(({ base }) => call.path.startsWith(`${base}/`));
    if (around.length === 0 || whole('', call.path) !== null) return call;
    const below = (base: string): string => call.path.slice(base.length);
    const { base = '' } = around.find((one) => one.match('', below(one.base)) !== null) ?? around[0] ?? {};
    return { ...call, path: below(base) };
  };
}
