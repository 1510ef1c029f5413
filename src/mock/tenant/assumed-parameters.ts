import type { Roles } from '../../../generated/mock/entities.ts';
import { parts } from '../../../generated/mock/parts.ts';

/** Ids of the seed that play a role in the package's own contract (`mocks/entities.yaml`). All are assumed. */
export const ROLES: Roles = parts.entities.file.roles ?? {};

/** A value for every path parameter of every operation that the mock serves. */
export const ASSUMED_PARAMETERS: Readonly<Record<string, string>> = ROLES.parameters ?? {};
