import { parseYaml } from '../files/parse-yaml.ts';
import { readTextFile, unlessMissing } from '../files/read.ts';

/** What fulfils a condition where the reference does not say: members of a record, or of the profile, each under its path (`a.b`). */
export interface Fulfilment {
  readonly record?: Readonly<Record<string, unknown>>;
  readonly profile?: Readonly<Record<string, unknown>>;
}

/** What `entities.yaml` of a contract assumes where the reference does not say what its conditions and limits depend on. */
export interface Assumed {
  readonly conditions: Readonly<Record<string, Fulfilment>>;
  readonly limits: {
    /** The member of a body or record in whose currency its limits count; null where none is assumed. */
    readonly currency: string | null;
  };
}

/** What is assumed in a file; nothing where there is no such file. What else it must hold is for those who read all of it. */
export async function readAssumed(file: string): Promise<Assumed> {
  const text = await unlessMissing(readTextFile(file), '');
  return assumedIn(await parseYaml(text, file, 'spec-invalid'));
}

/** What the content of an `entities.yaml` assumes. */
export function assumedIn(content: unknown): Assumed {
  const { conditions, limits } = objectOf(content);
  const fulfilments = Object.entries(objectOf(conditions)).map(([name, condition]) => {
    const { record, profile } = objectOf(condition);
    return [
      name,
      {
        ...(record !== undefined && { record: objectOf(record) }),
        ...(profile !== undefined && { profile: objectOf(profile) }),
      },
    ];
  });
  const { currency } = objectOf(limits);
  return {
    conditions: Object.fromEntries(fulfilments),
    limits: { currency: typeof currency === 'string' ? currency : null },
  };
}

/** What counts of it for a target: when conditions hold is assumed of the mock alone. */
export function assumedOf(assumed: Assumed, target: 'mock' | 'url'): Assumed {
  return target === 'mock' ? assumed : { ...assumed, conditions: {} };
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
