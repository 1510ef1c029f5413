import { createHash } from 'node:crypto';
import { didYouMean } from '../../text/suggest.ts';
import { withHeaders } from '../message/answer.ts';
import { field } from '../message/call.ts';
import { problem } from '../message/problem.ts';
import { createRecord, type Editing, removeRecord, replaceRecord } from '../state/editor.ts';
import { pluralOf } from '../state/entities.ts';
import { type Asked, type CompiledKind, compileKinds, type Kinds } from '../state/kinds.ts';
import { type Many, makeMany } from '../state/many.ts';
import { createMemberCheck, type MemberCheck } from '../state/member-check.ts';
import type { Draft, Value } from '../state/records.ts';
import { notFound, RefusedChange } from '../state/refusals.ts';
import type { StateOptions } from '../state/state.ts';
import { compileTransitions, type Transitions } from '../state/transitions.ts';
import type { Parts } from '../tenant/parts.ts';
import { seedOf, seedOfAll } from '../tenant/save-seed.ts';
import type { Seed } from '../tenant/seed.ts';
import type { Controls } from './controls.ts';
import type { ControlRequest, Handlers } from './document.ts';
import { file, InputError, missing, ok, Rejected, Reply } from './input.ts';
import { snapshotRoutes } from './snapshot-routes.ts';
import { masking, tenantsOf, unmasked } from './state-view.ts';

/** Values derived from the served contract, cached until it changes. */
interface Scene {
  readonly parts: Parts;
  readonly kinds: Kinds;
  readonly transitions: Transitions;
  readonly check: Promise<MemberCheck>;
}

/** Reads and writes tenants and their records, and saves them as a seed. Without state there are no routes. */
export function stateRoutes(controls: Controls): Handlers {
  return controls.memory.remembered ? routesFor(controls, controls.memory.remembered) : {};
}

type Asking = Pick<ControlRequest<'getState'>, 'call'>;

function routesFor(controls: Controls, state: StateOptions): Handlers {
  const { store } = state;
  const sceneOf = sceneKeeper(controls, state);
  const mask = masking(controls);

  /** The tenant in the query, under the parameter name of the contract. */
  const named = ({ call }: Asking): string | null =>
    new URLSearchParams(call.query).get(controls.served().plan.tenant?.name ?? '');

  const tenantOf = (asking: Asking): string => {
    const { tenant } = controls.served().plan;
    const id = tenant && named(asking);
    if (tenant === null || id) return id ?? '';
    throw new InputError({ pointer: `/${tenant.name}`, message: 'It is required: every tenant has its own records.' });
  };

  /** Works on the records of a tenant, after all due transitions. */
  const work = async <T>(tenant: string, piece: (draft: Draft, request: Asked) => T): Promise<T> => {
    const { transitions } = sceneOf();
    const now = { now: state.clock(), profile: state.profile() };
    const request = { ...now, tenant, parameters: {}, query: '', body: undefined };
    return store.transact(tenant, (draft) => {
      transitions.settle(draft, request);
      return piece(draft, request);
    });
  };

  const recordsOf = (tenant: string): Promise<Record<string, Value[]>> =>
    work(tenant, (draft) => Object.fromEntries([...sceneOf().kinds.keys()].map((kind) => [kind, draft.list(kind)])));

  const onKind = async <T>(
    asking: Pick<ControlRequest<'listRecords'>, 'call' | 'parameters'>,
    piece: (draft: Draft, editing: Editing) => T | RefusedChange,
  ): Promise<T> => {
    const tenant = tenantOf(asking);
    const scene = sceneOf();
    const kind = kindNamed(asking.parameters.kind, scene);
    const check = await scene.check;
    const { file } = scene.parts.entities;
    const result = await work(tenant, (draft, asked) => piece(draft, { file, kind, check, asked }));
    if (result instanceof RefusedChange) throw new Rejected(result.answer);
    return result;
  };

  const found = (draft: Draft, { kind }: Editing, id: string): Value | RefusedChange =>
    draft.get(kind.name, id) ?? notFound(kind.name, kind.id);

  const shown = (record: Value): Reply => new Reply(withHeaders(ok(mask(record)), ['etag', etagOf(mask(record))]));

  const saved = async (tenant: string): Promise<Seed> =>
    seedOf(await recordsOf(tenant), state.seed(tenant), sceneOf().parts.entities);

  return {
    ...snapshotRoutes(controls, state, saved),
    listTenants: () => tenantsOf(controls, state),
    async getState(asking) {
      const tenant = tenantOf(asking);
      const { tenant: parameter } = controls.served().plan;
      const records = mask(await recordsOf(tenant));
      return new Reply(ok({ ...(parameter && { [parameter.name]: tenant }), records }));
    },
    resetState: (asking) => store.reset(tenantOf(asking)),
    listRecords: async (asking) => ({
      records: mask(await onKind(asking, (draft, { kind }) => draft.list(kind.name))),
    }),
    async createRecord(asking) {
      const { body, call, parameters } = asking;
      const { count = 1 } = parameters;
      if (parameters.count !== undefined)
        return onKind(asking, (draft, editing) =>
          createRecords(draft, editing, { given: body, count, transitions: sceneOf().transitions }),
        );
      const [id, record] = await onKind(asking, (draft, editing) => {
        const made = createRecord(draft, editing, body);
        return made instanceof RefusedChange ? made : ([String(made[editing.kind.id]), made] as const);
      });
      const place = `${call.path}/${encodeURIComponent(id)}${call.query === '' ? '' : `?${call.query}`}`;
      return new Reply(withHeaders(ok(mask(record), 201), ['location', place]));
    },
    getRecord: async (asking) =>
      shown(await onKind(asking, (draft, editing) => found(draft, editing, asking.parameters.id))),
    async replaceRecord(asking) {
      const replaced = await onKind(asking, (draft, editing) => {
        const before = found(draft, editing, asking.parameters.id);
        if (before instanceof RefusedChange) return before;
        const known = field(asking.call, 'if-match') ?? '*';
        if (known === '*' || known === etagOf(mask(before)))
          return replaceRecord(draft, editing, before, unmasked(asking.body, before, mask));
        const why = 'the record has changed since it was read: read it again';
        return new RefusedChange(problem('control-conflict', why, { status: 412 }));
      });
      return shown(replaced);
    },
    removeRecord: (asking) => onKind(asking, (draft, editing) => removeRecord(draft, editing, asking.parameters.id)),
    async saveSeed(asking) {
      const { entities } = sceneOf().parts;
      const isOfOne = controls.served().plan.tenant === null || named(asking) !== null;
      const seed = isOfOne
        ? await saved(tenantOf(asking))
        : await seedOfAll(controls.memory.starts(), await store.tenants(), entities, saved);
      if (asking.parameters.format === 'json') return seed;
      const { stringify } = await import('yaml');
      return file('application/yaml', 'seed.yaml', stringify(seed));
    },
  };
}

