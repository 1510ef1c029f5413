import type { AST } from '@eslint-community/regexpp';
import { type CharSet, charSetOf, overlap } from './char-set.ts';

/** One character of a pattern, and those that may come after it: one that can be come to in two ways stands there twice. */
interface Position {
  readonly set: CharSet;
  readonly next: Position[];
}

/** A part of a pattern, by the characters that it may begin and end with. */
interface Piece {
  readonly first: readonly Position[];
  readonly last: readonly Position[];
  readonly empty: boolean;
}

/** Patterns with more characters than this are not looked into. */
const MOST_POSITIONS = 4096;
/** Longest match of a pattern that may begin anywhere in a text, and of what looks around. */
const LONGEST = 256;

const EMPTY: Piece = { first: [], last: [], empty: true };

/**
 * True where a backtracking engine provably needs time in proportion to the text: no character that comes next ever leaves it a choice,
 * and either the text is matched from its start only, or every match is short. False says nothing.
 */
export function isLinear(pattern: AST.Pattern): boolean {
  const anchored = pattern.alternatives.every(
    ({ elements: [first] }) => first?.type === 'Assertion' && first.kind === 'start',
  );
  return (
    (anchored || longest(pattern.alternatives.map(withoutTail)) <= LONGEST) && isDeterministic(pattern.alternatives)
  );
}

/** Once what a pattern ends with was there as often as it must, the text matches. */
function withoutTail({ elements }: AST.Alternative): Part[] {
  const last = elements.at(-1);
  return last?.type === 'Quantifier'
    ? [...elements.slice(0, -1), ...Array<Part>(last.min).fill(last.element)]
    : elements;
}

function isDeterministic(alternatives: readonly AST.Alternative[]): boolean {
  const positions: Position[] = [];
  const whole = new Builder(positions).choice(alternatives);
  return whole !== null && [whole.first, ...positions.map(({ next }) => next)].every(areDisjoint);
}

function areDisjoint(positions: readonly Position[]): boolean {
  return positions.every(({ set }, index) => positions.slice(index + 1).every((other) => !overlap(set, other.set)));
}

/** Makes pieces of the nodes of a pattern; null where there is nothing to prove. */
class Builder {
  readonly #positions: Position[];

  constructor(positions: Position[]) {
    this.#positions = positions;
  }

  choice(alternatives: readonly AST.Alternative[]): Piece | null {
    const pieces: Piece[] = [];
    for (const { elements } of alternatives) {
      const piece = this.#sequence(elements.map((element) => () => this.#element(element)));
      if (piece === null) return null;
      pieces.push(piece);
    }
    // to match nothing in two ways is a choice that no character settles
    if (pieces.filter(({ empty }) => empty).length > 1) return null;
    return {
      first: pieces.flatMap(({ first }) => first),
      last: pieces.flatMap(({ last }) => last),
      empty: pieces.some(({ empty }) => empty),
    };
  }

  #sequence(makers: Iterable<() => Piece | null>): Piece | null {
    let whole = EMPTY;
    for (const make of makers) {
      const piece = make();
      if (piece === null) return null;
      for (const { next } of whole.last) next.push(...piece.first);
      whole = {
        first: whole.empty ? [...whole.first, ...piece.first] : whole.first,
        last: piece.empty ? [...whole.last, ...piece.last] : piece.last,
        empty: whole.empty && piece.empty,
      };
    }
    return whole;
  }

  #element(element: AST.Element): Piece | null {
    switch (element.type) {
      case 'Character':
      case 'CharacterSet':
      case 'CharacterClass':
        return this.#character(charSetOf(element));
      case 'Group':
        return element.modifiers === null ? this.choice(element.alternatives) : null;
      case 'CapturingGroup':
        return this.choice(element.alternatives);
      case 'Quantifier':
        return this.#repetition(element);
      case 'Assertion':
        return isCheap(element) ? EMPTY : null;
      default:
        return null;
    }
  }

  #character(set: CharSet): Piece | null {
    if (this.#positions.length === MOST_POSITIONS) return null;
    const position = { set, next: [] };
    this.#positions.push(position);
    return { first: [position], last: [position], empty: false };
  }

  /** What must be there is written out as often as it must; what may follow is a loop of the last. */
  #repetition({ element, min, max }: AST.Quantifier): Piece | null {
    if (max === 0) return EMPTY;
    if (min > MOST_POSITIONS) return null;
    const once = (): Piece | null => {
      const piece = this.#element(element);
      // how often nothing was matched is a choice, too
      return piece?.empty === true && !(min === 1 && max === 1) ? null : piece;
    };
    const looped = (): Piece | null => {
      const piece = once();
      if (piece !== null && max > Math.max(min, 1)) for (const { next } of piece.last) next.push(...piece.first);
      return piece;
    };
    const piece = this.#sequence([...Array.from({ length: Math.max(min, 1) - 1 }, () => once), looped]);
    return piece === null ? null : { ...piece, empty: piece.empty || min === 0 };
  }
}

/** What a look around costs does not depend on the text, where it is short; what looks back is read from its end. */
function isCheap(assertion: AST.Assertion): boolean {
  if (assertion.kind !== 'lookahead' && assertion.kind !== 'lookbehind') return true;
  const { alternatives, kind } = assertion;
  const most = kind === 'lookahead' ? LONGEST : 1;
  return longest(elementsOf(alternatives)) <= most && isDeterministic(alternatives);
}

type Part = AST.Element | AST.QuantifiableElement;

function elementsOf(alternatives: readonly AST.Alternative[]): readonly (readonly Part[])[] {
  return alternatives.map(({ elements }) => elements);
}

/** Most characters that one of the alternatives may match. */
function longest(alternatives: readonly (readonly Part[])[]): number {
  return Math.max(0, ...alternatives.map((parts) => parts.reduce((sum, part) => sum + longestOf(part), 0)));
}

function longestOf(element: Part): number {
  if (element.type === 'Quantifier') {
    const one = longestOf(element.element);
    return one === 0 ? 0 : one * element.max;
  }
  if (element.type === 'Group' || element.type === 'CapturingGroup') return longest(elementsOf(element.alternatives));
  return element.type === 'Assertion' ? 0 : 1;
}
