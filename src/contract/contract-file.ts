/** `contract.yaml` (`schemas/contract.schema.json`). What is left out is as {@link PARTS} has it. */
export interface ContractFile extends Partial<Record<keyof typeof PARTS, string>> {
  readonly contract: 1;
  readonly name: string;
  readonly rules?: Readonly<Record<string, string>>;
  readonly facts?: Readonly<Record<string, FactGroup>>;
  readonly requires?: readonly string[];
  readonly maxValues?: number;
}

/** What a configuration may state of one record, because the reference has no field that says so. */
export interface FactGroup {
  readonly of: string;
  readonly members: Readonly<Record<string, FactMember>>;
}

export type StatedFacts = Readonly<Record<string, Readonly<Record<string, boolean | string | number>>>>;

export interface FactMember {
  readonly type: 'boolean' | 'string' | 'number';
  readonly condition?: string;
  readonly role?: 'currency';
}

/** The parts of a contract folder, and where each lies unless `contract.yaml` says otherwise. */
export const PARTS = {
  spec: 'spec/openapi.yaml',
  assumptions: 'mocks/assumptions.overlay.yaml',
  entities: 'mocks/entities.yaml',
  seed: 'mocks/seed.yaml',
  profiles: 'mocks/profiles',
  scenarios: 'mocks/scenarios',
  hooks: 'mocks/hooks',
  suite: 'contracts',
} as const;

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
