import { parseArgs } from 'node:util';
import { ToolError } from '../errors.ts';
import { didYouMean } from '../text/suggest.ts';

export interface Flag {
  /** Placeholder of the value in the help, for instance `FILE`; undefined for a switch. */
  readonly value?: string;
  readonly repeatable?: boolean;
  /** Whether the flag may stand without its value. A value is written with `=`. */
  readonly optional?: boolean;
  readonly help: string;
}

export class Args {
  readonly positionals: readonly string[];
  /** The arguments after `--`, if the command's synopsis has them. */
  readonly rest: readonly string[];
  readonly #given: ReadonlyMap<string, readonly string[]>;

  constructor(positionals: readonly string[], rest: readonly string[], given: ReadonlyMap<string, readonly string[]>) {
    this.positionals = positionals;
    this.rest = rest;
    this.#given = given;
  }

  text(name: string): string | undefined {
    return this.#given.get(name)?.[0];
  }

  required(name: string, what: string): string {
    const text = this.text(name);
    if (text === undefined || text.trim() === '') throw usage(`--${name} is missing: ${what}.`);
    return text;
  }

  exactly<const Names extends readonly string[]>(
    names: Names,
    message: string,
    hint: string,
  ): { readonly [K in keyof Names]: string } {
    if (this.positionals.length !== names.length) throw usage(message, hint);
    return this.positionals as never;
  }

  list(name: string): readonly string[] {
    return this.#given.get(name) ?? [];
  }

  switch(name: string): boolean {
    return this.#given.has(name);
  }

  /** Converts the text; `parse` throws a usage error if it is invalid. */
  value<T>(name: string, parse: (text: string) => T): T | undefined {
    const text = this.text(name);
    return text === undefined ? undefined : parse(text);
  }

  integer(name: string, { min, max }: { readonly min: number; readonly max: number }): number | undefined {
    return this.value(name, (text) => {
      const number = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
      if (number >= min && number <= max) return number;
      throw usage(`--${name} must be a whole number from ${min} to ${max}, not ${JSON.stringify(text)}.`);
    });
  }

  choice<T extends string>(name: string, words: readonly T[]): T | undefined {
    return this.value(name, (text) => {
      const word = words.find((candidate) => candidate === text);
      if (word !== undefined) return word;
      const list = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(words);
      throw usage(`--${name} wants ${list}, not ${JSON.stringify(text)}.${didYouMean(text, words)}`);
    });
  }
}

/** Parses the arguments of one command; null for `--help`. Throws `ToolError('usage')` that names the flag. */
export function parseCommandLine(
  { flags, synopsis }: { readonly flags: Readonly<Record<string, Flag>>; readonly synopsis?: string },
  argv: readonly string[],
): Args | null {
  const options = Object.entries(flags).map(([name, { value, optional }]) => {
    return [name, { type: value === undefined || optional ? ('boolean' as const) : ('string' as const) }] as const;
  });
  const { tokens } = parseArgs({
    args: [...argv],
    options: Object.fromEntries(options),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const given = new Map<string, string[]>();
  const positionals: string[] = [];
  const rest: string[] = [];
  // without `--` in the synopsis, arguments after it are positionals
  let following = positionals;

  for (const token of tokens) {
    if (token.kind === 'option-terminator') following = synopsis?.includes('-- ') ? rest : positionals;
    else if (token.kind === 'positional') following.push(token.value);
    else if (token.name === 'help' || token.rawName === '-h') return null;
    else {
      const { name, rawName, value, inlineValue } = token;
      const flag = rawName.startsWith('--') && Object.hasOwn(flags, name) ? flags[name] : undefined;
      const old = given.get(name);
      if (flag === undefined) {
        const names = [...Object.keys(flags), 'help'].map((known) => `--${known}`);
        throw usage(`Unknown flag: ${rawName}.${didYouMean(`--${rawName.replace(/^-+/, '')}`, names)}`);
      }
      if (flag.value === undefined) {
        if (value !== undefined) throw usage(`--${name} takes no value.`);
        given.set(name, []);
        continue;
      }
      if (flag.optional && value === undefined) {
        given.set(name, old ?? []);
        continue;
      }
      const missing = `The value ${flag.value} of --${name} is missing`;
      if (value === undefined || value === '') throw usage(`${missing}.`);
      // in `--port --host x`, the value of --port is missing
      if (!inlineValue && value.startsWith('-') && value !== '-') {
        throw usage(`${missing} (a value that begins with - is written --${name}=…).`);
      }
      if (old !== undefined && flag.repeatable !== true) throw usage(`--${name} appears twice. Give it once.`);
      given.set(name, [...(old ?? []), value]);
    }
  }
  const [stray] = positionals;
  if (synopsis === undefined && stray !== undefined) {
    throw usage(`It takes no argument and got ${JSON.stringify(stray)}.`);
  }
  return new Args(positionals, rest, given);
}

export function usage(message: string, hint?: string): ToolError {
  return new ToolError('usage', message, { hint });
}
