import { ToolError } from '../errors.ts';
import { type AnnouncedCheck, createAnnouncer } from './announce.ts';
import { checksOf } from './checks.ts';
import { runSuite, type SuiteResult } from './engine.ts';
import { bodyValues, type Known } from './field-checks.ts';
import { startGateway } from './gateway.ts';
import type { VerifyOptions } from './options.ts';
import type { Session } from './session.ts';
import type { CheckSpec, SuiteInput } from './suite.ts';

/** The checks of a run. What is announced here is called by the suite, and nothing else. */
export interface Suite {
  readonly checks: ReadonlyMap<string, AnnouncedCheck>;
  /** Asks the files of the contract itself what they announce, ahead of the run: what is new then is refused. */
  listen(): Promise<void>;
  /** How each check ended, in the order in which they did. */
  run(): Promise<SuiteResult[]>;
}

const NOT_RUN: Omit<SuiteResult, 'check'> = { notes: {}, state: 'pending', errors: [], durationMs: 0 };

export function openSuite(session: Session, options: VerifyOptions, signal: AbortSignal): Suite {
  const { target } = session;
  const { contract, parameters, failing, roles, embedded } = target;
  const { folder } = contract;
  const facts = options.facts ?? {};
  const known: Known = { groups: folder.facts, facts, embedded, failing };
  const announce = createAnnouncer(session, bodyValues(parameters, known));
  const listed = checksOf(contract, known, ({ operationId }) => announce({ id: '', operationId }).skip === null);
  const checks = new Map<string, AnnouncedCheck>();
  let listened = false;

  function add(spec: CheckSpec): void {
    if (checks.has(spec.id)) throw new ToolError('fault', `Two checks of the contract suite have the id ${spec.id}.`);
    checks.set(spec.id, announce(spec));
  }
  for (const check of listed) add(check);

  const input = (gateway: string, key: string): SuiteInput => ({
    gateway,
    key,
    checks: listed.map(({ id, file }) => ({ id, file })),
    operations: contract.operations.map(({ operationId, tag, located, effect, auth, deprecated, successor }) => {
      return { operationId, tag, located, effect, auth, deprecated, successor };
    }),
    facts,
    roles,
  });

  return {
    checks,
    async listen() {
      await runSuite({ input: input('', ''), folder, listen: true, signal, onSpec: add });
      listened = true;
    },
    async run() {
      const ended = new Map<string, SuiteResult>();
      const gateway = await startGateway({
        check: (id) => checks.get(id),
        caller: session.caller,
        calls: () => session.calls,
        mock: target.mock,
      });
      try {
        await runSuite({
          input: input(gateway.url, gateway.key),
          folder,
          signal,
          onSpec: (spec) => {
            if (!listened) add(spec);
          },
          onResult(id, result) {
            const check = checks.get(id);
            if (check === undefined) return;
            ended.set(id, { check, ...result });
            options.onEvent?.({ kind: 'check', id, state: result.state, done: ended.size, of: checks.size });
          },
        });
      } finally {
        await gateway.close();
      }
      const rest = [...checks.values()].filter(({ id }) => !ended.has(id));
      if (rest[0] !== undefined && !signal.aborted) {
        throw new ToolError('fault', `No file of the contract suite runs the check ${rest[0].id}.`);
      }
      return [...ended.values(), ...rest.map((check) => ({ check, ...NOT_RUN }))];
    },
  };
}
