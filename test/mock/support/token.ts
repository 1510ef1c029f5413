import type { Mock } from '../../../src/mock/mock.ts';

/** A token of the mock, requested without a socket. */
export async function tokenOf(mock: Mock): Promise<{ readonly value: string; readonly jti: string }> {
  const { username, password } = mock.credentials;
  const answer = await mock.fetch('/iam/oauth/token', {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${username}:${password}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  const { access_token: value, jti } = (await answer.json()) as { access_token: string; jti: string };
  return { value, jti };
}
