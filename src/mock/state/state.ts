import type { Provenance } from '../../contract/contract.ts';
import type { Plan, PlannedOperation } from '../compile/plan.ts';
import type { Payload } from '../compile/request.ts';
import { type Answer, answer, headerOf } from '../message/answer.ts';
import { isJsonMedia, type ReceivedRequest } from '../message/call.ts';
import { type Store, unavailable } from '../store/store.ts';
import type { Profile } from '../tenant/profile.ts';
import type { Seed } from '../tenant/seed.ts';
import type { Entities } from './entities.ts';
import type { Hooks } from './hooks.ts';
import { type Asked, compileKinds } from './kinds.ts';
import { compileOperations, type StateAnswer } from './operations.ts';
import { RefusedChange } from './refusals.ts';
import type { Reshape } from './reshape.ts';

export interface StateOptions {
  readonly store: Store;
  /** Asked again for each request, so that a changed file is served at once. */
  readonly seed: (tenant: string) => Seed;
  readonly profile: () => Profile;
  readonly number: number;
  readonly clock: () => number;
  /** Only the rules of the contract are held: every id is known, and nothing that was made is shown. */
  readonly rulesOnly: boolean;
}

export interface Remembered {
  readonly plan: Plan;
  readonly entities: Entities;
  readonly hooks: Hooks;
  readonly tenantOf: (call: ReceivedRequest, parameters: Asked['parameters']) => string;
  /** Gives bodies the shapes of overlays. A body that has none of them gives way to the answer of the contract. */
  readonly reshape: Reshape | undefined;
}

type Maybe<T> = T | undefined | Promise<T | undefined>;

/** Answers from state. A request with `Prefer` neither shows nor changes state; the contract goes first if it states more than the shape. */
export function withState(payload: Payload, options: StateOptions, remembered: Remembered): Payload {
  const { plan, entities, hooks, tenantOf, reshape } = remembered;
  const { store, seed, profile, number, clock, rulesOnly } = options;
  const runs = compileOperations(entities, compileKinds(entities, hooks, number), hooks, seed);
  const handled = new Map(
    plan.operations.map((operation) => [
      operation,
      {
        run: runs.get(operation.operationId),
        type: operation.response.media.find(({ type }) => isJsonMedia(type))?.type,
      },
    ]),
  );

  /** Undefined where the contract answers in a way of its own (other shapes, by a recording; no JSON), or nothing is remembered. */
  const answerFor = (
    operation: PlannedOperation,
    request: Omit<Asked, 'now' | 'profile'>,
    made?: Answer,
  ): Maybe<Answer> => {
    const { run, type } = handled.get(operation) ?? {};
    if (!run) return undefined;
    const { tenant, parameters, query, body } = request;
    const asked: Asked = { tenant, parameters, query, body, now: clock(), profile: profile() };
    const finish = (given: StateAnswer): Maybe<Answer> => {
      if (given instanceof RefusedChange) return given.byRule || !rulesOnly ? given.answer : undefined;
      // the contract has no answer in JSON for it
      if (rulesOnly || type === undefined) return undefined;
      const json = JSON.stringify(given.shown);
      // that anything is remembered, and which states there are, is assumed
      if (!reshape) return answerOf(operation, type, json, made, 'assumed');
      return reshape(operation.operationId, JSON.parse(json)).then(
        (shown) => shown && answerOf(operation, type, JSON.stringify(shown.body), made, shown.provenance),
      );
    };
    let given: StateAnswer | Promise<StateAnswer>;
    try {
      given = store.transact(tenant, (draft) => run(draft, asked));
    } catch (error) {
      return unavailable(error);
    }
    return given instanceof Promise ? given.then(finish, unavailable) : finish(given);
  };

  return (accepted) => {
    const { operation, parameters, call, body, preference } = accepted;
    const byContract = (): ReturnType<Payload> => payload(accepted);
    if (preference) return byContract();
    const request = { tenant: tenantOf(call, parameters), parameters, query: call.query, body };
    if (isMadeFirst(operation)) {
      return Promise.resolve(byContract()).then(async (made) => {
        if (made.status >= 300) return made;
        const [type = ''] = headerOf(made, 'content-type')?.split(';', 1) ?? [];
        const answered = await answerFor(operation, request, made);
        // what is no JSON was negotiated, and shows what the contract shows
        return answered && (answered.status >= 300 || isJsonMedia(type.trim().toLowerCase())) ? answered : made;
      });
    }
    const answered = answerFor(operation, request);
    return answered instanceof Promise ? answered.then((late) => late ?? byContract()) : (answered ?? byContract());
  };
}

/** True where the contract's own answer says what is shown, or how: by Prism, of which type, with which header fields. */
function isMadeFirst({ response }: PlannedOperation): boolean {
  const isMade = response.media.every(({ examples }) => examples.length > 0);
  return !isMade || response.media.length > 1 || response.headers.length > 0;
}

/** @param made What the contract alone would answer, where that had to be made first: its status and header fields are kept. */
function answerOf(
  { response }: PlannedOperation,
  type: string,
  json: string,
  made: Answer | undefined,
  provenance: Provenance,
): Answer {
  const bytes = Buffer.from(json);
  if (!made) return answer(response.status, { type, bytes }, provenance);
  const own = new Set(['content-type', 'content-length', 'x-mock-provenance']);
  const more = made.headers.filter((_, index) => !own.has(made.headers[index - (index % 2)] ?? ''));
  return answer(made.status, { type: headerOf(made, 'content-type') ?? type, bytes }, provenance, more);
}
