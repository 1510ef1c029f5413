import { REDACTED } from './mask.ts';
import { SHORTEST_SECRET } from './needles.ts';

const WORD = /[A-Za-z0-9_-]{8,}/g;
const WHOLE = /^[A-Za-z0-9_-]+$/;
const MOST = 5000;

/** Secrets that are single words, as card tokens are: looked up word by word, however many there are. */
export interface Words {
  /** False for what is no word, or too short. The case does not matter. */
  learn(secret: string): boolean;
  mask(text: string): string;
  /** Places of those in a text, in order. */
  find(text: string): (readonly [start: number, end: number])[];
}

export function createWords(): Words {
  const known = new Set<string>();
  const holds = (word: string): boolean => known.has(word.toLowerCase());
  return {
    learn(secret) {
      if (secret.length < SHORTEST_SECRET || !WHOLE.test(secret)) return false;
      const word = secret.toLowerCase();
      if (known.has(word)) return true;
      const [oldest] = known;
      if (known.size >= MOST && oldest !== undefined) known.delete(oldest);
      known.add(word);
      return true;
    },
    mask(text) {
      if (known.size === 0) return text;
      return text.replace(WORD, (word) => (holds(word) ? REDACTED : word));
    },
    find(text) {
      if (known.size === 0) return [];
      return [...text.matchAll(WORD)]
        .filter(([word]) => holds(word))
        .map(({ 0: word, index }) => [index, index + word.length] as const);
    },
  };
}
