import { DEFAULT_PREFIX, variablesOf } from '../model/variables.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Names of variables that are likely to hold a credential. */
const CREDENTIAL =
  /(?:TOKEN|SECRET|PASSWORD|PASSWD|PASS|PASSPHRASE|KEY|CREDENTIALS?|AUTH|COOKIE|DSN|WEBHOOK|(?:^|_)PAT|_PWD)S?(?:_(?:UR[IL]|VALUE))?$|(?:DATABASE|(?:^|_)DB|REDIS|MONGO(?:DB)?|AMQP|WEBHOOK)_?UR[IL]$|^(?:AWS|GITHUB|CI_JOB)_/i;
/** An address with a user and a password. */
const USER_INFO = /:\/\/[^\s/@]*:[^\s@]+@/;

export interface Withheld {
  /** Prefix of the tool's own variables. */
  readonly prefix: string;
  /** Variables that the configuration names. */
  readonly named: readonly string[];
}

/** @param passed names of variables that the program always gets */
export function programEnvironment(
  env: Environment,
  passed: readonly string[],
  { prefix, named }: Withheld,
): { readonly env: Environment; readonly removed: readonly string[] } {
  // with another prefix, a program may still read the usual variables and call the real API
  const prefixes = [prefix, DEFAULT_PREFIX].map((one) => `${one.toUpperCase()}_`);
  const isOwn = (name: string): boolean => prefixes.some((one) => name.toUpperCase().startsWith(one));
  const isSecret = ([name, value = '']: readonly [string, string | undefined]): boolean =>
    CREDENTIAL.test(name) || isOwn(name) || named.includes(name) || USER_INFO.test(value);
  const removed = Object.entries(env).flatMap((entry) =>
    isSecret(entry) && !passed.includes(entry[0]) ? [entry[0]] : [],
  );
  const kept = Object.entries(env).filter(([name]) => !removed.includes(name));
  const { baseUrl, username, password } = variablesOf(prefix);
  const replaced = [baseUrl, username, password];
  return { env: Object.fromEntries(kept), removed: removed.filter((name) => !replaced.includes(name)).sort() };
}
