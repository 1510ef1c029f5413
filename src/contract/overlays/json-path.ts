import type { JSONPathQuery } from 'json-p3';
import { childOf, type Key, type MutableJson } from '../document-tree.ts';

interface Selected {
  readonly value: MutableJson;
  readonly location: readonly Key[];
}

export interface Query {
  /** The keys of the single node that it selects, if it consists only of names; otherwise null. */
  readonly location: readonly Key[] | null;
  select(root: MutableJson): readonly Selected[];
}

/** Compiles a JSONPath (RFC 9535). Throws an error with the reason if it is invalid. */
export type CompileJsonPath = (target: string) => Query;

/** `$` and member names only, as in nearly every action of an overlay. */
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
      // A name selects a member of an object. In an array it selects nothing.
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
