import type { Contract } from '../../contract/contract.ts';
import { didYouMean } from '../../suggest.ts';
import type { Parts } from '../compile/plan.ts';
import { type Answer, withHeaders } from '../http/answer.ts';
import { problem } from '../http/problem.ts';
import { compileDue, type Due } from '../state/due.ts';
import { changeRecord, createRecord, type Editing, removeRecord } from '../state/editor.ts';
import { pluralOf } from '../state/entities.ts';
import { type Asked, type CompiledKind, compileKinds, type Kinds } from '../state/kinds.ts';
import { createMemberCheck, type MemberCheck } from '../state/member-check.ts';
import type { Draft, Value } from '../state/records.ts';
import { notFound, Refused } from '../state/refusals.ts';
import { unavailable } from '../store/store.ts';
import type { RememberedState } from '../tenant/memory.ts';
import { seedOf, seedOfAll } from '../tenant/save-seed.ts';
import type { Seed } from '../tenant/seed.ts';
import type { ControlRequest, Controls, Route } from './controls.ts';
import { done, InputError, ok, whole } from './input.ts';
import { masking, seedFile, tenantsOf, unmasked } from './state-view.ts';

/** Records that are made by one request. */
const MOST_AT_ONCE = 10_000;

type Asking = Pick<ControlRequest, 'query' | 'parameters'>;

/** What follows from the contract that is served, as long as it is. */
interface Scene {
  readonly parts: Parts;
  readonly kinds: Kinds;
  readonly due: Due;
  readonly check: Promise<MemberCheck>;
}

/** What is remembered: whose it is, to be read, written, and saved as a seed. None where the mock remembers nothing. */
export function stateRoutes(controls: Controls): Route[] {
  const { state } = controls;
  return state ? routesFor(controls, state) : [];
}

