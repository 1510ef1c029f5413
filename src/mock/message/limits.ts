export interface MockLimits {
  /** Milliseconds until a request's headers must be complete; 10 000. */
  readonly headersTimeout: number;
  /** Milliseconds until the whole request must have arrived; 30 000. */
  readonly requestTimeout: number;
  /** Milliseconds until an idle connection is closed; 5 000. */
  readonly keepAliveTimeout: number;
  /** Largest request body in bytes; 1 MiB. */
  readonly bodyBytes: number;
  /** Largest size of all header fields together, in bytes; 16 KiB. */
  readonly headerBytes: number;
  /** Longest request target in bytes; 8 KiB. */
  readonly targetBytes: number;
  /** Deepest nesting in a JSON body, in levels; 100. */
  readonly jsonDepth: number;
}

/** Limits for each connection. Every request is answered or closed within them. */
const DEFAULT_LIMITS: MockLimits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 5_000,
  bodyBytes: 1024 * 1024,
  headerBytes: 16 * 1024,
  targetBytes: 8 * 1024,
  jsonDepth: 100,
};

export function limitsOf(limits: Partial<MockLimits> | undefined): MockLimits {
  return { ...DEFAULT_LIMITS, ...limits };
}
