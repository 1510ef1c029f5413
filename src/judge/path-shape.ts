import type { Contract } from '../contract/contract.ts';

const MOST_SEGMENTS = 16;
/** What a literal segment can look like. */
const WORD = /^(?:[a-z][a-z-]{0,15}(?:[A-Z][a-z]{1,15}){0,4}|v\d{1,2})$/;
const PLURAL = /[^suai]s$|[aeiou]es$/;
/** What paths end in, whatever they are about. */
const COMMON =
  'active all available batch bulk count current details export health history info list live me metrics new ready search self status summary version'.split(
    ' ',
  );

/**
 * The template of a path that no operation of the contract has: literal words stay, ids become `{name}`, so that it may stand in a
 * report. A segment is taken for an id where the contract has a parameter after the same word, where it does not look like a word, and
 * where it may be the name of somebody: a word that the contract does not use, after a plural or at the end of a path of another area.
 */
export function pathShape(contract: Contract, path: string): string {
  const { literals, after, words } = vocabularyOf(contract);
  const segments = path.split(/[?#]/, 1)[0]?.split('/').slice(1) ?? [];
  const end = segments.findLastIndex((segment) => segment !== '');
  const elsewhere = !literals.has(segments[0] ?? '');
  let previous = '';
  const shape = segments.slice(0, MOST_SEGMENTS).map((raw, index) => {
    const parameter = after.get(previous);
    const isName = PLURAL.test(previous) || (elsewhere && index === end && index > 0);
    const word =
      literals.has(raw) ||
      (parameter === undefined && WORD.test(raw) && (!isName || wordsIn(raw).every((each) => words.has(each))));
    previous = word ? raw : `{${parameter ?? ''}}`;
    return word || raw === '' ? raw : `{${parameter ?? 'id'}}`;
  });
  return `/${shape.join('/')}${segments.length > MOST_SEGMENTS ? '/…' : ''}`;
}

/** The literal segments of a template. */
export function pathLiterals(shape: string): string[] {
  return shape.split('/').filter((segment) => segment !== '' && !segment.startsWith('{'));
}

interface Vocabulary {
  readonly literals: ReadonlySet<string>;
  /** Name of the parameter that follows a segment somewhere in the contract. */
  readonly after: ReadonlyMap<string, string>;
  /** Words of paths, and of the names and areas of the operations, in the singular. */
  readonly words: ReadonlySet<string>;
}

const known = new WeakMap<Contract, Vocabulary>();

function vocabularyOf(contract: Contract): Vocabulary {
  const ready = known.get(contract);
  if (ready !== undefined) return ready;
  const literals = new Set<string>();
  const after = new Map<string, string>();
  const words = new Set(COMMON.flatMap(wordsIn));
  for (const { path, summary, tag } of contract.operations) {
    for (const word of wordsIn(`${path ?? ''} ${summary} ${tag}`)) words.add(word);
    let previous = '';
    for (const segment of path?.split('/').slice(1) ?? []) {
      const name = /^\{([^}]+)\}$/.exec(segment)?.[1];
      if (name === undefined) literals.add(segment);
      else if (previous !== '' && !after.has(previous)) after.set(previous, name);
      previous = name === undefined ? segment : '';
    }
  }
  const vocabulary = { literals, after, words };
  known.set(contract, vocabulary);
  return vocabulary;
}

/** Lower-case words in the singular. */
function wordsIn(text: string): string[] {
  const parts = text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return parts.filter((word) => word !== '').map((word) => word.replace(/ies$/, 'y').replace(/(?<=[^s])s$/, ''));
}
