import type { Answer } from '../answer.ts';
import { member } from '../behaviour/behaviour.ts';
import { problem } from '../problem.ts';
import type { Profile } from '../profile.ts';
import type { Seed } from '../seed.ts';
import type { Kinds, UserRecord } from './kinds.ts';
import { createRandom, type Random } from './random.ts';
import type { Draft } from './records.ts';
import type { Shownable } from './show.ts';

/** A request that passed every check of form. */
export interface Asked {
  readonly customerId: string;
  /** Decoded path parameters. */
  readonly parameters: Readonly<Record<string, string>>;
  /** As sent, without `?`. */
  readonly query: string;
  readonly body: unknown;
  /** Milliseconds since the epoch, by the mock's clock. */
  readonly now: number;
}

/** What does not change from request to request. */
export interface Scene {
  readonly profile: Profile;
  readonly seed: Seed;
  /** Of what is generated. */
  readonly number: number;
  /** Maxima of the card limits by field and currency (API reference, Limits). */
  readonly maxima: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Whether a card for this user needs answered security questions (API reference, Behavioural rules 1). */
  readonly needsQuestions: (user: UserRecord) => boolean;
}

/** What an operation answers, or (with a status) why it refuses. */
export type Given =
  | { [K in Shownable]: { readonly kind: K; readonly one: Kinds[K] } }[Shownable]
  | { [K in Shownable]: { readonly kind: K; readonly all: readonly Kinds[K][] } }[Shownable]
  | { readonly value: unknown }
  | Answer;

/** What an operation does to the records of a customer. It may be run twice, and has no effect but the changes of its draft. */
export interface StateOperation {
  /** Path parameters without which it cannot know what is meant. */
  readonly needs: readonly string[];
  readonly run: (draft: Draft, asked: Asked, scene: Scene) => Given;
}

export type StateOperations = Readonly<Record<string, StateOperation>>;

/** Random values for the record of a kind that is made next. Ids follow from the seed, the customer and how many were made before. */
export function randomFor(draft: Draft, kind: Shownable | 'key', asked: Asked, scene: Scene): Random {
  return createRandom(`${scene.number}/${asked.customerId}/${kind}/${draft.next(kind)}`);
}

/** An id that no record of the kind has. */
export function freshId(draft: Draft, kind: Shownable, prefix: string, random: Random): string {
  for (;;) {
    const id = `${prefix}-${random.hex(8)}`;
    if (draft.get(kind, id) === undefined) return id;
  }
}

/** An own text member of the body. */
export function text(body: unknown, name: string): string | undefined {
  const value = member(body, name);
  return typeof value === 'string' ? value : undefined;
}

/** The texts of the body that are named, and of them only those that are there. */
export function texts<N extends string>(body: unknown, names: readonly N[]): Partial<Record<N, string>> {
  const found: Partial<Record<N, string>> = {};
  for (const name of names) {
    const value = text(body, name);
    if (value !== undefined) found[name] = value;
  }
  return found;
}

/** Nobody has the id that a path names. That the API answers 404 is assumed. */
export function notFound(kind: Shownable, parameter: string): Answer {
  return problem(404, 'not-found', `there is no ${kind} of this ${parameter} here (docs/mock-state.md)`, {
    members: { errors: [{ in: 'path', name: parameter, message: `names no ${kind}` }] },
  });
}

/** A body names something that is not there. */
export function unknownReference(kind: Shownable, name: string): Answer {
  return problem(422, 'unknown-reference', `/${name} names no ${kind} of this customer`, {
    members: { errors: [{ in: 'body', pointer: `/${name}`, message: `names no ${kind}` }] },
  });
}

/** The record that a path parameter names, of the client that the path names where it names one. */
export function named<K extends 'client' | 'user' | 'card' | 'account' | 'beneficiary' | 'transaction'>(
  draft: Draft,
  kind: K,
  { parameters }: Asked,
): Kinds[K] | Answer {
  const parameter = `${kind}Id`;
  const found = draft.get(kind, parameters[parameter] ?? '');
  const { clientId } = parameters;
  if (!found || (clientId !== undefined && found.clientId !== clientId)) return notFound(kind, parameter);
  return found;
}

/** True of a refusal. No record has a numeric status. */
export function isRefusal(given: object): given is Answer {
  return 'headers' in given;
}

export const DAY = 86_400_000;

/** ISO 8601, whole seconds, UTC. */
export function dateTime(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`;
}
