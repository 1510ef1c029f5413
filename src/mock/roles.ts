import { truthOf } from '../spec/conditions.ts';
import { recordsIn, type Seed } from './seed.ts';
import { type Entities, idOf } from './state/entities.ts';

/** What a mock knows by itself to try its operations with. All of it is assumed. */
export interface MockRoles {
  /** A value for every path parameter. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Ids of the seed that play a role, by its name. */
  readonly ids: Readonly<Record<string, string>>;
  /** Per condition a record of the seed that does not fulfil it, by the path parameter that names it. */
  readonly failing: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export function rolesOf({ file, kinds }: Entities, seed: Seed): MockRoles {
  const { parameters = {}, ...groups } = file.roles ?? {};
  const failing: Record<string, Record<string, string>> = {};
  for (const { name, kind, value } of recordsIn(seed, file)) {
    for (const condition of Object.values(kinds[name]?.conditions ?? {})) {
      const id = idOf(kind);
      const fails = truthOf(file.conditions?.[condition], { record: value }) === false;
      if (fails) failing[condition] = { [id]: String(value[id]), ...failing[condition] };
    }
  }
  return { parameters, ids: Object.assign({}, ...Object.values(groups)), failing };
}
