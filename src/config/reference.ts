import { type Place, ToolError } from '../errors.ts';
import type { Environment } from './environment.ts';

const FROM_ENVIRONMENT = /^env:(.+)$/;

/** The variable that a value of the file stands for (`env:NAME`), or null where it is the value itself. */
export function variableOf(text: string): string | null {
  return FROM_ENVIRONMENT.exec(text)?.[1] ?? null;
}

/** @throws ToolError `config` that names the variable where it is not set; an empty one counts as not set. */
export function fromEnvironment(variable: string, env: Environment, place: Place | undefined): string {
  const value = env[variable];
  if (value) return value;
  throw new ToolError('config', `The environment variable ${variable} is not set.`, {
    place,
    hint: 'Set it, or take this key out of the configuration.',
  });
}
