import type { Answer } from '../message/answer.ts';
import { problem } from '../message/problem.ts';
import type { Draft, StartRecords } from '../state/records.ts';

export type BaseOf = (tenant: string) => StartRecords;

/** A unit of work on one tenant's records. It may be retried after a conflict, so its changes are its only effect. */
export type Work<T> = (draft: Draft) => T;

/** Stores the mock's state. Work is saved completely or not at all, before it returns. Tenants are isolated. */
export interface Store {
  /** Returns without a promise if the store works synchronously. */
  transact<T>(tenant: string, work: Work<T>): T | Promise<T>;
  /** Why the last read or write failed; null if it worked. */
  readonly problem: string | null;
  tenants(): readonly string[] | Promise<readonly string[]>;
  reset(tenant?: string): void | Promise<void>;
  close(): void | Promise<void>;
  /** The signing key shared by all mocks of this store; absent if a store belongs to one mock. */
  signingKey?(): Promise<Uint8Array>;
}

class StoreError extends Error {
  override readonly name: string = 'StoreError';
}

/** Whether a store works. `tell` is called when it begins to fail, and again only after it has worked. */
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

/** The answer if the store fails. Any other error is rethrown. */
export function unavailable(error: unknown): Answer {
  if (!(error instanceof StoreError)) throw error;
  return problem('store-unavailable', error.message, { headers: ['retry-after', '1'] });
}
