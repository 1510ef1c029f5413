import type { Operation } from '../../contract/contract.ts';
import { createMatcher } from '../../contract/match.ts';

/** Where in a capture the API is: at which origins, and under which prefix of the path. */
export interface Places {
  /** The one that most requests went to; empty where there is none. */
  readonly baseUrl: string;
  /** Where a request is below the base address; null for one with another address. */
  placeOf(url: string): Place | null;
}

export interface Place {
  /** Path and query below the base address. */
  readonly target: string;
  /** False where the path begins as none of the contract does: a page or a script, or what the contract does not know. */
  readonly known: boolean;
}

const LONGEST_PREFIX = 4;

/** Finds the base addresses by the requests that some operation takes. */
export function createPlaces(
  operations: readonly Operation[],
  requests: readonly { readonly method: string; readonly url: string }[],
): Places {
  const find = createMatcher(operations);
  const counts = new Map<string, number>();
  for (const { method, url } of requests) {
    const parsed = parse(url);
    if (parsed === null) continue;
    for (const prefix of prefixesOf(parsed.pathname)) {
      if (find(method, parsed.pathname.slice(prefix.length))?.kind !== 'operation') continue;
      const base = `${parsed.origin}${prefix}`;
      counts.set(base, (counts.get(base) ?? 0) + 1);
      break;
    }
  }
  // Where all is traffic that no operation takes, the beginnings of the paths still tell.
  if (counts.size === 0) countBeginnings(counts, operations, requests);
  const bases = [...counts].sort((a, b) => b[1] - a[1]).map(([base]) => base);
  const areas = new Set(operations.flatMap(({ path }) => (path === null ? [] : [path.split('/')[1] ?? ''])));
  return {
    baseUrl: bases[0] ?? '',
    placeOf(url) {
      const parsed = parse(url);
      if (parsed === null) return null;
      const path = `${parsed.origin}${parsed.pathname}`;
      const base = bases.find((candidate) => path.startsWith(`${candidate}/`));
      if (base === undefined) return null;
      const below = path.slice(base.length);
      // a web application may be served from the same origin
      return { target: `${below}${parsed.search}`, known: areas.has(below.split('/')[1] ?? '') };
    },
  };
}

/** Counts base addresses by the first two segments of paths, such as `/orders/v2/`. */
function countBeginnings(
  counts: Map<string, number>,
  operations: readonly Operation[],
  requests: readonly { readonly url: string }[],
): void {
  const beginnings = new Set(operations.flatMap(({ path }) => (path === null ? [] : [beginningOf(path)])));
  for (const { url } of requests) {
    const parsed = parse(url);
    const prefix = prefixesOf(parsed?.pathname ?? '').find((one) =>
      beginnings.has(beginningOf(parsed?.pathname.slice(one.length) ?? '')),
    );
    if (parsed === null || prefix === undefined) continue;
    const base = `${parsed.origin}${prefix}`;
    counts.set(base, (counts.get(base) ?? 0) + 1);
  }
}

function beginningOf(path: string): string {
  return path.split('/').slice(0, 3).join('/');
}

function prefixesOf(path: string): string[] {
  const segments = path.split('/');
  const prefixes: string[] = [];
  for (let count = 1; count <= Math.min(LONGEST_PREFIX, segments.length - 1); count++) {
    prefixes.push(segments.slice(0, count).join('/'));
  }
  return prefixes;
}

function parse(url: string): URL | null {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  return parsed !== null && /^https?:$/.test(parsed.protocol) ? parsed : null;
}
