import type { Answer } from '../http/answer.ts';
import type { TokenAuthority } from './token-authority.ts';

/** What a token response says of its token. */
export interface Promised {
  readonly value: string;
  /** Seconds; undefined where it does not say. */
  readonly expiresIn: number | undefined;
}

/** The token that an answer gives out; undefined where it gives none. */
export function promisedIn({ status, body }: Answer): Promised | undefined {
  if (status !== 200 || !body?.includes('"access_token"')) return undefined;
  try {
    const { access_token: value, expires_in: expiresIn } = JSON.parse(body.toString()) as Record<string, unknown>;
    if (typeof value !== 'string') return undefined;
    return { value, expiresIn: typeof expiresIn === 'number' ? expiresIn : undefined };
  } catch {
    return undefined;
  }
}

/**
 * Keeps what a token response promises: its token is accepted for `expires_in` seconds from the moment at which the answer was written,
 * also where a scenario held it back, or where the last second of the token was counted as a whole one.
 */
export function withPromise(tokens: TokenAuthority, answer: Answer): Answer {
  const promised = promisedIn(answer);
  if (promised?.expiresIn === undefined || !tokens.issuedHere(promised.value)) return answer;
  const { value, expiresIn } = promised;
  const keep = (): void => tokens.promise(value, expiresIn);
  keep();
  return { ...answer, onSent: keep };
}
