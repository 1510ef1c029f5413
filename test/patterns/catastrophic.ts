/**
 * Patterns of many kinds that take a backtracking engine years, each with a matching text: many copies of `fill`,
 * then `end`.
 */
export const CATASTROPHIC: readonly (readonly [pattern: string, fill: string, end: string])[] = [
  ['^(a+)+$', 'a', '!'],
  ['^(?:a|aa)+$', 'a', '!'],
  ['^(a|a)*$', 'a', '!'],
  ['^(.*a){20}$', 'a', '!'],
  ['^(?:a?){50}a{50}$', 'a', '!'],
  [String.raw`^(\w+\s?)*$`, 'a', '!'],
  [String.raw`^(\d+|\d+[a-z])*x$`, '1', '!'],
  ['^([a-zA-Z0-9])(([-.]|[_]+)?([a-zA-Z0-9]+))*@$', 'a', '!'],
  [String.raw`^\S+@\S+\.\S+$`, '@.', ' '],
  [String.raw`\s+$`, ' ', '!'],
  ['(x+x+)+y', 'x', '!'],
  ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a', '!'],
  ['^a*a*a*a*a*b$', 'a', '!'],
  ['^(?:[^"]+|"[^"]*")*;$', 'a', '!'],
  [String.raw`^(?=.*\d)(?=(.*[a-z])+$)(?=.*[A-Z]).{8,}$`, 'a', '!'],
  [String.raw`^(?!(?:.*-)*!$)[a-z-]+x$`, '-', '!'],
  [String.raw`^(\p{L}+['\s]?)+$`, 'é', '!'],
];
