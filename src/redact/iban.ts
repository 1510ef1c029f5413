/** Length of an IBAN by country (ISO 13616 registry). */
const LENGTHS: Readonly<Record<string, number>> = {
  AD: 24,
  AE: 23,
  AL: 28,
  AT: 20,
  AZ: 28,
  BA: 20,
  BE: 16,
  BG: 22,
  BH: 22,
  BI: 27,
  BR: 29,
  BY: 28,
  CH: 21,
  CR: 22,
  CY: 28,
  CZ: 24,
  DE: 22,
  DJ: 27,
  DK: 18,
  DO: 28,
  EE: 20,
  EG: 29,
  ES: 24,
  FI: 18,
  FK: 18,
  FO: 18,
  FR: 27,
  GB: 22,
  GE: 22,
  GI: 23,
  GL: 18,
  GR: 27,
  GT: 28,
  HN: 28,
  HR: 21,
  HU: 28,
  IE: 22,
  IL: 23,
  IQ: 23,
  IS: 26,
  IT: 27,
  JO: 30,
  KW: 30,
  KZ: 20,
  LB: 28,
  LC: 32,
  LI: 21,
  LT: 20,
  LU: 20,
  LV: 21,
  LY: 25,
  MC: 27,
  MD: 24,
  ME: 22,
  MK: 19,
  MN: 20,
  MR: 27,
  MT: 31,
  MU: 30,
  NI: 28,
  NL: 18,
  NO: 15,
  OM: 23,
  PK: 24,
  PL: 28,
  PS: 29,
  PT: 25,
  QA: 29,
  RO: 24,
  RS: 22,
  RU: 33,
  SA: 24,
  SC: 31,
  SD: 18,
  SE: 24,
  SI: 19,
  SK: 24,
  SM: 27,
  SO: 23,
  ST: 25,
  SV: 28,
  TL: 23,
  TN: 24,
  TR: 26,
  UA: 29,
  VA: 22,
  VG: 24,
  XK: 20,
  YE: 30,
};

const START = /(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}/g;
const SHORTEST = 15;
const LONGEST = 34;
/** What stands between the groups of a written IBAN, percent-encoded too. */
const GAP = /(?:[ \u00a0\u202f.+-]|%20|%c2%a0){1,2}/iy;
const ALNUM = /[A-Za-z0-9]/;

/** Replaces each IBAN, with or without gaps, whatever follows it. Linear: at most 34 signs are read from each start. */
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

/** Where the IBAN that begins here ends, or -1. */
function ibanEnd(text: string, start: number): number {
  const length = LENGTHS[text.slice(start, start + 2).toUpperCase()];
  let signs = '';
  let at = start;
  while (signs.length < (length ?? LONGEST)) {
    const sign = text[at] ?? '';
    if (ALNUM.test(sign)) {
      signs += sign;
      at += 1;
      continue;
    }
    // Of an unknown country the length is known only where nothing stands between.
    if (length === undefined || signs.length < 4) break;
    GAP.lastIndex = at;
    const gap = GAP.exec(text)?.[0];
    if (gap === undefined) return -1;
    at += gap.length;
  }
  if (ALNUM.test(text[at] ?? '') || signs.length < (length ?? SHORTEST)) return -1;
  return hasRightCheckDigits(signs) ? at : -1;
}

/** Remainder 1 modulo 97. */
function hasRightCheckDigits(iban: string): boolean {
  const upper = iban.toUpperCase();
  let remainder = 0;
  for (const sign of upper.slice(4) + upper.slice(0, 4)) {
    const value = Number.parseInt(sign, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder === 1;
}