function routesFor(controls: Controls, state: RememberedState): Route[] {
  const sceneOf = sceneKeeper(controls, state);
  const mask = masking(controls);

  const tenantOf = ({ query }: Asking): string => {
    const { tenant } = controls.plan();
    if (tenant === null) return '';
    const named = query.get(tenant.name);
    if (!named) throw new InputError(`/${tenant.name}`, 'is required: everyone has records of their own');
    return named;
  };

  const work = async <T>(tenant: string, piece: (draft: Draft) => T): Promise<T | Refused> => {
    try {
      return await state.store.transact(tenant, piece);
    } catch (error) {
      return new Refused(unavailable(error));
    }
  };

  const askedOf = (tenant: string): Asked => {
    return { tenant, parameters: {}, query: '', body: undefined, now: state.clock(), profile: state.profile() };
  };

  const recordsOf = (tenant: string, { kinds, due }: Scene): Promise<Record<string, Value[]> | Refused> =>
    work(tenant, (draft) => {
      due.settle(draft, askedOf(tenant));
      return Object.fromEntries([...kinds.keys()].map((kind) => [kind, draft.list(kind)]));
    });

  /** Does something with the records of a kind that the path names. */
  const withKind = async <T>(
    asking: Asking,
    piece: (draft: Draft, editing: Editing) => T | Refused,
    show: (result: T, kind: CompiledKind) => Answer,
  ): Promise<Answer> => {
    const tenant = tenantOf(asking);
    const scene = sceneOf();
    const kind = kindNamed(asking.parameters.kind ?? '', scene);
    if (typeof kind === 'string') return problem(404, 'no-such-control', kind);
    const asked = askedOf(tenant);
    const editing = { file: scene.parts.entities.file, kind, check: await scene.check, asked };
    const result = await work(tenant, (draft) => {
      scene.due.settle(draft, asked);
      return piece(draft, editing);
    });
    return result instanceof Refused ? result.answer : show(result, kind);
  };

  /** As many records alike as are asked for, all of them or none. */
  const createMany = (asking: ControlRequest): Promise<Answer> => {
    const count = whole(asking.query.get('count'), 'count', 1, MOST_AT_ONCE) ?? 1;
    const given = objectIn(asking);
    const make = (draft: Draft, editing: Editing): string[] | Refused => {
      // an id that is given can be had once
      if (count > 1 && Object.hasOwn(given, editing.kind.id))
        return new Refused(problem(422, 'control-input', `${editing.kind.id} cannot be given to ${count} records`));
      const ids: string[] = [];
      for (let made = 0; made < count; made += 1) {
        const record = createRecord(draft, editing, given);
        if (record instanceof Refused) return record;
        ids.push(String(record[editing.kind.id]));
      }
      return ids;
    };
    return withKind(asking, make, (ids) => ok({ created: ids.length, ids }, 201));
  };

  return [
    { method: 'GET', path: '/tenants', answer: () => tenantsOf(controls, state).then((told) => ok(told), unavailable) },
    {
      method: 'GET',
      path: '/state',
      async answer(asking) {
        const tenant = tenantOf(asking);
        const records = await recordsOf(tenant, sceneOf());
        const { tenant: parameter } = controls.plan();
        if (records instanceof Refused) return records.answer;
        return ok({ ...(parameter && { [parameter.name]: tenant }), records: mask(records) });
      },
    },
    {
      method: 'DELETE',
      path: '/state',
      async answer(asking) {
        const tenant = tenantOf(asking);
        try {
          await state.store.reset(tenant);
        } catch (error) {
          return unavailable(error);
        }
        return done();
      },
    },
    {
      method: 'GET',
      path: '/state/{kind}',
      answer: (asking) =>
        withKind(
          asking,
          (draft, { kind }) => draft.list(kind.name),
          (records) => ok({ records: mask(records) }),
        ),
    },
    {
      method: 'POST',
      path: '/state/{kind}',
      answer: (asking) =>
        asking.query.has('count')
          ? createMany(asking)
          : withKind(
              asking,
              (draft, editing) => createRecord(draft, editing, objectIn(asking)),
              (record, kind) => {
                const id = encodeURIComponent(String(record[kind.id]));
                const place = `${asking.call.path}/${id}${asking.call.query === '' ? '' : `?${asking.call.query}`}`;
                return withHeaders(ok(mask(record), 201), ['location', place]);
              },
            ),
    },
    {
      method: 'GET',
      path: '/state/{kind}/{id}',
      answer: (asking) =>
        withKind(
          asking,
          (draft, { kind }) => draft.get(kind.name, asking.parameters.id ?? '') ?? notFound(kind.name, kind.id),
          (record) => ok(mask(record)),
        ),
    },
    {
      method: 'PATCH',
      path: '/state/{kind}/{id}',
      answer: (asking) =>
        withKind(
          asking,
          (draft, editing) => {
            const { id = '' } = asking.parameters;
            const before = draft.get(editing.kind.name, id);
            return changeRecord(draft, editing, id, unmasked(objectIn(asking), before, mask));
          },
          (record) => ok(mask(record)),
        ),
    },
    {
      method: 'DELETE',
      path: '/state/{kind}/{id}',
      answer: (asking) =>
        withKind(
          asking,
          (draft, editing) => removeRecord(draft, editing, asking.parameters.id ?? '') ?? null,
          () => done(),
        ),
    },
    {
      method: 'GET',
      path: '/seed',
      secret: true,
      async answer(asking) {
        const { entities } = sceneOf().parts;
        const saved = async (tenant: string): Promise<Seed | Refused> => {
          const records = await recordsOf(tenant, sceneOf());
          return records instanceof Refused ? records : seedOf(records, state.seed(tenant), entities);
        };
        const parameter = controls.plan().tenant?.name ?? '';
        const isOfOne = parameter === '' || asking.query.has(parameter);
        const all = (): Promise<Seed | Refused> =>
          seedOfAll(state, entities, saved).catch((error: unknown) => new Refused(unavailable(error)));
        const seed = isOfOne ? await saved(tenantOf(asking)) : await all();
        if (seed instanceof Refused) return seed.answer;
        return seedFile(seed, asking.query.get('format') ?? 'yaml');
      },
    },
  ];
}

/** Kinds and checks are made anew where another contract is served. */
function sceneKeeper({ parts, contract }: Controls, { number }: RememberedState): () => Scene {
  let scene: Scene | undefined;
  return () => {
    const now = parts();
    if (scene?.parts === now) return scene;
    const loaded: Promise<Contract> = contract();
    const check = loaded.then((one) => createMemberCheck(one, now.entities.file));
    // who waits for it is told; nobody may be waiting yet
    check.catch(() => {});
    const kinds = compileKinds(now.entities, now.hooks, number);
    scene = { parts: now, kinds, due: compileDue(now.entities.file, kinds, now.hooks), check };
    return scene;
  };
}

function objectIn({ body }: Pick<ControlRequest, 'body'>): Value {
  if (body === undefined) return {};
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new InputError('', 'must be an object');
  return body as Value;
}

/** A kind by its name, or by the plural under which a seed has its records; else what is to be said. */
function kindNamed(name: string, { parts, kinds }: Scene): CompiledKind | string {
  const { file } = parts.entities;
  const found = Object.entries(file.kinds).find(([one, kind]) => name === one || name === pluralOf(one, kind));
  const kind = found && kinds.get(found[0]);
  if (kind) return kind;
  const plurals = Object.entries(file.kinds).map(([one, its]) => pluralOf(one, its));
  const hint = didYouMean(name, plurals).trim() || `known: ${plurals.join(', ')}`;
  return `there are no ${JSON.stringify(name.slice(0, 64))} here; ${hint}`;
}
