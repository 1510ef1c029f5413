import type { Tenants } from '../../../generated/mock/control.ts';
import { createRedactor } from '../../redact/redact.ts';
import { idOf, pluralOf, referencesOf } from '../state/entities.ts';
import type { Value } from '../state/records.ts';
import type { RememberedState } from '../tenant/memory.ts';
import type { Controls } from './controls.ts';

/** What is shown of what is remembered: secrets are masked, by the names under which the contract has them, too. */
export type MaskState = <T>(value: T) => T;

export function masking({ served }: Controls): MaskState {
  const redactor = createRedactor();
  return (value) => {
    redactor.learnNames(served().plan.secrets);
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
  const { plan, parts } = controls.served();
  const { file } = parts.entities;
  const parameter = plan.tenant?.name ?? null;
  const usual = parameter === null ? '' : file.roles?.parameters?.[parameter];
  const changed = await state.store.tenants();
  const ids = new Set([...(usual === undefined ? [] : [usual]), ...state.tenants(), ...changed]);
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
