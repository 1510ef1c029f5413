import type { AST } from '@eslint-community/regexpp';

/** Code points, as ranges in ascending order that neither touch nor overlap. */
export type CharSet = readonly (readonly [first: number, last: number])[];

const LAST = 0x10ffff;
const SURROGATES = [0xd800, 0xdfff] as const;
const LOW_SURROGATES = 0xdc00;

/** What a character, a class or an escape of a pattern with the flag `u` stands for. */
export function charSetOf(
  node: AST.Character | AST.CharacterSet | AST.CharacterClass | AST.CharacterClassRange,
): CharSet {
  switch (node.type) {
    case 'Character':
      return [[node.value, node.value]];
    case 'CharacterClassRange':
      return [[node.min.value, node.max.value]];
    case 'CharacterClass': {
      const sets = node.elements.map((element) => charSetOf(element as AST.Character));
      const set = union(sets.flat());
      return node.negate ? complement(set) : set;
    }
    default:
      return escapeSet(node.raw);
  }
}

export function union(ranges: CharSet): CharSet {
  const found: [number, number][] = [];
  for (const [first, last] of [...ranges].sort(([a], [b]) => a - b)) {
    const before = found.at(-1);
    if (before && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else found.push([first, last]);
  }
  return found;
}

export function complement(set: CharSet): CharSet {
  const found: [number, number][] = [];
  let next = 0;
  for (const [first, last] of set) {
    if (first > next) found.push([next, first - 1]);
    next = last + 1;
  }
  if (next <= LAST) found.push([next, LAST]);
  return found;
}

export function overlap(a: CharSet, b: CharSet): boolean {
  return a.some(([first, last]) => b.some(([other, end]) => first <= end && other <= last));
}

const DIGITS: CharSet = [[0x30, 0x39]];
const WORD = union([...DIGITS, [0x41, 0x5a], [0x5f, 0x5f], [0x61, 0x7a]]);
const LINE_ENDS: CharSet = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x2028, 0x2029],
];
const SPACE = union([
  ...LINE_ENDS,
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
]);

const known = new Map<string, CharSet>([
  ['.', complement(LINE_ENDS)],
  ['\\d', DIGITS],
  ['\\D', complement(DIGITS)],
  ['\\w', WORD],
  ['\\W', complement(WORD)],
  ['\\s', SPACE],
  ['\\S', complement(SPACE)],
]);

/** A property is asked of the engine itself, so that it is what a pattern means here: of every code point at once, since there are a million. */
function escapeSet(named: string): CharSet {
  const found = known.get(named) ?? union([...matches(named), ...surrogates(named)]);
  known.set(named, found);
  return found;
}

function* matches(named: string): Iterable<readonly [number, number]> {
  for (const [run] of everyCharacter().matchAll(new RegExp(`(?:${named})+`, 'gu'))) {
    const first = run.codePointAt(0) ?? 0;
    const end = run.charCodeAt(run.length - 1);
    const last = end >= LOW_SURROGATES && end <= SURROGATES[1] ? (run.codePointAt(run.length - 2) ?? 0) : end;
    // the surrogates are not in the text
    if (first < SURROGATES[0] && last > SURROGATES[1])
      yield* [
        [first, SURROGATES[0] - 1],
        [SURROGATES[1] + 1, last],
      ];
    else yield [first, last];
  }
}

/** No property tells one surrogate from another. */
function surrogates(named: string): CharSet {
  return new RegExp(named, 'u').test('\ud800') ? [SURROGATES] : [];
}

let all = '';

function everyCharacter(): string {
  if (all !== '') return all;
  const parts: string[] = [];
  for (let from = 0; from <= LAST; from += 0x800) {
    if (from !== SURROGATES[0]) {
      parts.push(String.fromCodePoint(...Array.from({ length: 0x800 }, (_, index) => from + index)));
    }
  }
  all = parts.join('');
  return all;
}
