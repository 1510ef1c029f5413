import { IBAN_LENGTHS } from '../../generated/iban-lengths.ts';
import { hasRightCheckDigits } from '../validators/iban.ts';

const START = /(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}/g;
const SHORTEST = 15;
const LONGEST = 34;
/** Separators between the groups of a written IBAN, also percent-encoded. */
const GAP = /(?:[ \u00a0\u202f.+-]|%20|%c2%a0){1,2}/iy;
const ALNUM = /[A-Za-z0-9]/;

/** Replaces each IBAN, with or without gaps, also inside a longer text. Reads at most 34 characters per start. */
export function replaceIbans(text: string, replacement: string): string {
  let out = '';
  let from = 0;
  for (const { index } of text.matchAll(START)) {
    if (index < from) continue;
    const end = ibanEnd(text, index);
    if (end === -1) continue;
    out += text.slice(from, index) + replacement;
    from = end;
  }
  return from === 0 ? text : out + text.slice(from);
}

function ibanEnd(text: string, start: number): number {
  const length = IBAN_LENGTHS[text.slice(start, start + 2).toUpperCase()];
  let signs = '';
  let at = start;
  while (signs.length < (length ?? LONGEST)) {
    const sign = text[at] ?? '';
    if (ALNUM.test(sign)) {
      signs += sign;
      at += 1;
      continue;
    }
    // for an unknown country, the length is only known without gaps
    if (length === undefined || signs.length < 4) break;
    GAP.lastIndex = at;
    const gap = GAP.exec(text)?.[0];
    if (gap === undefined) return -1;
    at += gap.length;
  }
  if (ALNUM.test(text[at] ?? '') || signs.length < (length ?? SHORTEST)) return -1;
  return hasRightCheckDigits(signs) ? at : -1;
}