/** Creates records until a record is refused. @returns the refusal if it was the first record */
function createRecords(
  draft: Draft,
  editing: Editing,
  { given, count, transitions }: Pick<Many, 'count' | 'transitions'> & { readonly given: Value },
) {
  const { kind, asked } = editing;
  const { id } = kind;
  if (count > 1 && Object.hasOwn(given, id))
    return new RefusedChange(problem('control-input', `${count} records cannot share the id ${id}`));
  const { made, refused } = makeMany(draft, { kind, transitions, asked, count }, (then) =>
    createRecord(draft, { ...editing, asked: then }, given, true),
  );
  if (refused && made.length === 0) return refused;
  const ids = made.map((record) => String(record[id]));
  return { created: ids.length, ids, ...(refused && { stopped: refused.detail }) };
}

/** The version of a record as shown. Masked members do not count, since sending them back changes nothing. */
function etagOf(shown: Value): string {
  return `"${createHash('sha256').update(JSON.stringify(shown)).digest('base64url').slice(0, 22)}"`;
}

/** Rebuilds kinds and checks when another contract is served. */
function sceneKeeper({ served }: Controls, { number }: StateOptions): () => Scene {
  let scene: Scene | undefined;
  return () => {
    const { parts: now, contract } = served();
    if (scene?.parts === now) return scene;
    const check = contract().then((loaded) => createMemberCheck(loaded, now.entities.file));
    // a request that needs the check reports its failure
    check.catch(() => {});
    const kinds = compileKinds(now.entities, now.hooks, number);
    scene = { parts: now, kinds, transitions: compileTransitions(now.entities.file, kinds, now.hooks), check };
    return scene;
  };
}

/** Finds a kind by its name, or by the plural used in seeds. */
function kindNamed(name: string, { parts, kinds }: Scene): CompiledKind {
  const all = Object.entries(parts.entities.file.kinds).map(([one, kind]) => [one, pluralOf(one, kind)] as const);
  const kind = kinds.get(all.find((names) => names.includes(name))?.[0] ?? '');
  if (kind) return kind;
  const plurals = all.map(([, plural]) => plural);
  const hint = didYouMean(name, plurals).trim() || `known: ${plurals.join(', ')}`;
  throw missing(`there are no ${JSON.stringify(name.slice(0, 64))} here; ${hint}`);
}
