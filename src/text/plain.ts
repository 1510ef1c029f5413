/*
 * Characters that make text from a target dangerous. Escape sequences control a terminal, bidirectional marks reorder
 * words, invisible characters hide, and line ends forge a line. A CI system executes commands in its log.
 */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\u2028\u2029\u115f\u1160\u3164\uffa0]/gu;

/** Start of a command in the log of GitHub (`::error …::`, `##[error]`), Azure (`##vso[`), TeamCity (`##teamcity[`). */
const COMMAND = /:(?=:[a-z-]+[ :])|#(?=#\w*\[)/gi;

/** One harmless line: unsafe characters become `\x1b`, `\u202e`, `\n`. No CI system finds a command in it. */
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
