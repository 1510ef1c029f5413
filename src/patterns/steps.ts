import type { AST } from '@eslint-community/regexpp';

/** Most alternatives that a backtracking engine may try at one position. */
const MOST_WAYS = 1000;

interface Cost {
  readonly ways: number;
  /** Consecutive loops without an upper bound. */
  readonly loops: number;
}

const FREE: Cost = { ways: 1, loops: 0 };
const TOO_MUCH: Cost = { ways: Number.POSITIVE_INFINITY, loops: 0 };

/** True if it is anchored at the start, has at most one unbounded loop, and few ways to match the rest. */
export function isSurelyFast({ alternatives }: AST.Pattern): boolean {
  const anchored = alternatives.every(({ elements: [first] }) => first?.type === 'Assertion' && first.kind === 'start');
  const { ways, loops } = ofChoice(alternatives);
  return ways <= MOST_WAYS && loops <= (anchored ? 1 : 0);
}

function ofChoice(alternatives: readonly AST.Alternative[]): Cost {
  const all = alternatives.map(({ elements }) => ofSequence(elements.map(ofElement)));
  return { ways: all.reduce((sum, { ways }) => sum + ways, 0), loops: Math.max(...all.map(({ loops }) => loops)) };
}

function ofSequence(parts: readonly Cost[]): Cost {
  return parts.reduce((all, { ways, loops }) => ({ ways: all.ways * ways, loops: all.loops + loops }), FREE);
}

function ofElement(element: AST.Element): Cost {
  switch (element.type) {
    case 'Character':
    case 'CharacterSet':
    case 'CharacterClass':
      return FREE;
    case 'Group':
    case 'CapturingGroup':
      return ofChoice(element.alternatives);
    case 'Quantifier':
      return ofLoop(element);
    case 'Assertion':
      return element.kind === 'lookahead' || element.kind === 'lookbehind' ? TOO_MUCH : FREE;
    default:
      return TOO_MUCH;
  }
}

function ofLoop({ element, min, max, greedy }: AST.Quantifier): Cost {
  const { ways, loops } = ofElement(element);
  if (ways === 1 && loops === 0 && element.type !== 'CapturingGroup' && element.type !== 'Group') {
    if (max === Number.POSITIVE_INFINITY) return greedy ? { ways: 1, loops: 1 } : TOO_MUCH;
    return { ways: max - min + 1, loops: 0 };
  }
  if (max > MOST_WAYS || (loops > 0 && max > 1)) return TOO_MUCH;
  return { ways: ways ** max * (max - min + 1), loops };
}
