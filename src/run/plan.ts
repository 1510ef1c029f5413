import type { Operation } from '../contract/contract.ts';
import type { CallRequest } from '../model/call.ts';
import type { CheckKind } from '../model/report.ts';
import { createRedactor } from '../redact/redact.ts';
import type { AnnouncedCall, AnnouncedCheck } from './announce.ts';
import { removalOf } from './clean-up.ts';
import { discover } from './discovery/discover.ts';
import type { VerifyOptions } from './options.ts';
import { destinationOf } from './request.ts';
import { openSession, type Session } from './session.ts';
import { type Hold, openSuite, type Suite } from './suite.ts';
import { openTarget } from './target.ts';

/** A call that a run would make. `target` is the path as it would be sent. */
export interface PlanRow extends Omit<AnnouncedCall, 'auth' | 'headers' | 'body' | 'parameters'> {
  /** What the call authenticates with. Documented schemes without a token are like `basic` or `apiKey and bearer`. */
  readonly auth: string;
  readonly checkId: string;
  readonly kind: CheckKind;
}

/** Every call that `verify` would make with the same options. Sends nothing to the target or the embedded mock. */
export async function plan(options: VerifyOptions = {}): Promise<PlanRow[]> {
  await using target = await openTarget({ ...options, addBasePath: true });
  await using closed = await openSession({ ...target, credentials: null }, options);
  const session = await discover({ ...closed, target, nothing: null }, { sends: false });
  const suite = openSuite(session);
  const rows = await planRows(suite, session);
  tellTarget(session, rows);
  return rows;
}

/** Emits the target event with the number of planned writes. Returns a function that rejects all other writes. */
export async function announceRun(session: Session, suite: Suite): Promise<Hold> {
  const { target, policy } = session;
  const mayWrite =
    !target.embedded &&
    target.contract.operations.some(
      (operation) => operation.path !== null && operation.effect !== 'read' && policy.refusalOf(operation) === null,
    );
  const rows = mayWrite ? await planRows(suite, session) : [];
  tellTarget(session, rows);
  return mayWrite ? onlyPlanned(rows) : undefined;
}

function tellTarget({ target, policy, options, sentTo }: Session, rows: readonly PlanRow[]): void {
  const allow = target.embedded ? 'destructive' : policy.settings.allow;
  const lowered = target.contract.operations.filter((one) => one.lowered).map(({ operationId }) => operationId);
  const writes = rows.reduce((sum, { effect, times }) => (effect === 'read' ? sum : sum + times), 0);
  const writing = target.embedded ? null : writes;
  options.onEvent?.({ kind: 'target', target: target.kind, baseUrl: target.baseUrl, allow, lowered, writing, sentTo });
}

/** Rejects writes of contract files that are not in the plan, or exceed the planned number. */
function onlyPlanned(rows: readonly PlanRow[]): NonNullable<Hold> {
  const left = new Map<string, number>();
  for (const row of rows) left.set(keyOf(row), (left.get(keyOf(row)) ?? 0) + row.times);
  return (call, path) => {
    if (call.effect === 'read') return null;
    const key = keyOf({ ...call, path });
    const count = left.get(key) ?? 0;
    left.set(key, count - 1);
    return count > 0 ? null : 'the plan of the run does not have this write; --plan prints it';
  };
}

function keyOf({ checkId, method, path }: Pick<CallRequest, 'checkId' | 'method'> & Pick<PlanRow, 'path'>): string {
  return `${checkId} ${method} ${path}`;
}

/** Nothing was sent yet, so only configured parameters can contain secrets. */
const redactor = createRedactor();

/**
 * The calls of all checks that are not skipped. A token request comes first, if needed. Removals of created records
 * come last, because their ids are not known yet.
 */
async function planRows(suite: Suite, session: Session): Promise<PlanRow[]> {
  const { contract } = session.target;
  const { reads, originsOf } = session.inputs;
  const finding = reads.map((call): PlanRow => ({ ...call, checkId: 'run.discovery', kind: 'any' }));
  const listed = [...finding, ...[...suite.checks.values()].flatMap(rowsOf)].map((row) => {
    return { ...row, target: templated(row.target, row.path, originsOf(row.operationId)) };
  });
  const rows = [...listed, ...(await rehearse(suite, session))];
  const isNeeded = rows.some(({ auth }) => auth === 'token');
  const first = isNeeded ? rowsOf(suite.announce({ id: 'run.token', operationId: contract.token?.operationId })) : [];
  return [...first, ...rows, ...removals(rows, session)].map((row) => ({
    ...row,
    auth: row.auth === 'none' ? keysOf(contract.operation(row.operationId)) : row.auth,
    target: redactor.target(row.target),
  }));
}

