/** Numbers from 0 up to 1, the same for the same seed and name (mulberry32 on an FNV-1a hash of the name). */
export function createRandom(seed: number, name: string): () => number {
  let state = 0x811c9dc5 ^ (seed >>> 0);
  for (let index = 0; index < name.length; index += 1) {
    state = Math.imul(state ^ name.charCodeAt(index), 0x01000193);
  }
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
