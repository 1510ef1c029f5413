import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadContract } from '../../src/contract/load.ts';
import { packageRoot } from '../../src/package-root.ts';
import type { Json } from '../../src/schema/json.ts';

const page = readFileSync(join(packageRoot, 'docs', 'spec.md'), 'utf8');

/** The words in backticks in the first cells of the tables below a heading. */
function explained(heading: string): string[] {
  const section = page.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return section
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? ''));
}

interface Ruleset {
  rules: { 'not-shown-words': { then: { functionOptions: { words: string[] } } } };
}

describe('docs/spec.md', () => {
  it('docs/spec.md explains exactly the words that x-not-shown may contain', () => {
    const ruleset = parse(readFileSync(join(packageRoot, 'schemas', 'ruleset', 'ruleset.yaml'), 'utf8')) as Ruleset;
    const { words } = ruleset.rules['not-shown-words'].then.functionOptions;
    expect(explained('Words of `x-not-shown`').sort()).toEqual([...words].sort());
  });

  it('docs/spec.md explains exactly the extensions of the contract', async () => {
    const { document } = await loadContract();
    const used = [...extensionsOf(document)];
    expect(new Set(explained('Extensions'))).toEqual(new Set(used));
  });

  it('every word of the vocabulary is used', async () => {
    const { document } = await loadContract();
    const used = new Set(wordsOf(document));
    expect(explained('Words of `x-not-shown`').filter((word) => !used.has(word))).toEqual([]);
  });
});

function extensionsOf(node: Json, found: Set<string> = new Set()): Set<string> {
  if (typeof node !== 'object' || node === null) return found;
  for (const [key, child] of Object.entries(node)) {
    if (key.startsWith('x-') && !key.startsWith('x-www-')) found.add(key);
    extensionsOf(child as Json, found);
  }
  return found;
}

function wordsOf(node: Json): string[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, child]) =>
    key === 'x-not-shown' ? (child as string[]) : wordsOf(child as Json),
  );
}
