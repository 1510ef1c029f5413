import type { Operation } from '../contract/contract.ts';
import type { CheckKind } from '../model/report.ts';
import { createRedactor } from '../redact/redact.ts';
import type { AnnouncedCall } from './announce.ts';
import { removalOf } from './clean-up.ts';
import type { VerifyOptions } from './options.ts';
import { destinationOf, type Values } from './request.ts';
import { openSession, type Session } from './session.ts';
import { openSuite, type Suite } from './suite.ts';
import { openTarget } from './target.ts';

/** One call that a run would make, `target` being the path as it would be sent. */
export interface PlanRow
  extends Pick<AnnouncedCall, 'operationId' | 'effect' | 'method' | 'path' | 'target' | 'auth' | 'purpose' | 'times'> {
  readonly checkId: string;
  readonly kind: CheckKind;
}

/** Every call that `verify` would make with the same options. Nothing is sent; an embedded mock is not asked either. */
export async function plan(options: VerifyOptions = {}): Promise<PlanRow[]> {
  await using target = await openTarget(options);
  await using closed = await openSession({ ...target, credentials: null }, options);
  const session = { ...closed, target, nothing: null };
  const suite = openSuite(session);
  await suite.listen();
  tellTarget(session, target.embedded ? null : countWrites(suite, session));
  return planRows(suite, session);
}

/** Tells what the run talks to, and how many calls that are no reads it is about to make there. */
export async function announceRun(session: Session, suite: Suite): Promise<void> {
  const { target, policy } = session;
  if (target.embedded) return tellTarget(session, null);
  // Only where the policy lets any through are all of them looked for.
  const mayWrite = target.contract.operations.some(
    (operation) => operation.path !== null && operation.effect !== 'read' && policy.refusalOf(operation) === null,
  );
  if (mayWrite) await suite.listen();
  tellTarget(session, mayWrite ? countWrites(suite, session) : 0);
}

function tellTarget({ target, policy, options }: Session, writing: number | null): void {
  const allow = target.embedded ? 'destructive' : policy.settings.allow;
  options.onEvent?.({ kind: 'target', target: target.kind, baseUrl: target.baseUrl, allow, writing });
}

function countWrites(suite: Suite, session: Session): number {
  const writes = planRows(suite, session).filter(({ effect }) => effect !== 'read');
  return writes.reduce((sum, { times }) => sum + times, 0);
}

/** Nothing was sent yet, so that a secret can only stand in a configured parameter. */
const redactor = createRedactor();

/**
 * The calls that the checks announce, those of skipped checks left out. A token is fetched as needed and stands first; last stands
 * the removal of what the run creates, whose ids nobody knows yet.
 */
function planRows({ checks }: Suite, session: Session): PlanRow[] {
  const { contract } = session.target;
  const rows = [...checks.values()]
    .filter(({ skip }) => skip === null)
    .flatMap(({ id, kind, calls }) => calls.map((call) => rowOf(id, kind, call)));
  const token = contract.operation(contract.token?.operationId ?? '');
  const isNeeded = token !== undefined && rows.some(({ auth }) => auth === 'token');
  const first = isNeeded ? [ownRow('run.token', token, 'client', session)] : [];
  return [...first, ...rows, ...removals(rows, session)];
}

function removals(rows: readonly PlanRow[], session: Session): PlanRow[] {
  const { contract } = session.target;
  const found = new Map<Operation, PlanRow>();
  for (const { operationId, purpose, times } of rows) {
    const removal = removalOf(contract, contract.operation(operationId)?.creates ?? null);
    if (purpose !== 'succeed' || removal === null || session.target.embedded) continue;
    const { operation, parameter } = removal;
    if (session.policy.refusalOf(operation) !== null) continue;
    const row = ownRow('run.clean-up', operation, 'token', session, { [parameter]: 'created-in-this-run' });
    found.set(operation, { ...row, times: times + (found.get(operation)?.times ?? 0) });
  }
  return [...found.values()];
}

/** A call that the run makes on its own account. */
function ownRow(
  checkId: string,
  operation: Operation,
  auth: AnnouncedCall['auth'],
  { target }: Session,
  values: Values = {},
): PlanRow {
  const { operationId, effect, method, path } = operation;
  const where = destinationOf(operation, { ...target.parameters, ...values }).target ?? path ?? '';
  const call = { operationId, effect, method: method ?? '', path: path ?? '', target: where, auth, times: 1 };
  return rowOf(checkId, 'any', { ...call, purpose: 'succeed' });
}

function rowOf(checkId: string, kind: CheckKind, call: Omit<PlanRow, 'checkId' | 'kind'>): PlanRow {
  const { operationId, effect, method, path, target, auth, purpose, times } = call;
  return { checkId, kind, operationId, effect, method, path, target: redactor.target(target), auth, purpose, times };
}
