import { secretsFrom } from '../config/environment.ts';
import type { RedactorOptions } from '../redact/redact.ts';
import type { Io } from './command.ts';

/** All that must not be shown: the secrets of the environment, and those that a configuration took from it. */
export function secretsOf({
  env,
  secrets,
}: Io): Required<Pick<RedactorOptions, 'credentials'>> & { secrets: string[] } {
  return { ...secretsFrom(env), secrets: [...(secrets ?? [])] };
}
