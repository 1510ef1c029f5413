import { type Contract, EFFECTS, type Operation } from '../contract/contract.ts';
import { pathParameters } from '../contract/paths.ts';
import { recordedAnswers } from '../contract/provenance.ts';
import { FORGERIES } from '../model/call.ts';
import { joinPointer } from '../text/pointer.ts';
import type { CallSpec, PlannedCheck } from './announce.ts';
import { conditionChecks, type KnownRecords, limitChecks } from './field-checks.ts';

/** The checks of an operation, in the order in which they run; `area` is the operation's part of the API. */
const LISTS: readonly ((operation: Operation, area: string, known: KnownRecords) => PlannedCheck[])[] = [
  tokenChecks,
  unauthorisedChecks,
  conditionChecks,
  deprecatedChecks,
  answerChecks,
  limitChecks,
];

/**
 * The checks of every operation in the contract and its overlays. In each list, checks that only read come first.
 * Removals run last, from the smallest to the largest.
 *
 * @param callable whether a good call of an operation can be made
 * @param isOpaque whether tokens are not signed JWTs
 */
export function checksOf(
  known: KnownRecords,
  callable: (operation: Operation) => boolean,
  isOpaque = false,
): PlannedCheck[] {
  const { contract } = known;
  const ids = new Set<string>();
  const ofOperations = LISTS.map((make) =>
    contract.operations.flatMap((operation) =>
      make(operation, areaOf(contract, operation), known).map((check): PlannedCheck => {
        // The first operation in document order gets the short id.
        const id = ids.has(check.id) ? `${check.id}.${operation.operationId}` : check.id;
        ids.add(id);
        return { ...check, id };
      }),
    ),
  );
  const [ofTokens = [], ...others] = ofOperations;
  const weighed = [[...ofTokens, ...checksOfManyCalls(contract, callable, isOpaque)], ...others].flatMap((list) =>
    list.map((check) => ({ check, ...weightOf(check, contract) })).sort((a, b) => a.change - b.change),
  );
  return weighed.sort((a, b) => a.removal - b.removal).map(({ check }) => check);
}

/** How much a check removes, or how much it changes if it removes nothing. */
function weightOf(check: PlannedCheck, contract: Contract): { readonly removal: number; readonly change: number } {
  const named = [check, ...(check.calls ?? [])].map(({ operationId }) => contract.operation(operationId ?? ''));
  const operations = named.filter((operation) => operation !== undefined);
  const taking = operations.filter(({ effect, removes }) => effect === 'destructive' || removes !== null);
  const removal = Math.max(0, ...taking.map(({ removes }) => 1 + sizeOf(removes, contract)));
  return { removal, change: removal > 0 ? 0 : Math.max(0, ...operations.map(({ effect }) => EFFECTS.indexOf(effect))) };
}

/** Size of a removal: 1 plus the number of ids that paths name below this id. */
function sizeOf(id: string | null, { operations }: Contract): number {
  if (id === null) return 0;
  const below = operations.flatMap(({ path }) => {
    const names = pathParameters(path ?? '');
    return names.includes(id) ? names.slice(names.indexOf(id) + 1) : [];
  });
  return 1 + new Set(below).size;
}

/** The tag in kebab case; `name-only` if the document knows only the operation's name. */
function areaOf(contract: Contract, { operationId, tag }: Operation): string {
  if (contract.at(joinPointer('', 'components', 'pathItems', operationId)) !== undefined) return 'name-only';
  const words = tag.toLowerCase().match(/[a-z0-9]+/g);
  return words?.join('-') ?? 'operations';
}

function tokenChecks({ operationId }: Operation, _area: string, { contract: { token } }: KnownRecords): PlannedCheck[] {
  if (token?.operationId !== operationId) return [];
  const form = { grant_type: token.grant };
  const check = (what: string, call: CallSpec): PlannedCheck => {
    return { id: `token.${what}`, operationId, calls: [call] };
  };
  return [
    check('response', { form }),
    check('wrong-password', { auth: 'wrong-client', purpose: 'refuse-credentials', form }),
    check('wrong-grant', { purpose: 'refuse-grant', form: { grant_type: 'banking_api_probe' } }),
  ];
}

/** Token checks that use one operation. A sandbox cannot expire a token on demand, so those checks are for the mock. */
function checksOfManyCalls(
  contract: Contract,
  callable: (operation: Operation) => boolean,
  isOpaque: boolean,
): PlannedCheck[] {
  const read = anyRead(contract, callable);
  const check = (id: string, call: CallSpec): PlannedCheck =>
    read === null
      ? { id, calls: [call], skip: { kind: contract.token === null ? 'no-tokens' : 'no-read' } }
      : { id, operationId: read.operationId, calls: [call] };
  const own = (what: string, times: number): PlannedCheck =>
    check(`unauthorised.${what}`, { purpose: 'provoke-client', times });
  return [
    check('token.serves-many-calls', { times: 3 }),
    own('renewed-after.expired-token', 2),
    own('renewed-after.invalidated-token', 2),
    own('renewed-after.refused-token', 2),
    own('second-401-surfaces', 1),
    own('single-flight', 8),
    ...FORGERIES.map(
      (auth): PlannedCheck => ({
        skip: isOpaque ? { kind: 'opaque-token' } : null,
        ...check(`unauthorised.forged-token.${auth}`, { auth, purpose: 'refuse-token' }),
      }),
    ),
  ];
}

/** A read for token checks: one that this run can call if possible, with GET preferred. */
function anyRead({ operations }: Contract, callable: (operation: Operation) => boolean): Operation | null {
  const reads = operations.filter(
    ({ auth, effect, path, successor }) =>
      auth === 'bearer' && effect === 'read' && path !== null && successor === null,
  );
  const plainFirst = reads.sort((a, b) => Number(b.method === 'GET') - Number(a.method === 'GET'));
  return plainFirst.find(callable) ?? plainFirst[0] ?? null;
}

function unauthorisedChecks({ operationId, auth, path }: Operation): PlannedCheck[] {
  if (auth !== 'bearer' || path === null) return [];
  const without = (what: string, sent: 'none' | 'garbage'): PlannedCheck => ({
    id: `unauthorised.${what}.${operationId}`,
    operationId,
    calls: [{ auth: sent, purpose: 'refuse-token' }],
  });
  return [without('no-token', 'none'), without('garbage-token', 'garbage')];
}

/** Recorded reads are repeated, to detect a change that only every second answer shows. */
function answerChecks(
  operation: Operation,
  area: string,
  { contract, embedded, repeatReads }: KnownRecords,
): PlannedCheck[] {
  const { operationId, auth, effect, successor } = operation;
  if (auth === 'issues' || successor !== null) return [];
  const isRecorded = effect === 'read' && recordedAnswers(contract, operation).length > 0;
  const times = isRecorded && !embedded ? repeatReads : 1;
  return [{ id: `${area}.answers.${operationId}`, operationId, calls: [{ times }] }];
}

/** A deprecated form must answer like its successor. After a change of method, each must reject the wrong method. */
function deprecatedChecks({ operationId, successor, methodChange }: Operation, area: string): PlannedCheck[] {
  if (successor === null) return [];
  const otherMethod = (id: string, method: string): PlannedCheck => ({
    id: `${area}.other-method.${id}`,
    operationId: id,
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
