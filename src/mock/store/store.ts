import type { Answer } from '../message/answer.ts';
import { problem } from '../message/problem.ts';
import type { Draft, StartRecords } from '../state/records.ts';

export type BaseOf = (tenant: string) => StartRecords;

/** A piece of work on the records of one tenant. It may be run again where another mock was faster, so it has no effect but its changes. */
export type Work<T> = (draft: Draft) => T;

/** Keeps what the mock remembers. The changes of a piece of work are kept all or none, before its result is given. Tenants are isolated. */
export interface Store {
  /** Answers at once where the store can, without a promise. */
  transact<T>(tenant: string, work: Work<T>): T | Promise<T>;
  /** Why it could not be reached, or could not keep what it was given, when it was last asked to; null where it could. */
  readonly problem: string | null;
  tenants(): readonly string[] | Promise<readonly string[]>;
  reset(tenant?: string): void | Promise<void>;
  close(): void | Promise<void>;
  /** The key with which all mocks that share it sign their tokens; absent where one mock has it for itself. */
  signingKey?(): Promise<Uint8Array>;
}

class StoreError extends Error {
  override readonly name: string = 'StoreError';
}

/** Whether a store works. It is told when it begins to fail, once until it works again. */
export class StoreHealth {
  readonly #tell: ((problem: string) => void) | undefined;
  #problem: string | null = null;

  constructor(tell?: (problem: string) => void) {
    this.#tell = tell;
  }

  get problem(): string | null {
    return this.#problem;
  }

  worked(): void {
    this.#problem = null;
  }

  failed(problem: string, cause?: unknown): StoreError {
    const isFirst = this.#problem === null;
    this.#problem = problem;
    if (isFirst) this.#tell?.(problem);
    return new StoreError(problem, { cause });
  }
}

/** The answer where the store does not take part. Anything else that was thrown is thrown again. */
export function unavailable(error: unknown): Answer {
  if (!(error instanceof StoreError)) throw error;
  return problem('store-unavailable', error.message, { headers: ['retry-after', '1'] });
}
