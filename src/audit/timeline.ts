import { firstFrom, type Sent } from './traffic.ts';

/** Sendings in the order of one of their times, to find one that carries another token, however many carry the same. */
export interface Timeline {
  /** Whether one of them from a time on and before another passes the test and carries another token. Milliseconds. */
  hasOther(token: string | null, from: number, to: number, test: (sent: Sent) => boolean): boolean;
}

export function createTimeline(sent: readonly Sent[], timeOf: (sent: Sent) => number): Timeline {
  const items = sent.toSorted((a, b) => timeOf(a) - timeOf(b));
  const nextOther = new Uint32Array(items.length);
  for (let index = items.length - 1; index >= 0; index -= 1) {
    const same = items[index]?.token === items[index + 1]?.token;
    nextOther[index] = same ? (nextOther[index + 1] ?? items.length) : index + 1;
  }
  return {
    hasOther(token, from, to, test) {
      const end = firstFrom(items, to, timeOf);
      for (let index = firstFrom(items, from, timeOf); index < end; ) {
        const item = items[index] as Sent;
        if (item.token === token) index = nextOther[index] as number;
        else if (test(item)) return true;
        else index += 1;
      }
      return false;
    },
  };
}
