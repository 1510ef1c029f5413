import type { TokenFacts } from '../spec/contract.ts';

/** A token request in words of curl. `client` holds user and password as the shell is to read them: quoted, or variables. */
export function tokenCommand(
  facts: TokenFacts,
  url: string,
  client: readonly [user: string, password: string],
): string {
  const [user, password] = client;
  const named =
    facts.clientAuthentication === 'basic'
      ? `-u ${user}:${password}`
      : `--data-urlencode client_id=${user} --data-urlencode client_secret=${password}`;
  return `curl ${named} -d grant_type=${facts.grant} ${url}`;
}
