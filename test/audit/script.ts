import { CARD, type CallOptions, type JournalBuilder, type TokenOptions } from './journal-builder.ts';

/** A step that needs more than words: a token request, a call, or a clock that is moved by milliseconds. */
export type Step = { readonly token: TokenOptions } | { readonly call: CallOptions } | { readonly moveClock: number };

/**
 * The exchanges of a caller, in words. A step begins with its time in milliseconds (`s`: in seconds), `+` and how long it
 * takes, and `@` and its connection:
 *
 *     0 gives T1 for 600   a token request that returns T1, for 600 seconds
 *     50 token 503         a token request that fails
 *     100+5@2 401 T1 #7    a call with T1 (the default) for the card k17, on connection 2, answered 401 after 5 ms
 *
 * A call without a token says `none`. `retry 5` is a Retry-After, `gone` a caller that does not wait, `/…` a path.
 */
export type Script = string | readonly (string | Step)[];

/** Repeats steps, with the number of each repetition. */
export function times(most: number, steps: (index: number) => string): string {
  return Array.from({ length: most }, (_, index) => steps(index)).join(', ');
}

export function play(journal: JournalBuilder, script: Script): void {
  for (const part of [script].flat()) {
    if (typeof part === 'string') for (const step of part.split(', ')) speak(journal, step);
    else if ('token' in part) journal.token(part.token);
    else if ('call' in part) journal.call(part.call);
    else journal.moveClock(part.moveClock);
  }
}

function speak(journal: JournalBuilder, step: string): void {
  const [, time = '', unit, takes, connection, rest = ''] = /^(\d+)(s?)(?:\+(\d+))?(?:@(\d+))? ?(.*)$/.exec(step) ?? [];
  if (time === '') throw new Error(`a step without a time: ${step}`);
  const wire = {
    at: Number(time) * (unit === 's' ? 1000 : 1),
    ...(takes !== undefined && { takes: Number(takes) }),
    ...(connection !== undefined && { connection: Number(connection) }),
  };
  const words = rest.split(' ');
  const after = (word: string): string | undefined => words[words.indexOf(word) + 1 || words.length];
  const status = words.find((word) => /^\d{3}$/.test(word) && word !== after('for') && word !== after('retry'));
  const answered = { ...wire, ...(status !== undefined && { status: Number(status) }) };
  const [gives, lifetime] = [after('gives'), after('for')];
  if (gives !== undefined || words[0] === 'token')
    return void journal.token({
      ...answered,
      ...(gives !== undefined && { gives }),
      ...(lifetime !== undefined && { expiresIn: /^\d+$/.test(lifetime) ? Number(lifetime) : lifetime }),
    });
  const token = words.find((word) => /^[A-Z]\d*$/.test(word));
  const path = words.find((word) => /^[/#]/.test(word))?.replace('#', CARD);
  const [method, retry] = [words.find((word) => /^[A-Z]{2,}$/.test(word)), after('retry')];
  journal.call({
    ...answered,
    ...(token !== undefined && { token }),
    ...(words.includes('none') && { token: null }),
    ...(path !== undefined && { path }),
    ...(method !== undefined && { method }),
    ...(retry !== undefined && { answers: [['retry-after', retry]] }),
    ...(words.includes('gone') && { gone: true }),
  });
}