function keysOf(operation: Operation | undefined): string {
  if (operation?.auth !== 'none' || operation.keys.length === 0) return 'none';
  return operation.keys.map((way) => way.map(({ kind }) => kind).join(' and ')).join(' or ');
}

function rowsOf({ id, kind, skip, calls }: AnnouncedCheck): PlanRow[] {
  return skip === null ? calls.map((call) => ({ ...call, checkId: id, kind })) : [];
}

/** Runs the contract's own files against a separate mock, to find the requests that they would send to the target. */
async function rehearse(suite: Suite, session: Session): Promise<PlanRow[]> {
  const { target, options, policy } = session;
  const { parameters } = target;
  const { onEvent: _, onExchange: __, redactor: ___, ...quiet } = options;
  const stageOptions: VerifyOptions = { ...quiet, target: 'mock', parameters };
  await using mock = await openTarget(stageOptions);
  await using stage = await openSession(mock, stageOptions);
  const known = new Set(Object.values(parameters));
  const created = new Set<string>();
  const rows = new Map<string, PlanRow>();
  const note = (call: CallRequest, path: string): null => {
    const checkId = call.checkId ?? '';
    const isNew = (name: string): boolean => created.has(call.parameters[name] ?? '');
    const target = templated(call.target, path, originated(Object.keys(call.parameters).filter(isNew)));
    const key = `${keyOf({ ...call, path })} ${target} ${call.purpose} ${call.auth}`;
    const kind = suite.checks.get(checkId)?.kind ?? 'any';
    rows.set(key, { ...call, checkId, kind, path, target, times: (rows.get(key)?.times ?? 0) + 1 });
    return null;
  };
  await suite.run(note, {
    ...session,
    calls: stage.calls,
    secrets: stage.secrets,
    target: { ...target, mock: mock.mock },
    policy: {
      ...policy,
      // An unconfigured id can only belong to a record that the run will create. The run itself checks that.
      refuse(departure) {
        const refusal = policy.refuse(departure);
        const id = decodeURIComponent(departure.target.split('?')[0]?.split('/').at(-1) ?? '');
        if (refusal?.kind !== 'not-expendable' || known.has(id)) return refusal;
        created.add(id);
        return null;
      },
    },
    async makeCall(request) {
      const call = await stage.makeCall(request);
      for (const { creation } of stage.policy.creations.made) if (creation.id !== null) created.add(creation.id);
      return call;
    },
  });
  return [...rows.values()];
}

function originated(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, 'created in this run']));
}

/** A path and query with placeholders for the values that are unknown before the run, and the origin of each. */
function templated(target: string, path: string, origins: Readonly<Record<string, string>>): string {
  const unknown = Object.keys(origins);
  if (unknown.length === 0) return target;
  const [sent = '', query] = target.split('?');
  const segments = sent.split('/');
  const filled = path
    .split('/')
    .map((part, index) => (unknown.some((name) => part.includes(`{${name}}`)) ? part : segments[index]))
    .join('/');
  const notes = unknown.map((name) => `{${name}}: ${origins[name]}`).join(', ');
  return `${filled}${query === undefined ? '' : `?${query.replaceAll('%7B', '{').replaceAll('%7D', '}')}`} (${notes})`;
}

/** The removals of created records, which the run makes outside any check. Their ids are not known yet. */
function removals(rows: readonly PlanRow[], { target: run, policy }: Session): PlanRow[] {
  const found = new Map<Operation, PlanRow>();
  for (const { operationId: creating, purpose, times } of rows) {
    const removal = removalOf(run.contract, run.contract.operation(creating)?.creates ?? null);
    if (purpose !== 'succeed' || removal === null || run.embedded || policy.refusalOf(removal.operation) !== null)
      continue;
    const { operation, parameter } = removal;
    const { operationId, effect, method } = operation;
    const path = operation.path ?? '';
    const { target } = destinationOf(operation, run.parameters, {
      ...run.filled(operation),
      [parameter]: 'new',
    });
    const where = templated(target ?? path, path, originated([parameter]));
    const row = { checkId: 'run.clean-up', kind: 'any', auth: 'token', purpose: 'succeed' } as const;
    const all = times + (found.get(operation)?.times ?? 0);
    found.set(operation, { ...row, operationId, effect, method: method ?? '', path, target: where, times: all });
  }
  return [...found.values()];
}
