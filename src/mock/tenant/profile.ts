/**
 * The kind of tenant that the mock plays. Which members there are beside these is the contract's to say: those of its default profile
 * (`mocks/profiles/default.yaml`). What another profile leaves out is as there.
 */
export interface Profile {
  readonly name: string;
  readonly description: string;
  /** Seconds. */
  readonly tokenLifetime: number;
  /** operationIds of the deprecated forms that still live; the others are withdrawn. Null: all that the contract has. */
  readonly deprecatedForms: readonly string[] | null;
  readonly [member: string]: unknown;
}

/** A profile over another one: what it leaves out, also of an object, is as there. */
export function profileOver(base: Profile, over: Readonly<Record<string, unknown>>): Profile {
  const merged = Object.entries(over).map(([name, value]) => {
    const was = base[name];
    return [name, isObject(was) && isObject(value) ? { ...was, ...value } : value];
  });
  return { ...base, ...(Object.fromEntries(merged) as Partial<Profile>) };
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
