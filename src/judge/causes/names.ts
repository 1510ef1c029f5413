type Style = 'camelCase' | 'PascalCase' | 'snake_case' | 'kebab-case' | 'lowercase' | 'UPPERCASE';

/** A name without its spelling: `orderId`, `order_id` and `ORDER-ID` become the same. */
export function folded(name: string): string {
  return name.replace(/[\s_.-]+/g, '').toLowerCase();
}

function styleOf(name: string): Style {
  // With or without underscores, because a single word shows no separator.
  if (name === name.toUpperCase()) return 'UPPERCASE';
  if (/[^_]_+[^_]/.test(name)) return 'snake_case';
  if (/[^-]-+[^-]/.test(name)) return 'kebab-case';
  if (/^[A-Z]/.test(name)) return 'PascalCase';
  return /[A-Z]/.test(name) ? 'camelCase' : 'lowercase';
}

/** Styles that a name of several words has only by intent. A single word fits several styles. */
const TELLING: readonly Style[] = ['snake_case', 'kebab-case', 'PascalCase', 'UPPERCASE', 'camelCase'];

export function commonStyle(names: readonly string[]): Style {
  const styles = new Set(names.map(styleOf));
  return TELLING.find((style) => styles.has(style)) ?? 'lowercase';
}
