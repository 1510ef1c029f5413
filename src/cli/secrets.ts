import { secretsFrom } from '../config/environment.ts';
import type { RedactorOptions } from '../redact/redact.ts';
import type { Io } from './command.ts';

export function secretsOf({
  env,
  secrets,
}: Io): Required<Pick<RedactorOptions, 'credentials'>> & { secrets: string[] } {
  return { ...secretsFrom(env), secrets: [...(secrets ?? [])] };
}
