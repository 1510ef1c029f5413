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
