export const DEFAULT_PREFIX = 'BANKING_API';

export type Variables = ReturnType<typeof variablesOf>;

/** The names of the environment variables, by their prefix. */
export function variablesOf(prefix: string = DEFAULT_PREFIX) {
  return {
    baseUrl: `${prefix}_BASE_URL`,
    username: `${prefix}_USERNAME`,
    password: `${prefix}_PASSWORD`,
    /** A ready bearer token, for a contract without a token endpoint. */
    token: `${prefix}_TOKEN`,
    /** Of a program that `audit --drive` and `survive` run. */
    situation: `${prefix}_SITUATION`,
    requests: `${prefix}_REQUESTS`,
  };
}
