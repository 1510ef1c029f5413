import type { Contract } from '../spec/contract.ts';

const MOST_SEGMENTS = 16;

/**
 * The template of a path that no operation of the contract has: literal words stay, ids become `{name}`, so that it may stand in a
 * report. A segment is taken for an id where the contract has a parameter after the same word, or where it does not look like a word.
 */
export function pathShape(contract: Contract, path: string): string {
  const { literals, after } = vocabularyOf(contract);
  const segments = path.split(/[?#]/, 1)[0]?.split('/').slice(1) ?? [];
  let previous = '';
  const shape = segments.slice(0, MOST_SEGMENTS).map((raw) => {
    const known = literals.has(raw);
    const parameter = after.get(previous);
    const word =
      known || (parameter === undefined && /^(?:[a-z][a-z-]{0,15}(?:[A-Z][a-z]{1,15}){0,4}|v\d{1,2})$/.test(raw));
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
}

const known = new WeakMap<Contract, Vocabulary>();

function vocabularyOf(contract: Contract): Vocabulary {
  const ready = known.get(contract);
  if (ready !== undefined) return ready;
  const literals = new Set<string>();
  const after = new Map<string, string>();
  for (const { path } of contract.operations) {
    let previous = '';
    for (const segment of path?.split('/').slice(1) ?? []) {
      const name = /^\{([^}]+)\}$/.exec(segment)?.[1];
      if (name === undefined) literals.add(segment);
      else if (previous !== '' && !after.has(previous)) after.set(previous, name);
      previous = name === undefined ? segment : '';
    }
  }
  const vocabulary = { literals, after };
  known.set(contract, vocabulary);
  return vocabulary;
}
