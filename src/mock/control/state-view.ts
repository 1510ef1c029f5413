import type { Tenants } from '../../../generated/mock/control.ts';
import { createRedactor } from '../../redact/redact.ts';
import { idOf, pluralOf, referencesOf } from '../state/entities.ts';
import type { Value } from '../state/records.ts';
import type { StateOptions } from '../state/state.ts';
import { idsIn } from '../tenant/seed.ts';
import type { Controls } from './controls.ts';

/** Masks secrets in stored records, including those under the contract's names. */
export type MaskState = <T>(value: T) => T;

export function masking({ served }: Controls): MaskState {
  const redactor = createRedactor();
  return (value) => {
    redactor.learnNames(served().plan.secrets);
    return redactor.json(value) as typeof value;
  };
}

/** A member that is sent back masked, just as displayed, keeps its value. */
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

/** Ids of existing records that belong together, by path parameter. Those of the seed if the store is down. */
export async function existingIds({ served, memory }: Controls): Promise<Record<string, string>> {
  const { plan, parts } = served();
  const { file } = parts.entities;
  const tenant = (plan.tenant && file.roles?.parameters?.[plan.tenant.name]) ?? '';
  const now = async () => memory.remembered?.store.transact(tenant, (draft) => idsIn(draft, file));
  return (await now().catch(() => undefined)) ?? memory.starts().ids();
}

/** The tenants with records (the role's tenant, seeded tenants, changed tenants) and the kinds of records. */
export async function tenantsOf(controls: Controls, state: StateOptions): Promise<Tenants> {
  const { plan, parts } = controls.served();
  const { file } = parts.entities;
  const parameter = plan.tenant?.name ?? null;
  const usual = parameter === null ? '' : file.roles?.parameters?.[parameter];
  const changed = await state.store.tenants();
  const ids = new Set([...(usual === undefined ? [] : [usual]), ...controls.memory.starts().tenants, ...changed]);
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
