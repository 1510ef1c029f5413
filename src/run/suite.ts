import { ToolError } from '../errors.ts';
import type { CallRequest } from '../model/call.ts';
import { type AnnouncedCheck, createAnnouncer, type PlannedCheck } from './announce.ts';
import { checksOf } from './checks.ts';
import { runSuite, type SuiteResult } from './engine.ts';
import { bodyValues, type KnownRecords } from './field-checks.ts';
import { startGateway } from './gateway.ts';
import type { CheckSpec, SuiteInput } from './protocol.ts';
import type { Session } from './session.ts';

/** The checks of a run. What is announced here is called by the suite, and nothing else. */
export interface Suite {
  readonly checks: ReadonlyMap<string, AnnouncedCheck>;
  /** Asks the files of the contract itself what they announce, ahead of the run: what is new then is refused. */
  listen(): Promise<void>;
  /** How each check ended, in the order in which they did. */
  run(): Promise<SuiteResult[]>;
}

export function openSuite(session: Session): Suite {
  const { target, options, signal } = session;
  const { contract, parameters, roles } = target;
  const { folder } = contract;
  const known: KnownRecords = { ...target, facts: options.facts ?? {} };
  const announce = createAnnouncer(session, bodyValues(parameters, known));
  const listed = checksOf(known, ({ operationId }) => announce({ id: '', operationId }).skip === null);
  const checks = new Map<string, AnnouncedCheck>();
  let listened = false;

  function add(check: PlannedCheck): void {
    const { id } = check;
    if (checks.has(id)) throw new ToolError('fault', `Two checks of the contract suite have the id ${id}.`);
    checks.set(id, announce(check));
  }
  for (const check of listed) add(check);
  session.reads.push(...readsOf(checks.values()));

  const addOwn = ({ skip, ...spec }: CheckSpec): void =>
    add({ ...spec, skip: skip == null ? null : { kind: 'stated', text: skip } });

  const input = (gateway: string, key: string): SuiteInput => ({
    gateway,
    key,
    checks: listed.map(({ id, file }) => ({ id, file })),
    operations: contract.operations.map(({ operationId, tag, located, effect, auth, deprecated, successor }) => {
      return { operationId, tag, located, effect, auth, deprecated, successor };
    }),
    facts: known.facts,
    roles,
  });

  return {
    checks,
    async listen() {
      await runSuite({ input: input('', ''), folder, listen: true, signal, onSpec: addOwn });
      listened = true;
    },
    async run() {
      const ended = new Map<string, SuiteResult>();
      await using gateway = await startGateway({ checks, session });
      await runSuite({
        input: input(gateway.url, gateway.key),
        folder,
        signal,
        onSpec: (spec) => {
          if (!listened) addOwn(spec);
        },
        onResult(id, result) {
          const check = checks.get(id);
          if (check === undefined) return;
          ended.set(id, { check, ...result });
          options.onEvent?.({ kind: 'check', id, state: result.state, done: ended.size, of: checks.size });
        },
      });
      const rest = [...checks.values()].filter(({ id }) => !ended.has(id));
      if (rest[0] !== undefined && !signal.aborted) {
        throw new ToolError('fault', `No file of the contract suite runs the check ${rest[0].id}.`);
      }
      const notRun = { notes: {}, state: 'pending', errors: [], durationMs: 0 } as const;
      return [...ended.values(), ...rest.map((check) => ({ check, ...notRun }))];
    },
  };
}

/** A good call of each read that is announced. */
function readsOf(checks: Iterable<AnnouncedCheck>): CallRequest[] {
  const all = [...checks].flatMap(({ skip, calls }) => (skip === null ? calls : []));
  const reads = all.filter(
    ({ effect, purpose, auth }) => effect === 'read' && purpose === 'succeed' && auth === 'token',
  );
  const each = new Map(reads.map(({ times: _, path: __, ...call }) => [call.operationId, { ...call, checkId: null }]));
  return [...each.values()];
}
