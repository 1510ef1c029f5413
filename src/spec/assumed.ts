import type { Fulfilment } from './conditions.ts';
import type { ContractFolder } from './folder.ts';

/** What `entities.yaml` of a contract assumes where the reference does not say what its conditions and limits depend on. */
export interface Assumed {
  /** What fulfils each condition. */
  readonly conditions: Readonly<Record<string, Fulfilment>>;
  readonly limits: {
    /** The member of a body or record in whose currency its limits count; null where none is assumed. */
    readonly currency: string | null;
  };
}

const OWN: Assumed = {
  conditions: { physical: { record: { cardType: 'PHYSICAL' } } },
  limits: { currency: 'currency' },
};

/** What counts of it for a target: when conditions hold is assumed of the mock alone. */
export function assumedOf({ isOwn }: ContractFolder, target: 'mock' | 'url'): Assumed {
  const assumed = isOwn ? OWN : { conditions: {}, limits: { currency: null } };
  return target === 'mock' ? assumed : { ...assumed, conditions: {} };
}
