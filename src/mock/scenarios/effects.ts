import type { FieldChange, ScenarioAnswer, ScenarioRule } from '../../../generated/mock/scenario.ts';
import type { PlannedOperation } from '../compile/plan.ts';
import { withdrawn } from '../compile/withdrawn.ts';
import {
  type Answer,
  answer,
  BODILESS,
  headerOf,
  tokenIn,
  withBody,
  withHeader,
  withHeaders,
} from '../message/answer.ts';
import { problem } from '../message/problem.ts';
import { isExpired, refusedToken } from '../tokens/bearer.ts';
import type { TokenAuthority } from '../tokens/token-authority.ts';
import { changeFields } from './change.ts';
import { faultOf } from './faults.ts';

/** Members of a rule that select its requests and limit how often it applies. All other members are effects. */
type Selection = 'operations' | 'deprecated' | 'parameters' | 'after' | 'times' | 'probability';
export type EffectName = Exclude<keyof ScenarioRule, Selection>;
export type OptionsOf<Name extends EffectName> = Exclude<ScenarioRule[Name], undefined>;

export type Stage = 'upload' | 'arrival' | 'token' | 'body' | 'answer';

export interface Scene {
  readonly scenario: string;
  /** A number from 0 to 1, exclusive, that depends on the mock's seed. */
  readonly random: () => number;
  /** Milliseconds since the epoch, by the clock of the mock. */
  readonly now: () => number;
  readonly tokens: TokenAuthority;
  readonly titleOf: (problem: string) => string | undefined;
}

export interface Struck {
  readonly operation: PlannedOperation;
  /** The Authorization field; empty if it is missing. */
  readonly token: string;
  /** Header fields to add to the answer, even to the mock's own. */
  readonly headers: string[];
}

/** An effect of an active rule. It counts for itself. */
export interface ScenarioEffect {
  readonly stage: Stage;
  concerns?(operation: PlannedOperation): boolean;
  /** Decides which requests the rule applies to, instead of the rule's own counts. `due` evaluates those counts. */
  strikes?(token: string, due: () => boolean): boolean;
  /** An answer instead of the mock's own; undefined lets the request pass. */
  says?(request: Struck): Answer | undefined;
  /** Changes an answer; undefined if the effect does not apply to it. */
  shapes?(given: Answer): Answer | undefined;
  /** Milliseconds to delay the answer. */
  waits?(): number;
  /** Milliseconds between the loss of the connection and the act. */
  readonly losesFor?: number;
}

/** All effects. They shape an answer in this order, and a rule's first effect determines its stage. */
export const SCENARIO_EFFECTS: {
  readonly [Name in EffectName]: (options: OptionsOf<Name>, scene: Scene) => ScenarioEffect;
} = {
  expired: (status) => ({
    stage: 'answer',
    shapes: (given) => (isExpired(given) ? withStatus(given, status) : undefined),
  }),

  issue: (_, { tokens }) => ({ stage: 'answer', shapes: holdToken(tokens) }),

  token({ refuse, which }) {
    let first: string | undefined;
    return {
      stage: 'token',
      strikes(token, due) {
        if (which === 'every') return due();
        if (first === undefined && due()) first = token;
        return first === token;
      },
      says: () => refusedToken(refuse),
    };
  },

  quota: (options, { now }) => ({ stage: 'token', says: countRequests(options, now) }),

  answer(options, scene) {
    const { at = 'arrival' } = options;
    const given = (): Answer => answerOf(options, scene);
    return at === 'answer' ? { stage: at, shapes: given } : { stage: at, says: given };
  },

  withdraw: (status) => ({
    stage: 'arrival',
    concerns: (operation) => operation.deprecated,
    says: ({ operation }) => withdrawn(operation, status),
  }),

  change: (changes) => ({ stage: 'answer', shapes: (given) => changed(given, changes) }),

  rewrite: ({ type, body }) => ({
    stage: 'answer',
    shapes(given) {
      const result = type === undefined || !given.body ? given : asType(given, type);
      if (body === 'nothing') return withBody(result, Buffer.alloc(0));
      return body === 'malformed-json' && result.body ? withBody(result, broken(result.body)) : result;
    },
  }),

  fault(options) {
    const shapes = (given: Answer): Answer => ({ ...given, wire: faultOf(options) });
    if (options.kind === 'reset-late') return { stage: 'arrival', losesFor: options.over ?? LATE, shapes };
    if (options.kind !== 'reset-upload') return { stage: 'answer', shapes };
    return { stage: 'upload', says: () => problem('scenario', 'the connection is reset on purpose'), shapes };
  },

  delay: (options, { random }) => ({
    stage: 'arrival',
    waits() {
      if (typeof options === 'number') return options;
      const [least, most] = options.between;
      return least + random() * (most - least);
    },
  }),
};

