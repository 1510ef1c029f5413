import type { Keys } from './keys.ts';

/** Deeper and longer than any answer of the API; what lies beyond is masked by its position only. */
const DEEPEST = 64;
const MOST_NODES = 20_000;
const LONGEST = 512;

const ACCOUNT_LIKE = /^\d{8,19}$/;
const TIME_LIKE = /^(?:(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])|1[5-9]\d{11})$/;
const DATE = /^\d{4}-\d{2}-\d{2}/;

/**
 * Secrets that a body of JSON names as such, and that may come back where no name gives them away: card tokens, passwords, answers,
 * account numbers. Keys that look like account numbers are among them. Only what is unlikely to be an ordinary word or number.
 */
export function* secretsIn(value: unknown, keys: Keys): Iterable<string> {
  const waiting: { readonly value: unknown; readonly telling: boolean; readonly depth: number }[] = [
    { value, telling: false, depth: 0 },
  ];
  for (let nodes = 0; nodes < MOST_NODES; nodes += 1) {
    const next = waiting.pop();
    if (next === undefined) return;
    const { telling, depth } = next;
    if (telling && isSecretValue(next.value)) yield String(next.value);
    if (typeof next.value !== 'object' || next.value === null || depth >= DEEPEST) continue;
    if (Array.isArray(next.value)) {
      for (const item of next.value) waiting.push({ value: item, telling, depth: depth + 1 });
      continue;
    }
    for (const [key, item] of Object.entries(next.value)) {
      if (ACCOUNT_LIKE.test(key) && !TIME_LIKE.test(key)) yield key;
      waiting.push({ value: item, telling: keys.isTelling(key), depth: depth + 1 });
    }
  }
}

function isSecretValue(value: unknown): boolean {
  if (typeof value === 'number') return Number.isSafeInteger(value) && ACCOUNT_LIKE.test(String(value));
  if (typeof value !== 'string' || value.length > LONGEST) return false;
  return /\d/.test(value) && !DATE.test(value) && !value.startsWith('[redacted');
}
