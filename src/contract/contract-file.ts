import { objectOf } from '../schema/json.ts';
/** `contract.yaml` (`schemas/contract.schema.json`). Defaults are in {@link PARTS}. */
export interface ContractFile extends Partial<Record<keyof typeof PARTS, string>> {
  readonly contract: 1;
  readonly name: string;
  readonly rules?: Readonly<Record<string, string>>;
  readonly facts?: Readonly<Record<string, FactGroup>>;
  readonly requires?: readonly string[];
  readonly maxValues?: number;
}

/** Facts that a configuration may state about one record, because no field of the reference shows them. */
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

/** The parts of a contract folder, with their default paths. */
export const PARTS = {
  spec: 'spec/openapi.yaml',
  assumptions: 'mocks/assumptions.overlay.yaml',
  entities: 'mocks/entities.yaml',
  seed: 'mocks/seed.yaml',
  seeds: 'mocks/seeds',
  profiles: 'mocks/profiles',
  scenarios: 'mocks/scenarios',
  hooks: 'mocks/hooks',
  suite: 'contracts',
} as const;

/** What fulfils a condition that the reference leaves open: members of a record or of the profile, by path (`a.b`). */
export interface Fulfilment {
  readonly record?: Readonly<Record<string, unknown>>;
  readonly profile?: Readonly<Record<string, unknown>>;
}

/** Assumptions in `entities.yaml` about conditions and limits that the reference leaves open. */
export interface Assumed {
  readonly conditions: Readonly<Record<string, Fulfilment>>;
  readonly limits: {
    /** The member of a body or record with the currency of its limits; null without an assumption. */
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

/** The assumptions that apply to a target. Fulfilment of conditions is assumed only for the mock. */
export function assumedOf(assumed: Assumed, target: 'mock' | 'url'): Assumed {
  return target === 'mock' ? assumed : { ...assumed, conditions: {} };
}
