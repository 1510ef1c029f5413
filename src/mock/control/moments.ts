import type { Moment } from '../../../generated/mock/control.ts';
import { memberAt } from '../../contract/conditions.ts';
import { idOf } from '../state/entities.ts';
import type { Controls } from './controls.ts';
import { tenantIds } from './state-view.ts';

const MOST = 50;

/** What happens next by the mock's clock, the soonest first: tokens expire, records become something else (`becomes` of a kind). */
export async function momentsOf(controls: Controls): Promise<readonly Moment[]> {
  const now = controls.clock.now();
  const tokens = controls.tokens
    .list()
    .filter(({ state }) => state === 'valid')
    .map(({ jti, expiresAt }): Moment => ({ at: expiresAt, what: `token ${jti} expires` }));
  const all = [...tokens, ...(await becoming(controls))].filter(({ at }) => Date.parse(at) > now);
  return all.sort((one, other) => Date.parse(one.at) - Date.parse(other.at)).slice(0, MOST);
}

async function becoming(controls: Controls): Promise<readonly Moment[]> {
  const { state, parts } = controls;
  const kinds = Object.entries(parts().entities.file.kinds).filter(([, { becomes }]) => becomes !== undefined);
  if (!state || kinds.length === 0) return [];
  const moments: Moment[] = [];
  for (const tenant of await tenantIds(controls, state)) {
    await state.store.transact(tenant, (draft) => {
      for (const [name, kind] of kinds) {
        const { at = '', then: _, ...values } = kind.becomes ?? {};
        const words = Object.entries(values).map(([field, value]) => `${field} ${value}`);
        for (const record of draft.list(name)) {
          const time = memberAt(record, at);
          if (typeof time !== 'string' || Number.isNaN(Date.parse(time))) continue;
          moments.push({
            at: new Date(time).toISOString(),
            what: `${name} ${record[idOf(kind)]} becomes ${words.join(', ')}`,
          });
        }
      }
    });
  }
  return moments;
}
