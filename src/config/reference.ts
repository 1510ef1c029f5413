import { type Place, ToolError } from '../errors.ts';
import type { Environment } from './environment.ts';

const FROM_ENVIRONMENT = /^env:(.+)$/;

/** The variable that a value refers to (`env:NAME`), or null for a literal value. */
export function variableOf(text: string): string | null {
  return FROM_ENVIRONMENT.exec(text)?.[1] ?? null;
}

/** @throws ToolError `config` with the name of the variable if it is not set; empty counts as not set */
export function fromEnvironment(variable: string, env: Environment, place: Place | undefined): string {
  const value = env[variable];
  if (value) return value;
  throw new ToolError('config', `The environment variable ${variable} is not set.`, {
    place,
    hint: 'Set it, or take this key out of the configuration.',
  });
}
