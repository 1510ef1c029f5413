import { type AST, RegExpParser } from '@eslint-community/regexpp';

/** As JSON Schema asks for, with the flag `u`; else without it, as many documents have it. */
export function treeOf(source: string): { readonly tree: AST.Pattern; readonly flags: string } | null {
  const parser = new RegExpParser({ ecmaVersion: 2025 });
  for (const flags of ['u', '']) {
    try {
      return { tree: parser.parsePattern(source, 0, source.length, { unicode: flags === 'u' }), flags };
    } catch {
      // the next flags
    }
  }
  return null;
}
