/** Plausible values that depend only on a seed and a name: the same on every machine and in every run. */
export interface Random {
  /** A whole number from 0 to `below`, exclusive. */
  number(below: number): number;
  hex(length: number): string;
  digits(length: number): string;
  oneOf<T>(choices: readonly T[]): T;
}

const PAIRS = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, '0'));
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

export function createRandom(name: string): Random {
  return randomFrom(mulberry32(hash(name)));
}

/** @param next returns 32 random bits */
export function randomFrom(next: () => number): Random {
  return {
    number: (below) => next() % below,
    hex(length) {
      let text = '';
      while (text.length < length) {
        const bits = next();
        text += `${HEX[bits >>> 24]}${HEX[(bits >>> 16) & 255]}${HEX[(bits >>> 8) & 255]}${HEX[bits & 255]}`;
      }
      return text.length === length ? text : text.slice(0, length);
    },
    digits(length) {
      let text = '';
      while (text.length < length) {
        const four = next() % 10_000;
        text += `${PAIRS[Math.floor(four / 100)]}${PAIRS[four % 100]}`;
      }
      return text.length === length ? text : text.slice(0, length);
    },
    oneOf: (choices) => choices[next() % choices.length] as (typeof choices)[number],
  };
}

/** 32-bit hash of a text (FNV-1a, then the mixing step of murmur3). */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return value ^ (value >>> 16);
}

export function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}
