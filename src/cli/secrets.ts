import { secretsFrom } from '../config/environment.ts';
import { createRedactor, type Redactor } from '../redact/redact.ts';
import type { Io } from './command.ts';

export function secretsOf({ env, secrets }: Io) {
  return { ...secretsFrom(env), secrets: [...(secrets ?? [])] };
}

export function redactorOf(io: Io): Redactor {
  return createRedactor(secretsOf(io));
}
