import { type AST, RegExpParser } from '@eslint-community/regexpp';

/** Parses with the flag `u`, as JSON Schema requires, or without it, as many documents need. */
export function treeOf(source: string): { readonly tree: AST.Pattern; readonly flags: string } | null {
  const parser = new RegExpParser({ ecmaVersion: 2025 });
  for (const flags of ['u', '']) {
    try {
      return { tree: parser.parsePattern(source, 0, source.length, { unicode: flags === 'u' }), flags };
    } catch {
      // try the next flags
    }
  }
  return null;
}
