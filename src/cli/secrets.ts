import { secretsFrom } from '../config/environment.ts';
import { createRedactor, type Redactor, type RedactorOptions } from '../redact/redact.ts';
import type { Io } from './command.ts';

type Secrets = Required<Pick<RedactorOptions, 'credentials'>> & { readonly secrets: string[] };

export function secretsOf({ env, secrets }: Io): Secrets {
  return { ...secretsFrom(env), secrets: [...(secrets ?? [])] };
}

export function redactorOf(io: Io): Redactor {
  return createRedactor(secretsOf(io));
}
