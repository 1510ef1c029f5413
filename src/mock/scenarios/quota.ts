import type { Answer, FlatHeaders } from '../http/answer.ts';
import { problem } from '../http/problem.ts';
import type { QuotaEffect } from './definition.ts';

/** Counts the requests of each token. */
export interface QuotaCounter {
  /** Counts a request. Header fields for its answer, and the answer itself where it is beyond the quota. */
  count(token: string | undefined): { readonly headers: FlatHeaders; readonly refused: Answer | undefined };
}

/** How many tokens are counted; the ones that were seen first are forgotten. */
const REMEMBERED = 1_000;

/**
 * A quota per token: `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers) with every answer, 429 and `Retry-After`
 * beyond it. A window begins with the first request in it.
 *
 * @param now milliseconds since the epoch
 */
export function createQuota({ limit, window }: QuotaEffect, now: () => number): QuotaCounter {
  const windows = new Map<string, { until: number; used: number }>();
  return {
    count(token = '') {
      const at = now();
      let current = windows.get(token);
      if (current === undefined || at >= current.until) {
        current = { until: at + window * 1000, used: 0 };
        windows.delete(token);
        windows.set(token, current);
        if (windows.size > REMEMBERED) windows.delete(String([...windows.keys()][0]));
      }
      current.used += 1;
      const left = Math.max(0, limit - current.used);
      const seconds = Math.max(1, Math.ceil((current.until - at) / 1000));
      const headers = [
        'ratelimit-policy',
        `"token";q=${limit};w=${window}`,
        'ratelimit',
        `"token";r=${left};t=${seconds}`,
      ];
      if (current.used <= limit) return { headers, refused: undefined };
      const refused = problem(429, 'scenario', `the quota of this token is ${limit} requests in ${window} s`, {
        headers: ['retry-after', String(seconds)],
      });
      return { headers, refused };
    },
  };
}
