type Environment = Readonly<Record<string, string | undefined>>;

/** Names of variables that are likely to hold a credential. */
const CREDENTIAL = /(?:TOKEN|SECRET|PASSWORD|KEY|CREDENTIALS)$|^(?:AWS|GITHUB|CI_JOB)_/i;
/** Replaced by the variables of the mock. */
const OURS = /^BANKING_API_/i;

/** @param passed names of variables that the program always gets */
export function programEnvironment(
  env: Environment,
  passed: readonly string[],
): { readonly env: Environment; readonly removed: readonly string[] } {
  const removed = Object.keys(env).filter(
    (name) => (CREDENTIAL.test(name) || OURS.test(name)) && !passed.includes(name),
  );
  const kept = Object.entries(env).filter(([name]) => !removed.includes(name));
  return { env: Object.fromEntries(kept), removed: removed.filter((name) => !OURS.test(name)).sort() };
}
