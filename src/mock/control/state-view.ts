import type { Tenants } from '../../../generated/mock/control.ts';
import { createRedactor } from '../../redact/redact.ts';
import { idOf, pluralOf, referencesOf } from '../state/entities.ts';
import type { Value } from '../state/records.ts';
import type { RememberedState } from '../tenant/memory.ts';
import type { Controls } from './controls.ts';

/** What is shown of what is remembered: secrets are masked, by the names under which the contract has them, too. */
export type MaskState = <T>(value: T) => T;

export function masking({ plan }: Pick<Controls, 'plan'>): MaskState {
  const redactor = createRedactor();
  return (value) => {
    redactor.learnNames(plan().secrets);
    return redactor.json(value) as typeof value;
  };
}

/** What is sent as it was shown, masked, stays what it is. */
export function unmasked(sent: Value, before: Value | undefined, mask: MaskState): Value {
  if (!before) return sent;
  const shown = mask(before);
  return Object.fromEntries(
    Object.entries(sent).map(([name, value]) => {
      const isShown = Object.hasOwn(shown, name) && JSON.stringify(shown[name]) === JSON.stringify(value);
      return [name, isShown ? before[name] : value];
    }),
  );
}

/** Whose records there are: the tenant that plays the role, those of the seed, and all that have changed something; and of which kinds. */
export async function tenantsOf(controls: Controls, state: RememberedState): Promise<Tenants> {
  const { file } = controls.parts().entities;
  const parameter = controls.plan().tenant?.name ?? null;
  const [changed, known] = await Promise.all([state.store.tenants(), tenantIds(controls, state)]);
  const ids = new Set([...known.slice(0, 1), ...state.tenants(), ...known]);
  return {
    parameter,
    tenants: [...ids].map((id) => ({ id, changed: changed.includes(id) })),
    kinds: Object.entries(file.kinds).map(([name, kind]) => ({
      name,
      plural: pluralOf(name, kind),
      id: idOf(kind),
      belongsTo: referencesOf(kind)[0]?.of ?? null,
      fields: Object.keys(kind.fields),
    })),
  };
}

/** The tenant that plays the role, and all that have changed something. */
export async function tenantIds({ plan, parts }: Controls, { store }: RememberedState): Promise<readonly string[]> {
  const { tenant } = plan();
  const usual = tenant === null ? '' : parts().entities.file.roles?.parameters?.[tenant.name];
  return [...new Set([...(usual === undefined ? [] : [usual]), ...(await store.tenants())])];
}
