import { mediaType } from '../../model/media.ts';
import type { Json } from '../../schema/json.ts';
import type { Provenance } from '../../schema/schema-document.ts';
import type { Plan, PlannedOperation } from '../compile/plan.ts';
import type { AcceptedRequest, Payload } from '../compile/request.ts';
import { type Answer, answer, headerOf, ownHeaders, warning, whenReady, withHeaders } from '../message/answer.ts';
import { isJsonMedia, mediaTypeOf, type ReceivedRequest } from '../message/call.ts';
import { type Store, unavailable } from '../store/store.ts';
import type { Profile } from '../tenant/profile.ts';
import type { Seed } from '../tenant/seed.ts';
import type { Entities } from './entities.ts';
import type { Hooks } from './hooks.ts';
import { jsonOf } from './json-of.ts';
import { type Asked, compileKinds } from './kinds.ts';
import { type Relocate, relocateFor } from './location.ts';
import { compileOperations, type StateAnswer, type StateOperation } from './operations.ts';
import { RefusedChange } from './refusals.ts';
import type { Reshape } from './reshape.ts';

export interface StateOptions {
  readonly store: Store;
  /** Called for each request, so that a changed file applies at once. */
  readonly seed: (tenant: string) => Seed;
  readonly profile: () => Profile;
  readonly number: number;
  readonly clock: () => number;
  /** Apply only the rules of the contract: every id exists, and created records are not shown. */
  readonly rulesOnly: boolean;
}

export interface Remembered {
  readonly plan: Plan;
  readonly entities: Entities;
  readonly hooks: Hooks;
  readonly tenantOf: (call: ReceivedRequest, parameters: Asked['parameters']) => string;
  /** Gives bodies the shapes of overlays. If a body has another shape, the contract's own answer is sent. */
  readonly reshape: Reshape | undefined;
}

type Maybe<T> = T | undefined | Promise<T | undefined>;

interface Handled {
  readonly run: StateOperation | undefined;
  readonly type: string | undefined;
  readonly relocate: Relocate | undefined;
}

/** Answers from state, except for `Prefer`. The contract answers first if it states more than the shape. */
export function withState(payload: Payload, options: StateOptions, remembered: Remembered): Payload {
  const { plan, entities, hooks, tenantOf, reshape } = remembered;
  const { store, seed, profile, number, clock, rulesOnly } = options;
  const runs = compileOperations(entities, compileKinds(entities, hooks, number), hooks, seed);
  const handled = new Map<PlannedOperation, Handled>(
    plan.operations.map((operation) => [
      operation,
      {
        run: runs.get(operation.operationId),
        type: operation.response.media.find(({ type }) => isJsonMedia(type))?.type,
        relocate: relocateFor(operation, plan, entities),
      },
    ]),
  );

  /** Undefined if the contract answers instead (another recorded shape, no JSON), or without state. */
  const answerFor = (request: AcceptedRequest, facts: Handled, asked: Asked, made?: Answer): Maybe<Answer> => {
    const { run } = facts;
    if (!run) return undefined;
    let given: StateAnswer | Promise<StateAnswer>;
    try {
      given = store.transact(asked.tenant, (draft) => run(draft, asked));
    } catch (error) {
      return unavailable(error);
    }
    if (!(given instanceof Promise)) return finish(request, facts, given, made);
    return given.then((late) => finish(request, facts, late, made), unavailable);
  };

  const finish = (
    request: AcceptedRequest,
    { type, relocate }: Handled,
    given: StateAnswer,
    contracts: Answer | undefined,
  ): Maybe<Answer> => {
    const { operation } = request;
    if (given instanceof RefusedChange) return rulesOnly && !given.byRule ? undefined : given.answer;
    if (rulesOnly) return undefined;
    const made = given.created && contracts && relocate ? relocate(contracts, given.created, request) : contracts;
    // the contract has no JSON answer for it
    if (type === undefined) return made;
    const json = jsonOf(given.shown);
    // the existence of state, and its values, are assumed
    if (!reshape) return answerOf(operation, type, json, made, 'assumed');
    const whole = JSON.parse(json) as Json;
    return whenReady(reshape(operation.operationId, whole), (shown) => {
      if (shown === undefined) return undefined;
      const text = shown.body === whole ? json : JSON.stringify(shown.body);
      const answered = answerOf(operation, type, text, made, shown.provenance);
      return shown.notice === undefined ? answered : withHeaders(answered, warning(shown.notice));
    });
  };

  return (accepted) => {
    const { operation, parameters, call, body, preference } = accepted;
    const facts = handled.get(operation);
    if (preference || !facts) return payload(accepted);
    const tenant = tenantOf(call, parameters);
    const isMergePatch = call.method === 'PATCH' && mediaTypeOf(call) === 'application/merge-patch+json';
    const asked: Asked = {
      tenant,
      parameters,
      query: call.query,
      body,
      isMergePatch,
      now: clock(),
      profile: profile(),
    };
    if (isMadeFirst(operation)) {
      return Promise.resolve(payload(accepted)).then(async (made) => {
        if (made.status >= 300) return made;
        const answered = await answerFor(accepted, facts, asked, made);
        // a negotiated type other than JSON gets the contract's own answer
        const isFit = answered?.body === null || isJsonMedia(mediaType(headerOf(made, 'content-type')));
        return answered && (answered.status >= 300 || isFit) ? answered : made;
      });
    }
    const answered = answerFor(accepted, facts, asked);
    if (!(answered instanceof Promise)) return answered ?? payload(accepted);
    return answered.then((late) => late ?? payload(accepted));
  };
}

/** True if the answer depends on the contract's own: generated by Prism, a negotiated type, or header fields. */
function isMadeFirst({ response }: PlannedOperation): boolean {
  const isMade = response.media.every(({ examples }) => examples.length > 0);
  return !isMade || response.media.length > 1 || response.headers.length > 0;
}

/** @param made The contract's own answer, if it was made first. Its status and header fields are kept. */
function answerOf(
  { response }: PlannedOperation,
  type: string,
  json: string,
  made: Answer | undefined,
  provenance: Provenance,
): Answer {
  const bytes = Buffer.from(json);
  if (!made) return answer(response.status, { type, bytes }, provenance);
  return answer(made.status, { type: headerOf(made, 'content-type') ?? type, bytes }, provenance, ownHeaders(made));
}
