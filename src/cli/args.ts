import { parseArgs } from 'node:util';
import { ToolError } from '../errors.ts';
import { didYouMean } from '../text/suggest.ts';
import type { Args, Command, Flag } from './command.ts';

export type ParsedCommandLine = { readonly help: true } | { readonly help: false; readonly args: Args };

/** Reads the arguments of one command. Throws `ToolError('usage')` that names the flag. */
export function parseCommandLine(command: Command, argv: readonly string[]): ParsedCommandLine {
  const { tokens } = parseArgs({
    args: [...argv],
    options: optionsOf(command.flags),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const texts = new Map<string, string[]>();
  const switches = new Set<string>();
  const positionals: string[] = [];
  const rest: string[] = [];
  let terminated = false;

  for (const token of tokens) {
    if (token.kind === 'option-terminator') terminated = true;
    else if (token.kind === 'positional') (terminated ? rest : positionals).push(token.value);
    else if (token.name === 'help' || token.rawName === '-h') return { help: true };
    else {
      const flag = flagOf(command, token.name, token.rawName);
      const seen = texts.get(token.name);
      if (flag.value === undefined) {
        if (token.value !== undefined) throw usage(`--${token.name} takes no value.`);
        switches.add(token.name);
        continue;
      }
      if (token.value === undefined || token.value === '') throw usage(`${wanted(token.name, flag)} is missing.`);
      // `--port --host x` is a forgotten value rather than a port called --host
      if (!token.inlineValue && token.value.startsWith('-') && token.value !== '-') {
        throw usage(
          `${wanted(token.name, flag)} is missing (a value that begins with - is written --${token.name}=…).`,
        );
      }
      if (seen !== undefined && flag.repeatable !== true) {
        throw usage(`--${token.name} is given twice. Give it once.`);
      }
      texts.set(token.name, [...(seen ?? []), token.value]);
    }
  }
  const takesRest = command.synopsis?.includes('-- ') === true;
  if (!takesRest) positionals.push(...rest.splice(0));
  const [stray] = positionals;
  if (command.synopsis === undefined && stray !== undefined) {
    throw usage(`It takes no argument and got ${JSON.stringify(stray)}.`);
  }
  return { help: false, args: argsOf({ texts, switches, positionals, rest }) };
}

function optionsOf(
  flags: Command['flags'],
): Record<string, { type: 'string' | 'boolean'; multiple?: boolean; short?: string }> {
  const options: Record<string, { type: 'string' | 'boolean'; multiple?: boolean; short?: string }> = {
    help: { type: 'boolean', short: 'h' },
  };
  for (const [name, flag] of Object.entries(flags)) {
    options[name] = flag.value === undefined ? { type: 'boolean' } : { type: 'string', multiple: true };
  }
  return options;
}

function flagOf(command: Command, name: string, rawName: string): Flag {
  const flag = Object.hasOwn(command.flags, name) ? command.flags[name] : undefined;
  if (flag !== undefined && rawName.startsWith('--')) return flag;
  const known = Object.keys(command.flags).concat('help');
  throw usage(
    `Unknown flag: ${rawName}.${didYouMean(
      `--${name}`,
      known.map((word) => `--${word}`),
    )}`,
  );
}

interface GivenArguments {
  readonly texts: ReadonlyMap<string, readonly string[]>;
  readonly switches: ReadonlySet<string>;
  readonly positionals: readonly string[];
  readonly rest: readonly string[];
}

function argsOf(given: GivenArguments): Args {
  const text = (name: string): string | undefined => given.texts.get(name)?.[0];
  return {
    positionals: given.positionals,
    rest: given.rest,
    text,
    list: (name) => given.texts.get(name) ?? [],
    switch: (name) => given.switches.has(name),
    value: (name, parse) => {
      const value = text(name);
      return value === undefined ? undefined : parse(value);
    },
    integer(name, { min, max }) {
      const value = text(name);
      if (value === undefined) return undefined;
      const number = /^-?\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
      if (number >= min && number <= max) return number;
      throw usage(`--${name} must be a whole number from ${min} to ${max}, not ${JSON.stringify(value)}.`);
    },
    choice(name, words) {
      const value = text(name);
      if (value === undefined) return undefined;
      const word = words.find((candidate) => candidate === value);
      if (word !== undefined) return word;
      throw usage(`--${name} wants ${listWords(words)}, not ${JSON.stringify(value)}.${didYouMean(value, words)}`);
    },
  };
}

function wanted(name: string, flag: Flag): string {
  return `The value ${flag.value ?? ''} of --${name}`;
}

function listWords(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

function usage(message: string): ToolError {
  return new ToolError('usage', message);
}
