import type { JsonObject, Operation } from '../contract/contract.ts';
import type { StatedFacts } from '../contract/contract-file.ts';
import type { Purpose } from '../model/call.ts';

/** One request of a check that the engine lists, in the words of Pactum. Values of path and query are percent-encoded. */
export interface RowRequest {
  readonly method: string;
  /** Path template and query. */
  readonly path: string;
  readonly pathParams: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly purpose: Purpose;
  /** What the reference documents of a good answer's JSON. */
  readonly schema?: JsonObject;
  readonly times: number;
}

export interface Row {
  readonly id: string;
  /** First segment of the paths of its requests: it tells the way out whose request it is. */
  readonly segment: string;
  readonly skipped: boolean;
  /** It needs code of its own: it turns something of the embedded mock between its requests. */
  readonly isOfMock: boolean;
  readonly requests: readonly RowRequest[];
}

/** All that the suite is told: neither the target nor anything secret. Handed to the worker by vitest's `provide`. */
export interface SuiteInput {
  readonly wayOut: string;
  /** By this key a check that the engine does not list asks for its segment. */
  readonly key: string;
  readonly rows: readonly Row[];
  /** True if the requests go to a mock to find out what a run would send. Then no expectation fails. */
  readonly rehearsal: boolean;
  /** Percent-encoded, as Pactum's `withPathParams` needs them. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly operations: readonly SuiteOperation[];
  /** What the reference documents of the resources, by their names under `components`. */
  readonly schemas: Readonly<Record<string, JsonObject>>;
  readonly facts: StatedFacts;
  /** Ids that play a role in the mock; none on any other target. */
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
  /** Why it cannot run, such as a record that the configuration does not describe. */
  readonly skip?: string | null;
}

export interface Begun {
  readonly segment: string;
  readonly skipped: boolean;
}

export interface AttemptView {
  readonly operationId: string | null;
  /** Null if there was no answer. */
  readonly status: number | null;
  /** Pseudonym of the bearer token, or null. */
  readonly tokenId: string | null;
}

/** Requests below this path are for the way out itself. */
export const CONTROL = '/~run';

/** Header fields between the suite and the way out. None of them is forwarded. */
export const RUN_HEADERS = {
  /** Status that the contract file asserts, or `refused` with its reason. */
  asserted: 'x-run-asserted',
  /** Values that each have to fill one segment of the path, percent-encoded once more and separated by `/`. */
  values: 'x-run-values',
  /** On answers: number of the exchange. */
  exchange: 'x-run-exchange',
} as const;

export interface FailedExpectation {
  /** Number of the exchange; null if it is not about a single answer. */
  readonly exchange: number | null;
  /** JSON pointer into the body, or null for the answer as a whole. */
  readonly pointer: string | null;
  /** The status itself was asserted, by its number. */
  readonly isStatus: boolean;
  readonly expected: string;
  readonly actual: string;
}

/** The check id of a test that does not state one. */
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
