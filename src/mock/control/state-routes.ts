import { createHash } from 'node:crypto';
import { didYouMean } from '../../text/suggest.ts';
import { type Answer, withHeaders } from '../message/answer.ts';
import { field } from '../message/call.ts';
import { problem } from '../message/problem.ts';
import { createRecord, type Editing, removeRecord, replaceRecord } from '../state/editor.ts';
import { pluralOf } from '../state/entities.ts';
import { type Asked, type CompiledKind, compileKinds, type Kinds } from '../state/kinds.ts';
import { createMemberCheck, type MemberCheck } from '../state/member-check.ts';
import type { Draft, Value } from '../state/records.ts';
import { notFound, RefusedChange } from '../state/refusals.ts';
import { compileTransitions, type Transitions } from '../state/transitions.ts';
import type { RememberedState } from '../tenant/memory.ts';
import type { Parts } from '../tenant/parts.ts';
import { seedOf, seedOfAll } from '../tenant/save-seed.ts';
import type { Seed } from '../tenant/seed.ts';
import { type ControlRequest, type Controls, on, type Route } from './controls.ts';
import { done, InputError, missing, ok, whole } from './input.ts';
import { masking, seedFile, tenantsOf, unmasked } from './state-view.ts';

const MOST_AT_ONCE = 10_000;

/** What follows from the contract that is served, until another one is. */
interface Scene {
  readonly parts: Parts;
  readonly kinds: Kinds;
  readonly transitions: Transitions;
  readonly check: Promise<MemberCheck>;
}

/** Tenants and their records: read, written, and saved as a seed. No routes for a mock without state. */
export function stateRoutes(controls: Controls): Route[] {
  return controls.state ? routesFor(controls, controls.state) : [];
}

