import type { Contract, Operation } from '../contract/contract.ts';
import { pathParameters } from '../contract/paths.ts';
import { STRENGTH } from '../egress/policy.ts';
import { joinPointer } from '../pointer.ts';
import { conditionChecks, type Known, limitChecks } from './field-checks.ts';
import type { CallSpec, CheckSpec } from './suite.ts';

/** Files of the suite that serve any contract, in the order in which they run; those of the contract itself come before the last. */
export const FILES = [
  'token',
  'unauthorised',
  'retry',
  'conditions',
  'deprecated',
  'operations',
  'limits',
  'removal',
] as const;

type File = (typeof FILES)[number];

/** A check that the run lists, and the file that runs it. */
export interface ListedCheck extends CheckSpec {
  readonly file: File;
}

/**
 * The checks of every operation that the contract with its overlays knows, whoever located it. Those that only read come first in
 * their file; what takes things away comes last of all, from the smallest to the largest.
 *
 * @param callable whether a good call of an operation can be made
 */
export function checksOf(contract: Contract, known: Known, callable: (operation: Operation) => boolean): ListedCheck[] {
  const ids = new Set<string>();
  const read = anyRead(contract, callable);
  const of = (file: File, make: (operation: Operation, area: string) => CheckSpec[]): ListedCheck[] =>
    contract.operations.flatMap((operation) =>
      make(operation, areaOf(contract, operation)).map((check) => {
        // The first operation in the order of the document has the short id.
        const id = ids.has(check.id) ? `${check.id}.${operation.operationId}` : check.id;
        ids.add(id);
        return { ...check, id, file };
      }),
    );
  const checks = [
    ...of('token', (operation) => tokenChecks(contract, operation)),
    ...manyCalls(read),
    ...of('unauthorised', unauthorisedChecks),
    ...of('conditions', (operation, area) => conditionChecks(contract, operation, area, known)),
    ...of('deprecated', deprecatedChecks),
    ...of('operations', answerChecks),
    ...of('limits', (operation, area) => limitChecks(contract, operation, area, known)),
  ];
  return inOrder(checks, contract);
}

function inOrder(checks: readonly ListedCheck[], contract: Contract): ListedCheck[] {
  const weighed = checks.map((check) => {
    const operations = [check, ...(check.calls ?? [])].flatMap(
      ({ operationId }) => contract.operation(operationId ?? '') ?? [],
    );
    const taking = operations.filter(({ effect, removes }) => effect === 'destructive' || removes !== null);
    const file = taking.length > 0 ? 'removal' : check.file;
    const weights =
      taking.length > 0
        ? taking.map(({ removes }) => sizeOf(removes, contract))
        : operations.map(({ effect }) => STRENGTH[effect]);
    return { check: { ...check, file }, rank: FILES.indexOf(file), weight: Math.max(0, ...weights) };
  });
  return weighed.sort((a, b) => a.rank - b.rank || a.weight - b.weight).map(({ check }) => check);
}

/** How much goes with what has an id of this name: the ids that some path names below it. */
function sizeOf(id: string | null, { operations }: Contract): number {
  if (id === null) return 0;
  const below = operations.flatMap(({ path }) => {
    const names = pathParameters(path ?? '');
    return names.includes(id) ? names.slice(names.indexOf(id) + 1) : [];
  });
  return 1 + new Set(below).size;
}

/** The tag in kebab case; `name-only` for what the document itself knows by name only. */
function areaOf(contract: Contract, { operationId, tag }: Operation): string {
  if (contract.at(joinPointer('', 'components', 'pathItems', operationId)) !== undefined) return 'name-only';
  const words = tag.toLowerCase().match(/[a-z0-9]+/g);
  return words?.join('-') ?? 'operations';
}

function tokenChecks({ token }: Contract, { operationId }: Operation): CheckSpec[] {
  if (token?.operationId !== operationId) return [];
  const form = { grant_type: token.grant };
  const other = { grant_type: 'banking_api_probe' };
  const probe = (what: string, call: CallSpec): CheckSpec => ({
    id: `token.${what}`,
    operationId,
    kind: 'probe',
    calls: [call],
  });
  return [
    { id: 'token.response', operationId, calls: [{ form }] },
    probe('wrong-password', { auth: 'wrong-client', purpose: 'refuse-credentials', form }),
    probe('wrong-grant', { purpose: 'refuse-grant', form: other }),
  ];
}

/** What is asked of tokens by one operation. On a bank's sandbox nothing can expire a token: there our own client proves nothing. */
function manyCalls(read: Operation | null): ListedCheck[] {
  const own = (what: string, times: number): ListedCheck => ({
    id: `unauthorised.${what}`,
    kind: 'mock-only',
    calls: [{ purpose: 'client', times }],
    file: 'retry',
  });
  const checks: ListedCheck[] = [
    { id: 'token.serves-many-calls', calls: [{ times: 3 }], file: 'token' },
    own('renewed-after.expired-token', 2),
    own('renewed-after.invalidated-token', 2),
    own('renewed-after.refused-token', 2),
    own('second-401-surfaces', 1),
    own('single-flight', 8),
  ];
  return checks.map((check) =>
    read === null
      ? { ...check, calls: [], skip: 'no operation reads with a token' }
      : { ...check, operationId: read.operationId },
  );
}

/** An operation to ask things of tokens with: one that this run can call, GET before others; without one, the first that it cannot. */
function anyRead({ operations }: Contract, callable: (operation: Operation) => boolean): Operation | null {
  const reads = operations.filter(
    ({ auth, effect, path, successor }) =>
      auth === 'bearer' && effect === 'read' && path !== null && successor === null,
  );
  const plainFirst = reads.sort((a, b) => Number(b.method === 'GET') - Number(a.method === 'GET'));
  return plainFirst.find(callable) ?? plainFirst[0] ?? null;
}

function unauthorisedChecks({ operationId, auth, path }: Operation): CheckSpec[] {
  if (auth !== 'bearer' || path === null) return [];
  const without = (what: string, sent: 'none' | 'garbage'): CheckSpec => ({
    id: `unauthorised.${what}.${operationId}`,
    operationId,
    calls: [{ auth: sent, purpose: 'refuse-token' }],
  });
  return [without('no-token', 'none'), without('garbage-token', 'garbage')];
}

function answerChecks({ operationId, auth, successor }: Operation, area: string): CheckSpec[] {
  return auth === 'issues' || successor !== null ? [] : [{ id: `${area}.answers.${operationId}`, operationId }];
}

/** A deprecated form still answers, in the shape of its successor; where the method changed, each is asked with that of the other. */
function deprecatedChecks({ operationId, successor, methodChange }: Operation, area: string): CheckSpec[] {
  if (successor === null) return [];
  const otherMethod = (id: string, method: string): CheckSpec => ({
    id: `${area}.other-method.${id}`,
    operationId: id,
    kind: 'probe',
    calls: [{ purpose: 'refuse-method', method, json: null }],
  });
  const pair = [{ operationId: successor }, { operationId }];
  return [
    { id: `${area}.deprecated-answers.${operationId}`, operationId },
    { id: `${area}.deprecated-shape.${operationId}`, operationId, calls: pair },
    ...(methodChange === null
      ? []
      : [otherMethod(successor, methodChange.from), otherMethod(operationId, methodChange.to)]),
  ];
}
