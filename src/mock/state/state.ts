import type { Provenance } from '../../spec/contract.ts';
import { type Answer, answer, headerOf } from '../answer.ts';
import type { PlannedOperation } from '../plan.ts';
import { problem } from '../problem.ts';
import type { Profile } from '../profile.ts';
import type { Seed } from '../seed.ts';
import { type Store, StoreError } from '../store/store.ts';
import { isJson } from '../validate-body.ts';
import type { Entities } from './entities.ts';
import type { Hooks } from './hooks.ts';
import { type Asked, compileKinds } from './kinds.ts';
import { compileOperations, type Given } from './operations.ts';
import { Refused } from './refusals.ts';
import type { Fit } from './shapes.ts';

export interface StateOptions {
  readonly store: Store;
  /** Asked again for each request, so that a changed file is served at once. */
  readonly seed: () => Seed;
  readonly profile: () => Profile;
  /** Seed of whatever is generated. */
  readonly number: number;
  readonly clock: () => number;
  /** Only the rules of the contract are held: every id is known, and nothing that was made is shown. */
  readonly rulesOnly: boolean;
}

type Maybe<T> = T | undefined | Promise<T | undefined>;

/** What the mock remembers, of one contract. */
export interface State {
  /**
   * The answer that follows from what was sent before; undefined where the contract has this operation answer in a way of its own
   * (other shapes, by a recording; no body in JSON), or nothing is remembered of it.
   * @param made What the contract alone would answer, where that had to be made first: its status and header fields are kept.
   */
  answer(operation: PlannedOperation, request: Omit<Asked, 'now' | 'profile'>, made?: Answer): Maybe<Answer>;
}

/** @param fit Fits bodies to the shapes that overlays may have given them; what fits in none gives way to the contract. */
export function createState(options: StateOptions, entities: Entities, hooks: Hooks, fit?: Fit): State {
  const kinds = compileKinds(entities, hooks, options.number);
  const runs = compileOperations(entities, kinds, hooks, options.seed);
  return {
    answer(operation, request, made) {
      const run = runs.get(operation.operationId);
      if (!run) return undefined;
      const asked: Asked = { ...request, now: options.clock(), profile: options.profile() };
      const finish = (given: Given): Maybe<Answer> => {
        if (given instanceof Refused) return given.byRule || !options.rulesOnly ? given.answer : undefined;
        if (options.rulesOnly || !isShown(operation)) return undefined;
        const json = JSON.stringify(given.shown);
        if (!fit) return answerOf(operation, json, made);
        return fit(operation.operationId, JSON.parse(json)).then(
          (shown) => shown && answerOf(operation, JSON.stringify(shown.body), made, shown.provenance),
        );
      };
      const given = options.store.transact(request.tenant, (draft) => run(draft, asked));
      return given instanceof Promise ? given.then(finish, unavailable) : finish(given);
    },
  };
}

/** The contract has an answer in JSON for it. */
function isShown({ response }: PlannedOperation): boolean {
  return response.media.some(({ type }) => isJson(type));
}

function answerOf(
  operation: PlannedOperation,
  json: string,
  made: Answer | undefined,
  // that anything is remembered, and which states there are, is assumed
  provenance: Provenance = 'assumed',
): Answer {
  const planned = operation.response.media.find(({ type }) => isJson(type))?.type;
  const type = (made && headerOf(made, 'content-type')) ?? planned ?? 'application/json';
  const body = { type, bytes: Buffer.from(json) };
  if (!made) return answer(operation.response.status, body, provenance);
  const own = new Set(['content-type', 'content-length', 'x-mock-provenance']);
  const more = made.headers.filter((_, index) => !own.has(made.headers[index - (index % 2)] ?? ''));
  return answer(made.status, body, provenance, more);
}

function unavailable(error: unknown): Answer {
  if (error instanceof StoreError)
    return problem(503, 'store-unavailable', error.message, { headers: ['retry-after', '1'] });
  throw error;
}