function routesFor(controls: Controls, state: RememberedState): Route[] {
  const { store } = state;
  const sceneOf = sceneKeeper(controls, state);
  const mask = masking(controls);

  const tenantOf = ({ query }: ControlRequest): string => {
    const { tenant } = controls.plan();
    if (tenant === null) return '';
    const named = query.get(tenant.name);
    if (!named)
      throw new InputError({
        pointer: `/${tenant.name}`,
        message: 'It is required: every tenant has its own records.',
      });
    return named;
  };

  /** Works on the records of a tenant, after everything that is due. */
  const work = async <T>(
    tenant: string,
    { transitions }: Scene,
    piece: (draft: Draft, asked: Asked) => T,
  ): Promise<T> => {
    const asked = { tenant, parameters: {}, query: '', body: undefined, now: state.clock(), profile: state.profile() };
    return store.transact(tenant, (draft) => {
      transitions.settle(draft, asked);
      return piece(draft, asked);
    });
  };

  const recordsOf = (tenant: string, scene: Scene): Promise<Record<string, Value[]>> =>
    work(tenant, scene, (draft) => Object.fromEntries([...scene.kinds.keys()].map((kind) => [kind, draft.list(kind)])));

  const onKind = <T>(
    method: Route['method'],
    path: string,
    piece: (draft: Draft, editing: Editing, asking: ControlRequest) => T | RefusedChange,
    show: (result: T, kind: CompiledKind, asking: ControlRequest) => Answer,
  ): Route =>
    on(method, path, async (asking) => {
      const tenant = tenantOf(asking);
      const scene = sceneOf();
      const kind = kindNamed(asking.parameters.kind ?? '', scene);
      const check = await scene.check;
      const { file } = scene.parts.entities;
      const result = await work(tenant, scene, (draft, asked) => piece(draft, { file, kind, check, asked }, asking));
      return result instanceof RefusedChange ? result.answer : show(result, kind, asking);
    });

  const found = (draft: Draft, { kind }: Editing, { parameters: { id = '' } }: ControlRequest): Value | RefusedChange =>
    draft.get(kind.name, id) ?? notFound(kind.name, kind.id);

  const showRecord = (record: Value): Answer => withHeaders(ok(mask(record)), ['etag', etagOf(mask(record))]);

  return [
    on('GET', '/tenants', async () => ok(await tenantsOf(controls, state))),
    on('GET', '/state', async (asking) => {
      const tenant = tenantOf(asking);
      const records = await recordsOf(tenant, sceneOf());
      const { tenant: parameter } = controls.plan();
      return ok({ ...(parameter && { [parameter.name]: tenant }), records: mask(records) });
    }),
    on('DELETE', '/state', async (asking) => {
      await store.reset(tenantOf(asking));
      return done();
    }),
    onKind(
      'GET',
      '/state/{kind}',
      (draft, { kind }) => draft.list(kind.name),
      (records) => ok({ records: mask(records) }),
    ),
    onKind(
      'POST',
      '/state/{kind}',
      (draft, editing, { query, body }) => {
        const { id } = editing.kind;
        const given = body as Value;
        const count = whole(query.get('count'), 'count', 1, MOST_AT_ONCE) ?? 1;
        if (count > 1 && Object.hasOwn(given, id))
          return new RefusedChange(problem('control-input', `${id} cannot be given to ${count} records`));
        const made: Value[] = [];
        while (made.length < count) {
          const record = createRecord(draft, editing, given);
          if (record instanceof RefusedChange) return record;
          made.push(record);
        }
        return made;
      },
      (made, kind, { call, query }) => {
        const ids = made.map((record) => String(record[kind.id]));
        if (query.has('count')) return ok({ created: ids.length, ids }, 201);
        const place = `${call.path}/${encodeURIComponent(ids[0] ?? '')}${call.query === '' ? '' : `?${call.query}`}`;
        return withHeaders(ok(mask(made[0]), 201), ['location', place]);
      },
    ),
    onKind('GET', '/state/{kind}/{id}', found, showRecord),
    onKind(
      'PUT',
      '/state/{kind}/{id}',
      (draft, editing, asking) => {
        const before = found(draft, editing, asking);
        if (before instanceof RefusedChange) return before;
        const known = field(asking.call, 'if-match') ?? '*';
        if (known !== '*' && known !== etagOf(mask(before)))
          return new RefusedChange(
            problem('control-conflict', 'the record has changed since it was read: read it again', { status: 412 }),
          );
        return replaceRecord(draft, editing, before, unmasked(asking.body as Value, before, mask));
      },
      showRecord,
    ),
    onKind(
      'DELETE',
      '/state/{kind}/{id}',
      (draft, editing, asking) => removeRecord(draft, editing, asking.parameters.id ?? ''),
      () => done(),
    ),
    {
      ...on('GET', '/seed', async (asking) => {
        const { entities } = sceneOf().parts;
        const saved = async (tenant: string): Promise<Seed> =>
          seedOf(await recordsOf(tenant, sceneOf()), state.seed(tenant), entities);
        const parameter = controls.plan().tenant?.name ?? '';
        const isOfOne = parameter === '' || asking.query.has(parameter);
        const seed = isOfOne ? await saved(tenantOf(asking)) : await seedOfAll(state, entities, saved);
        return seedFile(seed, asking.query.get('format') ?? 'yaml');
      }),
      secret: true,
    },
  ];
}

/** The version of a record as it is shown. A masked member does not count: sent back, it stays what it is. */
function etagOf(shown: Value): string {
  return `"${createHash('sha256').update(JSON.stringify(shown)).digest('base64url').slice(0, 22)}"`;
}

/** Kinds and checks are made anew if another contract is served. */
function sceneKeeper({ parts, contract }: Controls, { number }: RememberedState): () => Scene {
  let scene: Scene | undefined;
  return () => {
    const now = parts();
    if (scene?.parts === now) return scene;
    const check = contract().then((loaded) => createMemberCheck(loaded, now.entities.file));
    // a request that needs the check reports its failure
    check.catch(() => {});
    const kinds = compileKinds(now.entities, now.hooks, number);
    scene = { parts: now, kinds, transitions: compileTransitions(now.entities.file, kinds, now.hooks), check };
    return scene;
  };
}

/** A kind by its name, or by the plural that a seed uses. */
function kindNamed(name: string, { parts, kinds }: Scene): CompiledKind {
  const all = Object.entries(parts.entities.file.kinds).map(([one, kind]) => [one, pluralOf(one, kind)] as const);
  const kind = kinds.get(all.find((names) => names.includes(name))?.[0] ?? '');
  if (kind) return kind;
  const plurals = all.map(([, plural]) => plural);
  const hint = didYouMean(name, plurals).trim() || `known: ${plurals.join(', ')}`;
  throw missing(`there are no ${JSON.stringify(name.slice(0, 64))} here; ${hint}`);
}
