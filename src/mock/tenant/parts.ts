import type { Contract } from '../../contract/contract.ts';
import type { ContractFolder } from '../../contract/folder.ts';
import type { Plan } from '../compile/plan.ts';
import type { Entities } from '../state/entities.ts';
import type { Hooks } from '../state/hooks.ts';
import type { Profile } from './profile.ts';
import type { Seed } from './seed.ts';

/** The parts of a mock besides the document: the rest of `mocks/`. */
export interface Parts {
  readonly folder: Pick<ContractFolder, 'profiles' | 'seed' | 'seeds' | 'confined' | 'published' | 'root'>;
  readonly entities: Entities;
  readonly hooks: Hooks;
  readonly seed: Seed;
  readonly profile: Profile;
}

export interface ContractParts {
  readonly plan: Plan;
  readonly parts: Parts;
  contract(): Promise<Contract>;
  /** The contract, for answers that depend on more than the plan. Undefined if a build made sure that no answer does. */
  readonly whole: (() => Promise<Contract>) | undefined;
}
