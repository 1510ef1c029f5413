import type { Provenance } from '../../spec/contract.ts';
import { type Answer, answer, headerOf } from '../answer.ts';
import { CUSTOMER_ID } from '../assumed-ids.ts';
import type { PlannedOperation } from '../plan.ts';
import { problem } from '../problem.ts';
import type { Profile } from '../profile.ts';
import type { Seed } from '../seed.ts';
import { type Store, StoreError } from '../store/store.ts';
import { isJson } from '../validate-body.ts';
import type { UserRecord } from './kinds.ts';
import type { Asked, Given, Scene, StateOperation, StateOperations } from './operation.ts';
import { ACCOUNT_OPERATIONS } from './operations/accounts.ts';
import { BENEFICIARY_OPERATIONS } from './operations/beneficiaries.ts';
import { CARD_OPERATIONS } from './operations/cards.ts';
import { CLIENT_OPERATIONS } from './operations/clients.ts';
import { FEE_OPERATIONS } from './operations/fees.ts';
import { TRANSACTION_OPERATIONS } from './operations/transactions.ts';
import { USER_OPERATIONS } from './operations/users.ts';
import type { Fit } from './shapes.ts';
import { showJson } from './show.ts';

/** Every operation that remembers something or shows what was remembered. */
export const STATE_OPERATIONS: StateOperations = {
  ...CLIENT_OPERATIONS,
  ...USER_OPERATIONS,
  ...CARD_OPERATIONS,
  ...ACCOUNT_OPERATIONS,
  ...BENEFICIARY_OPERATIONS,
  ...TRANSACTION_OPERATIONS,
  ...FEE_OPERATIONS,
};

export interface StateOptions {
  readonly store: Store;
  /** Asked again for each request, so that a changed file is served at once. */
  readonly seed: () => Seed;
  readonly profile: () => Profile;
  /** Seed of whatever is generated. */
  readonly number: number;
  readonly clock: () => number;
  /** These users need to answer security questions, and no others; undefined: as seed and profile say. */
  readonly usersNeedingQuestions: readonly string[] | undefined;
}

type Maybe<T> = T | undefined | Promise<T | undefined>;

/** What the mock remembers, of one contract. */
export interface State {
  /**
   * The answer that follows from what was sent before; undefined where the contract has this operation answer in a way of its own
   * (other shapes, by a recording; a path that does not say what is meant).
   * @param made What the contract alone would answer, where that had to be made first: its status and header fields are kept.
   */
  answer(operation: PlannedOperation, request: Omit<Asked, 'customerId' | 'now'>, made?: Answer): Maybe<Answer>;
}

/** @param fit Fits bodies to the shapes that overlays may have given them; what fits in none gives way to the contract. */
export function createState(options: StateOptions, operations: readonly PlannedOperation[], fit?: Fit): State {
  const needing = options.usersNeedingQuestions && new Set(options.usersNeedingQuestions);
  const needsQuestions = ({ userId, cardProvider }: UserRecord): boolean =>
    needing ? needing.has(userId) : (cardProvider ?? options.profile().cardProvider) === 'second';
  const maxima = operations.find(({ operationId }) => operationId === 'issueNewCard')?.maxima ?? {};
  const handled = new Map<PlannedOperation, StateOperation>();
  for (const operation of operations) {
    const known = Object.hasOwn(STATE_OPERATIONS, operation.operationId)
      ? STATE_OPERATIONS[operation.operationId]
      : undefined;
    if (known && isAnswerable(operation, known)) handled.set(operation, known);
  }
  const scene: Scene = {
    get profile() {
      return options.profile();
    },
    get seed() {
      return options.seed();
    },
    number: options.number,
    maxima,
    needsQuestions,
  };

  const write = (given: Exclude<Given, Answer>, now: number): string => {
    if ('value' in given) return JSON.stringify(given.value);
    if ('one' in given) return showJson(given.kind, given.one, options.profile(), now);
    const profile = options.profile();
    return `[${given.all.map((one) => showJson(given.kind, one, profile, now)).join(',')}]`;
  };

  return {
    answer(operation, request, made) {
      const handler = handled.get(operation);
      if (!handler) return undefined;
      const customerId = request.parameters.customerId ?? CUSTOMER_ID;
      const now = options.clock();
      const asked: Asked = { ...request, customerId, now };
      const finish = (given: Given): Answer | undefined | Promise<Answer | undefined> => {
        if ('status' in given) return given;
        const json = write(given, now);
        if (!fit) return answerOf(operation, json, made);
        return fit(operation.operationId, JSON.parse(json)).then(
          (shown) => shown && answerOf(operation, JSON.stringify(shown.body), made, shown.provenance),
        );
      };
      const given = options.store.transact(customerId, (draft) => handler.run(draft, asked, scene));
      return given instanceof Promise ? given.then(finish, unavailable) : finish(given);
    },
  };
}

/** The contract has an answer in JSON for it, of which an assumed example is shown, and its path says what is meant. */
function isAnswerable({ path, response }: PlannedOperation, { needs }: StateOperation): boolean {
  const json = response.media.find(({ type }) => isJson(type));
  return json !== undefined && json.examples.length > 0 && needs.every((name) => path.includes(`{${name}}`));
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
