/** ISO 7064: remainder 1 modulo 97. */
export function hasRightCheckDigits(iban: string): boolean {
  const upper = iban.toUpperCase();
  let remainder = 0;
  for (const sign of upper.slice(4) + upper.slice(0, 4)) {
    const value = Number.parseInt(sign, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder === 1;
}
