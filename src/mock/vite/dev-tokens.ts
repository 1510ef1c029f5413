import type { Mock } from '../mock.ts';

/** The token that the dev server adds to requests of its own pages. */
export interface DevTokens {
  current(): Promise<string>;
  /** The mock refused this token: the next request gets another one. */
  refused(token: string): void;
}

export function createTokens(mock: Mock): DevTokens {
  let held: { readonly value: string; readonly until: number } | undefined;
  return {
    async current() {
      if (held === undefined || mock.clock.now() >= held.until) held = await issued(mock);
      return held.value;
    },
    refused(token) {
      if (held?.value === token) held = undefined;
    },
  };
}

async function issued({ fetch, tokenCommand, credentials, clock }: Mock) {
  // without a token endpoint, the password is the bearer token
  if (tokenCommand === null) return { value: credentials.password, until: Number.POSITIVE_INFINITY };
  const answer = await fetch('/__mock/tokens', { method: 'POST' });
  const { access_token: value, expires_in } = (await answer.json()) as { access_token: string; expires_in: number };
  return { value, until: clock.now() + expires_in * 1000 };
}
