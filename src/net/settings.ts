/** Times of a run, in seconds. */
export interface Timeouts {
  readonly connect: number;
  /** Until the first byte of an answer. */
  readonly firstByte: number;
  readonly call: number;
  /** The run ends after this time if only the token endpoint has answered. */
  readonly dead: number;
  /** Sum of all `Retry-After` waits of a run. */
  readonly retryAfter: number;
}

export interface Limits {
  /** Bytes of a response body after decompression. */
  readonly bodyBytes: number;
  readonly concurrency: number;
  readonly perSecond: number;
  /** Requests of a whole run, retries included. */
  readonly requests: number;
  /** Attempts of one call after the first. */
  readonly retries: number;
  /** Milliseconds before the first retry; doubled for each further one. */
  readonly backoff: number;
  /** Seconds after which a run ends with its results so far. */
  readonly duration: number;
}

export const DEFAULT_TIMEOUTS: Timeouts = { connect: 5, firstByte: 10, call: 30, dead: 14, retryAfter: 30 };

export const DEFAULT_LIMITS: Limits = {
  bodyBytes: 10 * 1024 * 1024,
  concurrency: 2,
  perSecond: 100,
  requests: 2000,
  retries: 2,
  backoff: 250,
  duration: 600,
};
