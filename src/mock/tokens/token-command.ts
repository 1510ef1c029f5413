import type { TokenFacts } from '../../contract/contract.ts';

/** A token request in words of curl. `client` holds user and password as the shell is to read them: quoted, or variables. */
export function tokenCommand(
  facts: TokenFacts,
  url: string,
  client: readonly [user: string, password: string],
): string {
  const [user, password] = client;
  const rest = `-d grant_type=${facts.grant} ${url}`;
  if (facts.clientAuthentication === 'basic') return `curl -u ${user}:${password} ${rest}`;
  // beside its name it would be masked where the command is printed
  return `printf %s ${password} | curl --data-urlencode client_id=${user} --data-urlencode client_secret@- ${rest}`;
}
