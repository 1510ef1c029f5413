import type { JSONPathQuery } from 'json-p3';
import { childOf, type Key, type MutableJson } from '../document-tree.ts';

interface Selected {
  readonly value: MutableJson;
  readonly location: readonly Key[];
}

export interface Query {
  /** The keys of the one node that it selects, by their names only; null for every other kind. */
  readonly location: readonly Key[] | null;
  select(root: MutableJson): readonly Selected[];
}

/** Compiles a JSONPath (RFC 9535). It throws an error that says what is wrong with it. */
export type CompileJsonPath = (target: string) => Query;

/** `$`, then member names only: the plain kind, by which nearly every action of an overlay finds its node. */
const PLAIN = /^\$(?:\.[A-Za-z_][A-Za-z0-9_]*|\['[^'\\\p{Cc}]*'\]|\["[^"\\\p{Cc}]*"\])*$/u;
const NAME = /\.([A-Za-z_][A-Za-z0-9_]*)|\['([^']*)'\]|\["([^"]*)"\]/g;

export async function compilerFor(targets: readonly MutableJson[]): Promise<CompileJsonPath> {
  if (targets.every((target) => typeof target !== 'string' || PLAIN.test(target))) return plainQuery;
  const { JSONPathEnvironment } = await import('json-p3');
  const environment = new JSONPathEnvironment({ maxRecursionDepth: 200 });
  return (target) => (PLAIN.test(target) ? plainQuery(target) : fullQuery(environment.compile(target)));
}

function plainQuery(target: string): Query {
  const location = [...target.matchAll(NAME)].map(([, dotted, single, double]) => dotted ?? single ?? double ?? '');
  return {
    location,
    select: (root) => {
      // A name selects a member of an object; of an array it selects nothing.
      const value = location.reduce<MutableJson | undefined>(
        (at, name) => (Array.isArray(at) ? undefined : childOf(at, name)),
        root,
      );
      return value === undefined ? [] : [{ value, location }];
    },
  };
}

function fullQuery(query: JSONPathQuery): Query {
  return {
    location: null,
    select: (root) => query.query(root as Parameters<JSONPathQuery['query']>[0]).nodes as readonly Selected[],
  };
}
