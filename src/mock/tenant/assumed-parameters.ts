import { roles } from '../../../generated/contract.ts';
import type { Roles } from '../../../generated/mock/entities.ts';

/** Ids of seed records with a role in the package's own contract (`mocks/entities.yaml`). All of them are assumed. */
export const PARAMETER_ROLES: Roles = roles;

export const ASSUMED_PARAMETERS: Readonly<Record<string, string>> = PARAMETER_ROLES.parameters ?? {};