export const EFFECT_NAMES = Object.keys(SCENARIO_EFFECTS) as readonly EffectName[];

/** Scripts of such an answer do not run: a scenario may be someone else's, and the mock's page has the same origin. */
function asType(given: Answer, type: string): Answer {
  return withHeaders(withHeader(given, 'content-type', type), ['content-security-policy', 'sandbox']);
}

function answerOf(options: ScenarioAnswer, { scenario, titleOf }: Scene): Answer {
  const { status, problem: name, body, detail = `the scenario ${scenario} answers so` } = options;
  const headers = Object.entries(options.headers ?? {}).flat();
  if (name === undefined && body !== undefined && !BODILESS.has(status)) {
    const [bytes, type] =
      typeof body === 'string' ? [body, 'text/plain; charset=utf-8'] : [JSON.stringify(body), 'application/json'];
    const plain = answer(status, { type, bytes: Buffer.from(bytes) }, 'assumed', headers);
    const given = options.type === undefined ? plain : asType(plain, options.type);
    return { ...given, issued: tokenIn(given) };
  }
  if (status < 400) return answer(status, null, 'assumed', headers);
  const errors = options.errors?.map((error) => ({ in: 'body', ...error }));
  const title = titleOf(name ?? '');
  const kind = name !== undefined && title !== undefined ? { name, title, status } : 'scenario';
  return problem(kind, detail, { status, headers, members: errors ? { errors } : {} });
}

/** Default milliseconds between the loss of the connection and a late act. */
const LATE = 1_000;

const REMEMBERED = 1_000;

/** A quota per token (draft-ietf-httpapi-ratelimit-headers). Windows start with a request. Excess: 429. */
function countRequests({ limit, window }: OptionsOf<'quota'>, now: () => number): NonNullable<ScenarioEffect['says']> {
  const windows = new Map<string, { until: number; used: number }>();
  return ({ token, headers }) => {
    const at = now();
    let current = windows.get(token);
    if (current === undefined || at >= current.until) {
      current = { until: at + window * 1000, used: 0 };
      windows.delete(token);
      windows.set(token, current);
      if (windows.size > REMEMBERED) windows.delete(String(windows.keys().next().value));
    }
    current.used += 1;
    const left = Math.max(0, limit - current.used);
    const seconds = Math.max(1, Math.ceil((current.until - at) / 1000));
    headers.push('ratelimit-policy', `"token";q=${limit};w=${window}`, 'ratelimit', `"token";r=${left};t=${seconds}`);
    if (current.used <= limit) return undefined;
    return problem('scenario', `the quota of this token is ${limit} requests in ${window} s`, {
      status: 429,
      headers: ['retry-after', String(seconds)],
    });
  };
}

/** Repeats the previous token response, with the remaining lifetime, until its token expires. */
function holdToken(tokens: TokenAuthority): NonNullable<ScenarioEffect['shapes']> {
  let held: Answer | undefined;
  return (given) => {
    if (given.status !== 200) return undefined;
    if (given.issued === undefined) return given;
    const until = held?.issued && tokens.aliveUntil(held.issued.value);
    // a token in its last, promised second is still accepted, but is not sent again
    if (!held?.body || until === undefined || tokens.now() >= until * 1000) {
      held = given;
      return given;
    }
    const body = JSON.parse(held.body.toString()) as Record<string, unknown>;
    return withBody(held, Buffer.from(JSON.stringify({ ...body, expires_in: tokens.left(until) })));
  };
}

function withStatus(given: Answer, status: number): Answer {
  const { detail = '' } = JSON.parse(String(given.body)) as { readonly detail?: string };
  const challenge = headerOf(given, 'www-authenticate');
  const headers = challenge === undefined ? [] : ['www-authenticate', challenge];
  return problem('scenario', detail, { status, headers });
}

function changed(given: Answer, changes: readonly FieldChange[]): Answer | undefined {
  if (given.status < 200 || given.status > 299 || !given.body) return undefined;
  if (!/json/.test(headerOf(given, 'content-type') ?? '')) return undefined;
  const value = JSON.parse(given.body.toString()) as unknown;
  return changeFields(value, changes) ? withBody(given, Buffer.from(JSON.stringify(value))) : undefined;
}

/** Replaces the last byte by two others: no parser accepts the result, but a person can still read it. */
function broken(body: Buffer): Buffer {
  return Buffer.concat([body.subarray(0, -1), Buffer.from(',"')]);
}
