import type { CredentialVariables } from '../../config/environment.ts';
import { variableOf } from '../../config/reference.ts';
import { ToolError } from '../../errors.ts';
import type { Variables } from '../../model/variables.ts';
import { type Args, usage } from '../args.ts';
import type { Io } from '../command.ts';

/** Asks on the terminal; null without a terminal, with `--yes`, or if the answer is empty. */
export type Ask = (question: string) => Promise<string | null>;

export function askerOf(args: Args, io: Io): Ask {
  const { terminal } = io;
  if (args.switch('yes') || terminal === undefined) return async () => null;
  return async (question) => {
    const answer = await terminal.ask(question);
    assertGoing(io);
    return answer?.trim() || null;
  };
}

/** @throws ToolError `interrupted` */
export function assertGoing({ signal }: Io): void {
  if (signal.aborted) throw new ToolError('interrupted', 'Interrupted. No file was written.');
}

/** @throws ToolError `usage` unless the requests may be sent */
export async function confirm(args: Args, io: Io): Promise<void> {
  if (args.switch('yes')) return;
  if (io.terminal === undefined) throw usage('Without a terminal, init needs --yes to send these requests.');
  const answer = await io.terminal.ask('Send them? [Y/n] ');
  assertGoing(io);
  if (answer === null || !/^(?:y|yes)?$/i.test(answer.trim())) throw usage('Nothing was sent. No file was written.');
}

/** @param fallback the value of the variable, or of an earlier configuration */
export async function targetFrom(args: Args, ask: Ask, fallback: string | undefined): Promise<string> {
  const given = args.text('target') ?? fallback;
  const target = given ?? (await ask('URL of the sandbox: '));
  if (target === null) throw usage('--target is missing: the URL of the sandbox.');
  if (target === 'mock') throw usage('--target: init needs the URL of a sandbox, not the embedded mock.');
  return target;
}

/**
 * The variables of the credentials.
 * @param configured the variables of the configuration, as `env:NAME`
 * @param usual the variables by the prefix of the configuration
 * @throws ToolError `usage` if only one of them is set, or if a named one is not set
 */
export async function variablesFrom(
  args: Args,
  { env }: Io,
  ask: Ask,
  configured: CredentialVariables | undefined,
  usual: Variables,
): Promise<CredentialVariables> {
  const named = (key: 'username' | 'password'): string | undefined => {
    const text = args.text(key);
    const [, name] = /^env:([A-Za-z_]\w*)$/.exec(text ?? '') ?? [];
    // a credential that was typed by mistake must not be repeated
    if (text !== undefined && name === undefined) throw usage(`--${key} wants env:NAME, the name of a variable.`);
    return name;
  };
  const flags = { username: named('username'), password: named('password') };
  const variables = {
    username: flags.username ?? variableOf(configured?.username ?? '') ?? usual.username,
    password: flags.password ?? variableOf(configured?.password ?? '') ?? usual.password,
  };
  const isOpen = flags.username === undefined && flags.password === undefined && !env[usual.token];
  if (isOpen && !Object.values(variables).some((name) => env[name])) {
    const answer = await ask(`Variables with user name and password [${variables.username} ${variables.password}]: `);
    const [username, password, ...more] = answer?.split(/[\s,]+/).map((word) => word.replace(/^(?:env:|\$)/, '')) ?? [];
    if (answer !== null && (password === undefined || more.length > 0))
      throw usage('Name two variables: that of the user name, then that of the password.');
    Object.assign(variables, username && { username, password });
  }
  const unset = Object.values(variables).filter((name) => !env[name]);
  if (unset.length === 0 || (unset.length === 2 && !areNamed(variables, usual))) return variables;
  throw usage(`Not set: the environment variable ${unset.join(', and ')}.`, 'Set it, then run init again.');
}

/** Whether the configuration must name the variables. */
export function areNamed({ username, password }: CredentialVariables, usual: Variables): boolean {
  return username !== usual.username || password !== usual.password;
}

/** `NAME=VALUE` of a repeatable flag. */
export function pairsOf(args: Args, flag: string, wanted: string): Record<string, string> {
  const pairs = args.list(flag).map((text) => {
    const cut = text.indexOf('=');
    if (cut < 1 || cut === text.length - 1) throw usage(`--${flag} wants ${wanted}, not ${JSON.stringify(text)}.`);
    return [text.slice(0, cut), text.slice(cut + 1)] as const;
  });
  return Object.fromEntries(pairs);
}
