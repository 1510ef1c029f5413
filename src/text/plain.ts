/*
 * Text from a target is hostile until it is made harmless: escape sequences drive a terminal, bidirectional marks turn words
 * around, invisible characters hide, a line end begins a line that we did not write, and a CI system takes commands from its log.
 */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\u2028\u2029\u115f\u1160\u3164\uffa0]/gu;

/** How a command begins in the log of GitHub (`::error …::`, `##[error]`), Azure (`##vso[`) or TeamCity (`##teamcity[`). */
const COMMAND = /:(?=:[a-z-]+[ :])|#(?=#\w*\[)/gi;

/** One line that a terminal shows as it is: control, format and invisible characters become `\x1b`, `\u202e`, `\n`. A log takes nothing in it for a command. */
export function plain(text: string): string {
  return text.replace(UNSAFE, escapeCharacter).replace(COMMAND, escapeCharacter);
}

/** {@link plain} for several lines: line ends stay. */
export function plainLines(text: string): string {
  return text.split(/\r?\n/).map(plain).join('\n');
}

function escapeCharacter(character: string): string {
  if (character === '\n') return '\\n';
  if (character === '\r') return '\\r';
  if (character === '\t') return '\\t';
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x100) return `\\x${code.toString(16).padStart(2, '0')}`;
  return code < 0x10000 ? `\\u${code.toString(16).padStart(4, '0')}` : `\\u{${code.toString(16)}}`;
}
