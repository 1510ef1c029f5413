export type Style = 'camelCase' | 'PascalCase' | 'snake_case' | 'kebab-case' | 'lowercase' | 'UPPERCASE';

/** A name without what tells its spellings apart: `orderId`, `order_id` and `ORDER-ID` are one name. */
export function folded(name: string): string {
  return name.replace(/[\s_.-]+/g, '').toLowerCase();
}

export function styleOf(name: string): Style {
  // With underscores or without: of a single word nobody can tell.
  if (name === name.toUpperCase()) return 'UPPERCASE';
  if (/[^_]_+[^_]/.test(name)) return 'snake_case';
  if (/[^-]-+[^-]/.test(name)) return 'kebab-case';
  if (/^[A-Z]/.test(name)) return 'PascalCase';
  return /[A-Z]/.test(name) ? 'camelCase' : 'lowercase';
}

/** Styles that a name of several words has only where it was meant; a single word is of several styles at once. */
const TELLING: readonly Style[] = ['snake_case', 'kebab-case', 'PascalCase', 'UPPERCASE', 'camelCase'];

export function commonStyle(names: readonly string[]): Style {
  const styles = new Set(names.map(styleOf));
  return TELLING.find((style) => styles.has(style)) ?? 'lowercase';
}

export function styleIn(text: string): Style | null {
  return [...TELLING, 'lowercase' as const].find((style) => text.endsWith(` ${style}`)) ?? null;
}

/** A name in another style, as far as its spelling tells its words. */
export function restyled(name: string, style: Style): string {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(/[\s_.-]+/)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase());
  const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
  switch (style) {
    case 'snake_case':
      return words.join('_');
    case 'kebab-case':
      return words.join('-');
    case 'lowercase':
      return words.join('');
    case 'UPPERCASE':
      return words.join('').toUpperCase();
    case 'PascalCase':
      return words.map(capital).join('');
    default:
      return words.map((word, index) => (index === 0 ? word : capital(word))).join('');
  }
}
