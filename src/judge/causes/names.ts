type Style = 'camelCase' | 'PascalCase' | 'snake_case' | 'kebab-case' | 'lowercase' | 'UPPERCASE';

/** A name without what tells its spellings apart: `orderId`, `order_id` and `ORDER-ID` are one name. */
export function folded(name: string): string {
  return name.replace(/[\s_.-]+/g, '').toLowerCase();
}

function styleOf(name: string): Style {
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
