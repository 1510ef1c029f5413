import type { Roles } from '../../../generated/mock/entities.ts';
import { parts } from '../../../generated/mock/parts.ts';

/** Ids of seed records with a role in the package's own contract (`mocks/entities.yaml`). All of them are assumed. */
export const PARAMETER_ROLES: Roles = parts.entities.file.roles ?? {};

export const ASSUMED_PARAMETERS: Readonly<Record<string, string>> = PARAMETER_ROLES.parameters ?? {};
