import type { Contract, Operation } from '../spec/contract.ts';

/** Fills a path template; each value is percent-encoded as one segment. Null where a value is missing or empty. */
export function fillPath(template: string, values: Readonly<Record<string, string>>): string | null {
  let complete = true;
  const path = template.replace(/\{([^}]+)\}/g, (_, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    // `.` and `..` would be resolved away by any URL parser, and with them the segment.
    if (value === undefined || value === '' || value === '.' || value === '..') complete = false;
    return encodeURIComponent(value ?? '');
  });
  return complete ? path : null;
}

/** Names of the path parameters of a template, in order. */
export function pathParameters(template: string): string[] {
  return [...template.matchAll(/\{([^}]+)\}/g)].map((match) => match[1] ?? '');
}

/** Values of the path parameters where the path matches the template, else null. */
export function matchPath(template: string, path: string): Record<string, string> | null {
  const wanted = template.split('/');
  const given = path.split('/');
  if (wanted.length !== given.length) return null;
  const values: Record<string, string> = {};
  for (const [index, segment] of wanted.entries()) {
    const actual = given[index] ?? '';
    const name = /^\{([^}]+)\}$/.exec(segment)?.[1];
    if (name === undefined) {
      if (segment !== actual) return null;
    } else {
      if (actual === '') return null;
      try {
        values[name] = decodeURIComponent(actual);
      } catch {
        return null;
      }
    }
  }
  return values;
}

/** An operation that a request would reach. */
export interface Match {
  readonly operation: Operation;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Every located operation that a path could reach, whatever its method; paths of this API overlap. */
export function operationsAt(contract: Contract, path: string): Match[] {
  const matches: Match[] = [];
  for (const operation of contract.operations) {
    if (operation.path === null) continue;
    const parameters = matchPath(operation.path, path);
    if (parameters !== null) matches.push({ operation, parameters });
  }
  return matches;
}
