import type { Operation } from '../contract/contract.ts';
import type { StatedFacts } from '../contract/contract-file.ts';
import type { Purpose } from '../model/call.ts';
import type { JsonObject } from '../schema/json.ts';

/** One request of a check that the engine lists. */
export interface RowRequest {
  readonly method: string;
  /** Path and query, percent-encoded. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly purpose: Purpose;
  readonly times: number;
}

export interface Row {
  readonly id: string;
  /** First path segment of its requests, by which the way out identifies the check. */
  readonly segment: string;
  readonly skipped: boolean;
  /** The check controls the embedded mock between its requests, so it needs code of its own. */
  readonly isOfMock: boolean;
  readonly requests: readonly RowRequest[];
}

/** The suite's whole input, without the target and without secrets. Passed to the worker by vitest's `provide`. */
export interface SuiteInput {
  readonly wayOut: string;
  /** A check that the engine does not list uses this key to request its segment. */
  readonly key: string;
  readonly rows: readonly Row[];
  /** True if the requests go to a mock to plan a run. Then no expectation fails. */
  readonly rehearsal: boolean;
  /** Percent-encoded, as Pactum's `withPathParams` needs them. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly operations: readonly SuiteOperation[];
  /** Documented parts of the schemas, by their names under `components`. They refer to each other in `$defs`. */
  readonly schemas: Readonly<Record<string, JsonObject>>;
  readonly facts: StatedFacts;
  /** Ids that play a role in the mock; empty on any other target. */
  readonly roles: Readonly<Record<string, string>>;
}

export interface SuiteOperation extends Pick<Operation, 'operationId' | 'method' | 'path' | 'effect' | 'auth'> {
  /** JSON body of a good request, if this run knows one. */
  readonly body?: object;
  /** Documented maxima of the body's fields, by currency; empty if nothing limits them. */
  readonly maxima: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

export interface CheckOptions {
  readonly operationId?: string;
  /** Why it cannot run, for example because the configuration does not describe a record. */
  readonly skip?: string | null;
}

export type Begun = Pick<Row, 'segment' | 'skipped'>;

export interface AttemptView {
  readonly operationId: string | null;
  /** Null if there was no answer. */
  readonly status: number | null;
  /** Pseudonym of the bearer token, or null. */
  readonly tokenId: string | null;
}

/** Requests below this path are for the way out itself. */
export const CONTROL = '/~run';

/** Header fields between the suite and the way out. They are not forwarded. */
export const RUN_HEADERS = {
  /** Status that the contract file asserts, or `refused` with its reason. */
  asserted: 'x-run-asserted',
  /** Values that must each fill one path segment, percent-encoded once more and separated by `/`. */
  values: 'x-run-values',
  /** On answers: number of the exchange. */
  exchange: 'x-run-exchange',
} as const;

export interface FailedExpectation {
  /** Number of the exchange; null if it is not about a single answer. */
  readonly exchange: number | null;
  /** JSON pointer into the body, or null for the answer as a whole. */
  readonly pointer: string | null;
  /** True if the check asserts the exact status. */
  readonly isStatus: boolean;
  readonly expected: string;
  readonly actual: string;
}

/** The check id of a test that does not set one. */
export function ownId(file: string, titles: readonly string[]): string {
  const name = file.replace(/^.*[/\\]/, '').replace(/\.contract\.[jt]s$/, '');
  return `own.${name}.${titles.join(' > ')}`;
}

declare module 'vitest' {
  interface ProvidedContext {
    suite: SuiteInput;
  }
  interface TaskMeta {
    /** Id of the check; {@link ownId} without it. */
    check?: string;
    about?: CheckOptions;
  }
}
