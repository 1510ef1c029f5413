/** What a caller may ask of the answer by `Prefer` (RFC 7240) or, as with Prism, by `__code`, `__example`, `__dynamic` and `__seed` in the query. */
export interface Preference {
  readonly code?: number | undefined;
  readonly exampleKey?: string | undefined;
  readonly dynamic?: boolean | undefined;
  readonly seed?: string | undefined;
}

const WISH = /(?:^|[,;])\s*(code|example|dynamic|seed)\s*=\s*(?:"([^"]*)"|([^\s,;]*))/gi;

/** The wishes of a request; undefined where it has none that the mock knows, and `'invalid'` for a code that is no status of a final answer. */
export function preferenceOf(prefer: string | undefined, query: string): Preference | 'invalid' | undefined {
  const wishes = new Map<string, string>();
  for (const [, name = '', quoted, plain] of prefer?.matchAll(WISH) ?? [])
    wishes.set(name.toLowerCase(), quoted ?? plain ?? '');
  if (query.includes('__')) {
    const asked = new URLSearchParams(query);
    for (const name of ['code', 'example', 'dynamic', 'seed']) {
      const value = asked.get(`__${name}`);
      if (value !== null && !wishes.has(name)) wishes.set(name, value);
    }
  }
  if (wishes.size === 0) return undefined;
  const code = wishes.get('code');
  if (code !== undefined && !/^[2-5]\d\d$/.test(code)) return 'invalid';
  return {
    code: code === undefined ? undefined : Number(code),
    exampleKey: wishes.get('example'),
    dynamic: wishes.get('dynamic')?.toLowerCase() === 'true',
    seed: wishes.get('seed'),
  };
}
