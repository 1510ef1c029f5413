export interface MockLimits {
  /** Milliseconds until a request's headers must be complete; 10 000. */
  readonly headersTimeout: number;
  /** Milliseconds until a whole request must be there; 30 000. */
  readonly requestTimeout: number;
  /** Milliseconds that an idle connection is kept; 5 000. */
  readonly keepAliveTimeout: number;
  /** Bytes of a request body; 1 MiB. */
  readonly bodyBytes: number;
  /** Bytes of all header fields together; 16 KiB. */
  readonly headerBytes: number;
  /** Bytes of the request target; 8 KiB. */
  readonly targetBytes: number;
  /** Levels of nesting in a JSON body; 100. */
  readonly jsonDepth: number;
}

/** What a connection may cost the mock. Every request is answered or closed within these. */
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
