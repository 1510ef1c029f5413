import type { MockLimits } from './mock.ts';

/** What a connection may cost the mock. Every request is answered or closed within these. */
export const DEFAULT_LIMITS: MockLimits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 5_000,
  bodyBytes: 1024 * 1024,
  headerBytes: 16 * 1024,
  targetBytes: 8 * 1024,
  jsonDepth: 100,
};
