import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../src/package-root.ts';
import { FOLDER } from './pigeons.ts';

/** The text without its indentation, and without empty lines at its ends. */
function flush(text: string): string {
  const lines = text.replace(/^\n+|\s+$/g, '').split('\n');
  const depth = Math.min(...lines.filter((line) => line !== '').map((line) => line.search(/\S/)));
  return lines.map((line) => line.slice(depth)).join('\n');
}

/** Whether a file contains the lines of a block together, at any indentation. */
function holds(file: string, block: string): boolean {
  const lines = file.split('\n');
  const size = block.split('\n').length;
  return lines.some((_, index) => flush(lines.slice(index, index + size).join('\n')) === block);
}

const page = readFileSync(join(packageRoot, 'docs', 'contracts.md'), 'utf8');

test('every block of docs/contracts.md is in the second API', () => {
  const blocks = [...page.matchAll(/```(?:yaml|js|ts)\n([\s\S]*?)```/g)].map(([, text = '']) => flush(text));
  const files = globSync('**/*.{yaml,js,ts}', { cwd: FOLDER }).map((file) => readFileSync(join(FOLDER, file), 'utf8'));
  expect(blocks.length).toBeGreaterThan(20);
  expect(blocks.filter((block) => !files.some((file) => holds(file, block)))).toEqual([]);
});

interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
}

/** All keys in the schema of a file, except names of the contract. */
function keysOf({ properties = {}, additionalProperties, $defs = {} }: JsonSchema): string[] {
  const below = [...Object.values(properties), ...Object.values($defs)];
  if (typeof additionalProperties === 'object') below.push(additionalProperties);
  return [...Object.keys(properties), ...below.flatMap(keysOf)];
}

test.each(['contract', 'entities'])('docs/contracts.md explains every key of %s.yaml', (name) => {
  const schema = JSON.parse(readFileSync(join(packageRoot, 'schemas', `${name}.schema.json`), 'utf8')) as JsonSchema;
  const keys = [...new Set(keysOf(schema))].filter((key) => key !== '$schema');
  expect(keys.length).toBeGreaterThan(10);
  expect(keys.filter((key) => !new RegExp(`\\b${key}\\b`, 'i').test(page))).toEqual([]);
});
