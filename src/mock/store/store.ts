import type { Draft } from '../state/records.ts';

/** A piece of work on the records of one tenant. It may be run again where another mock was faster, so it has no effect but its changes. */
export type Work<T> = (draft: Draft) => T;

/**
 * Where the mock keeps what it remembers. What a piece of work changes is kept all together or not at all, and before its result
 * is given: what was answered is not lost. Tenants never see each other's records.
 */
export interface Store {
  /** Answers at once where the store can, without a promise. */
  transact<T>(tenant: string, work: Work<T>): T | Promise<T>;
  /** Why it could not be reached, or could not keep what it was given, when it was last asked to; null where it could. */
  readonly problem: string | null;
  /** Every tenant is as at the beginning. */
  reset(): void | Promise<void>;
  close(): void | Promise<void>;
}

/** A store that cannot be reached, or cannot keep what it is given. */
export class StoreError extends Error {
  override readonly name: string = 'StoreError';
}
