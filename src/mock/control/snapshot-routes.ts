import type { Snapshot as Given } from '../../../generated/mock/control.ts';
import type { Kind } from '../../../generated/mock/entities.ts';
import type { ScenarioDefinition } from '../../../generated/mock/scenario.ts';
import { createRedactor, type Redactor } from '../../redact/redact.ts';
import { isObject } from '../../schema/json.ts';
import { joinPointer } from '../../text/pointer.ts';
import { idOf } from '../state/entities.ts';
import type { StartRecords } from '../state/records.ts';
import type { StateOptions } from '../state/state.ts';
import { createInitialRecords } from '../tenant/initial-records.ts';
import { heldSeed } from '../tenant/read-seed.ts';
import type { Seed } from '../tenant/seed.ts';
import type { Controls } from './controls.ts';
import type { Handlers } from './document.ts';
import { InputError, missing } from './input.ts';
import { tenantsOf } from './state-view.ts';

type Snapshot = Required<Given>;

const MOST = 50;

/** Named snapshots of records, scenarios and clock. They stay in memory until the mock stops. */
export function snapshotRoutes(
  controls: Controls,
  state: StateOptions,
  seedOf: (tenant: string) => Promise<Seed>,
): Handlers {
  const { scenarios, clock, memory, served } = controls;
  const saved = new Map<string, Snapshot>();

  const current = async (): Promise<Snapshot> => {
    const { tenants } = await tenantsOf(controls, state);
    const states = await Promise.all(tenants.map(async ({ id }) => [id, await seedOf(id)] as const));
    return {
      clock: clock.moved ? new Date(clock.now()).toISOString() : null,
      scenarios: scenarios.active().map(({ definition }) => definition),
      state: Object.fromEntries(states),
    };
  };

  /** Makes the records of each tenant. A fault is reported before anything changes. */
  const recordsOf = async (snapshot: Snapshot): Promise<readonly (readonly [tenant: string, StartRecords])[]> => {
    const { parts } = served();
    const makers = { number: state.number, now: clock.now(), profile: memory.profile() };
    return Promise.all(
      Object.entries(snapshot.state).map(async ([tenant, given]) => {
        const placeOf = async (pointer: string) => ({
          file: 'snapshot',
          pointer: joinPointer('/state', tenant) + pointer,
        });
        const seed = await heldSeed(given, parts.entities, parts.folder, placeOf);
        return [tenant, createInitialRecords(seed, parts, makers).base('')] as const;
      }),
    );
  };

  const named = (name: string): Snapshot => {
    const snapshot = saved.get(name);
    if (!snapshot) throw missing('no snapshot has this name');
    return snapshot;
  };

  const shown = ({ clock, scenarios, state }: Snapshot): Snapshot => {
    const { credentials } = controls;
    const redactor = createRedactor({ secrets: [credentials.password], credentials: [credentials] });
    redactor.learnNames(served().plan.secrets);
    return {
      clock,
      scenarios: scenarios.map((one) => maskScenario(one, redactor) as object),
      state: withoutSecrets(state, redactor.json(state)) as Snapshot['state'],
    };
  };

  return {
    getCurrentSnapshot: async () => shown(await current()),
    listSnapshots: () => ({ names: [...saved.keys()] }),
    getSnapshot: ({ parameters: { name } }) => shown(named(name)),
    async saveSnapshot({ body, call, parameters: { name } }) {
      if (saved.size >= MOST && !saved.has(name))
        throw new InputError({ pointer: '', message: `The mock keeps at most ${MOST} snapshots.` });
      const snapshot = call.body ? { clock: null, scenarios: [], state: {}, ...body } : await current();
      await recordsOf(snapshot);
      await Promise.all(snapshot.scenarios.map(scenarios.catalogue.check));
      saved.set(name, snapshot);
    },
    async useSnapshot({ parameters: { name } }) {
      const snapshot = named(name);
      const records = await recordsOf(snapshot);
      const { kinds } = served().parts.entities.file;
      await state.store.reset();
      for (const [tenant, start] of records)
        await state.store.transact(tenant, (draft) => {
          for (const kind of Object.keys(start)) {
            const wanted = start[kind] ?? new Map();
            for (const record of draft.list(kind)) {
              const id = String(record[idOf(kinds[kind] as Kind)]);
              if (!wanted.has(id)) draft.remove(kind, id);
            }
            for (const [id, record] of wanted) draft.put(kind, id, record);
          }
        });
      for (const { id } of scenarios.active()) scenarios.deactivate(id);
      for (const one of snapshot.scenarios) await scenarios.activate(one as unknown as ScenarioDefinition);
      if (snapshot.clock === null) clock.reset();
      else clock.set(snapshot.clock);
    },
    removeSnapshot({ parameters: { name } }) {
      named(name);
      saved.delete(name);
    },
  };
}

/** Members of a scenario that may have any form. The other members are words of the scenario, such as `token`. */
const FREE: readonly string[] = ['body', 'headers', 'parameters'];

function maskScenario(value: unknown, redactor: Redactor): unknown {
  if (typeof value === 'string') return redactor.text(value);
  if (Array.isArray(value)) return value.map((one) => maskScenario(one, redactor));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      FREE.includes(name) ? redactor.json(member) : maskScenario(member, redactor),
    ]),
  );
}

/** A copy without the members that are masked in output. The mock makes them up again. */
function withoutSecrets(value: unknown, masked: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(masked))
    return value.map((one, index) => withoutSecrets(one, masked[index]));
  if (!isObject(value) || !isObject(masked)) return masked;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const shown = masked[name];
      const isKept = Object(member) === member ? Object(shown) === shown : member === shown;
      return isKept ? [[name, withoutSecrets(member, shown)]] : [];
    }),
  );
}
