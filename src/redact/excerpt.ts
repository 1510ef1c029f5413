export type Redact = (text: string) => string;

/** In characters: a longer text is not masked as a whole. */
const LONGEST_MASKED = 64 * 1024;
/** Longer than any secret that a run knows. */
const LONGEST_SECRET = 4096;

/** The beginning of a text that may hold secrets. Masks before it cuts: a part of a secret would not be recognised. */
export function excerpt(text: string, longest: number, redact: Redact): string {
  const masked = redact(text.slice(0, LONGEST_MASKED));
  const known = text.length > LONGEST_MASKED ? masked.slice(0, -LONGEST_SECRET) : masked;
  return known.length > longest ? `${known.slice(0, longest).replace(/[\ud800-\udbff]$/, '')}…` : known;
}
