import type { Operation } from '../contract/contract.ts';
import { ToolError } from '../errors.ts';
import { isInside } from '../files/containment.ts';
import type { CallRequest } from '../model/call.ts';
import type { Reason } from '../model/reason.ts';
import { isObject } from '../schema/json.ts';
import { type AnnouncedCheck, createAnnouncer, type PlannedCheck } from './announce.ts';
import { checksOf } from './checks.ts';
import { documentedSchemas } from './documented-schemas.ts';
import { runSuite, type TestEnd } from './engine.ts';
import { bodyMaxima, bodyValues, type KnownRecords } from './field-checks.ts';
import type { CheckOptions, SuiteInput } from './protocol.ts';
import { bodyFor } from './request.ts';
import { encoded, rowOf } from './rows.ts';
import type { Session } from './session.ts';
import { withSkip } from './skips.ts';
import { startWayOut, type WayOutOptions } from './way-out.ts';

export interface SuiteResult extends Omit<TestEnd, 'id'> {
  readonly check: AnnouncedCheck;
  /** Why requests of the check were not sent; null if all were. */
  readonly held: Reason | null;
  readonly mistakes: readonly string[];
  /** From the user's own folder of checks, not from the contract. */
  readonly isOwn: boolean;
  /** The suite ended before the check did. */
  readonly unended: boolean;
}

export type Hold = WayOutOptions['hold'];

export type Suite = ReturnType<typeof openSuite>;

export function openSuite(session: Session) {
  const { target, options, signal } = session;
  const { contract, parameters, roles } = target;
  const { folder } = contract;
  const isOwnFile = (file: string): boolean => options.checks !== undefined && isInside(options.checks, file);
  const known: KnownRecords = { ...target, facts: options.facts ?? {}, repeatReads: options.repeatReads ?? 2 };
  const values = bodyValues(parameters, known);
  const announceAll = createAnnouncer(session, values);
  const announce = (check: PlannedCheck): AnnouncedCheck => withSkip(announceAll(check), session);
  const isCallable = ({ operationId }: Operation): boolean => announce({ id: '', operationId }).skip === null;
  const listed = checksOf(known, isCallable, session.isOpaque).map(announce);
  const checks = new Map(listed.map((check) => [check.id, check]));
  session.reads.push(...readsOf(listed));

  function add(id: string, { operationId, skip }: CheckOptions): AnnouncedCheck {
    const check = announce({ id, operationId, calls: [], skip: skip == null ? null : { kind: 'stated', text: skip } });
    checks.set(id, check);
    return check;
  }

  async function open(hold?: Hold, stage?: Session) {
    const wayOut = await startWayOut({ session: stage ?? session, add, hold });
    const input: SuiteInput = {
      wayOut: wayOut.url,
      key: wayOut.key,
      rows: listed.map((check) => rowOf(check, wayOut.open(check))),
      rehearsal: stage !== undefined,
      parameters: encoded(parameters),
      operations: contract.operations.map((operation) => {
        const { operationId, method, path, effect, auth } = operation;
        const body = bodyFor(contract, operation, values, session.target.embedded);
        const maxima = bodyMaxima(operation, contract);
        return { operationId, method, path, effect, auth, maxima, ...(isObject(body) && { body }) };
      }),
      schemas: documentedSchemas(contract),
      facts: known.facts,
      roles,
    };
    return { wayOut, input };
  }

  return {
    announce,
    /** Checks that the engine lists, then checks of contract files as they begin. */
    checks: checks as ReadonlyMap<string, AnnouncedCheck>,
    /** Opens the way out, and returns it with the suite's input. */
    open: (hold?: Hold) => open(hold),
    /**
     * Runs all checks. Returns their results in the order in which they ended, followed by checks that did not run.
     *
     * @param stage replaces the session in a rehearsal, which runs only the contract's own files
     */
    async run(hold: Hold, stage?: Session): Promise<SuiteResult[]> {
      const ended = new Map<string, TestEnd>();
      const files = new Map<string, string>();
      const { input, wayOut: opened } = await open(hold, stage);
      await using wayOut = opened;
      const isWhole = await runSuite({
        input,
        folder,
        checks: options.checks,
        // code in the package can lack only what an overlay took away
        blamed:
          folder.confined || options.checks !== undefined
            ? 'config'
            : (options.overlays ?? []).length > 0
              ? 'overlay-invalid'
              : 'fault',
        signal,
        seconds: Math.max(0, session.endsAt - performance.now()) / 1000,
        onFile(file, ids) {
          for (const id of ids) {
            const other = files.get(id) ?? (isOwnFile(file) && input.rows.some((row) => row.id === id) ? ENGINE : null);
            if (other !== null) {
              const where = [...new Set([other, file])].join(' and ');
              throw new ToolError('config', `Two checks have the id ${id}, in ${where}.`, {
                hint: 'Give one of them another title.',
              });
            }
            files.set(id, file);
          }
        },
        onEnd(end) {
          ended.set(end.id, end);
          if (stage) return;
          const { id, state } = end;
          options.onEvent?.({ kind: 'check', id, state, done: ended.size, of: Math.max(checks.size, files.size) });
        },
        kill: wayOut.kill,
      });
      // A check that controls the embedded mock needs code in a contract file. Without code, it is left out.
      const rest = [...checks.values()].filter(({ id, kind }) => !ended.has(id) && (kind !== 'mock-only' || !isWhole));
      return [...ended.keys(), ...rest.map(({ id }) => id)].map((id): SuiteResult => {
        const check = checks.get(id) ?? add(id, {});
        const own = session.calls.find(({ checkId }) => checkId === id);
        return {
          ...(ended.get(id) ?? NOT_RUN),
          ...wayOut.passageOf(id),
          check: { ...check, operationId: check.operationId ?? own?.operationId ?? null },
          isOwn: isOwnFile(files.get(id) ?? ''),
          unended: !isWhole && !ended.has(id) && check.skip === null && !signal.aborted,
        };
      });
    },
  };
}

/** Where the checks that the engine lists come from. */
const ENGINE = "the tool's own list";

const NOT_RUN: Omit<TestEnd, 'id'> = { state: 'pending', failures: [], durationMs: 0 };

function readsOf(checks: readonly AnnouncedCheck[]): CallRequest[] {
  const all = checks.flatMap(({ skip, calls }) => (skip === null ? calls : []));
  const reads = all.filter(
    ({ effect, purpose, auth }) => effect === 'read' && purpose === 'succeed' && auth === 'token',
  );
  return [...new Map(reads.map((call) => [call.operationId, { ...call, checkId: null }])).values()];
}
